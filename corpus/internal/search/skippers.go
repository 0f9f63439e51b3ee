package search

import "github.com/hansard-search/hansard/corpus/internal/shard"

// skipper returns one that has nothing but room.
func (p *Searcher) skipper() *skipper {
	if k, _ := p.skippers.Get().(*skipper); k != nil {
		return k
	}
	return new(skipper)
}

// keepSkipper takes one back, which may be nil.
func (p *Searcher) keepSkipper(k *skipper) {
	if k == nil {
		return
	}
	clear(k.days)
	clear(k.cols)
	clear(k.codes)
	room := scanner{cols: k.cols[:0], codes: k.codes[:0], cursors: k.cursors.emptied()}
	*k = skipper{scanner: room, order: k.order[:0], most: k.most[:0], days: k.days[:0], done: k.done[:0], rough: roughWords{scores: k.rough.scores[:0]}}
	p.skippers.Put(k)
}

// skipping returns one for views of which nothing is known.
func (p *Searcher) skipping(views []*view) *skipping {
	s, _ := p.skippings.Get().(*skipping)
	if s == nil {
		s = new(skipping)
	}
	for range views {
		s.views, s.stretches = append(s.views, nil), append(s.stretches, nil)
	}
	return s
}

// allMatching makes room for the turns of the views that match.
func (s *skipping) allMatching(views []*view) {
	words := 0
	for _, v := range views {
		words += wordsOf(v)
	}
	if cap(s.room) < words {
		s.room = make(bits, words)
	}
	s.room, s.matching = s.room[:words], s.matching[:0]
	clear(s.room)
	at := 0
	for _, v := range views {
		n := wordsOf(v)
		s.matching = append(s.matching, s.room[at:at+n:at+n])
		at += n
	}
}

// wordsOf is how many words a set of a view's turns has, that of whole blocks.
func wordsOf(v *view) int {
	return (v.Len(shard.Turn) + blockMask) >> shard.BlockShift * (shard.BlockDocs / 64)
}

// keepSkipping takes one back.
func (p *Searcher) keepSkipping(s *skipping) {
	for _, k := range s.views {
		p.keepSkipper(k)
	}
	clear(s.views)
	clear(s.stretches)
	*s = skipping{views: s.views[:0], stretches: s.stretches[:0], matching: s.matching[:0], room: s.room}
	p.skippings.Put(s)
}
