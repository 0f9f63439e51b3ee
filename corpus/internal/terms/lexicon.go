package terms

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

const (
	// lexiconLimit is how many words an Analyzer remembers: transcripts of a year
	// use some ten thousand again and again, and a word costs about 200 bytes. With
	// half as many, 100,000 turns of 60,000 different words took a fifth longer.
	lexiconLimit = 1 << 16
	// rawLimit is the longest word that is remembered as it was written: longer
	// are only those that are hashed.
	rawLimit = joinLimit + MaxTerm
)

// A piece is a term within a word. Terms have numbers, from 1, until the next sweep.
type piece struct {
	stem, exact uint32 // exact is 0 where the form is its own stem
	start, end  uint32 // bytes of the word
	pos, leaves uint16 // place among the word's leaves, and how many it takes
	kind        Kind
	word        wordClass
}

// An entry is what is known of a word as it was written.
type entry struct {
	raw      uint32 // of lexicon.raws, where wordSlot does not hold all of it; else 0
	whole    piece
	from, to uint32 // of lexicon.pieces: parts of a Compound
	leaves   uint32 // places that it takes in the order of words
	match    uint32 // lexicon.matching when it was last compared with targets
	hits     int32  // then: first of Matcher.hits, or -1
}

// A lexicon remembers words and their terms. Neither a key nor a word that is
// known costs an allocation. The zero value is ready.
type lexicon struct {
	words      wordTable
	entries    []entry // of words
	pieces     []piece // parts of entries
	raws       texts
	vocabulary *Vocabulary // nil before the first word
	stems      stemmer
	matching   uint32   // which Matcher's targets entries were compared with
	passing    entry    // of a word that is not remembered
	once       wordSlot // likewise
}

// begin readies the lexicon for another text. Words are forgotten between texts
// only: within one, numbers must stay.
func (l *lexicon) begin() {
	switch {
	case l.vocabulary == nil:
		l.vocabulary = newVocabulary()
	case len(l.entries) > lexiconLimit || len(l.vocabulary.places) > 3*lexiconLimit || len(l.pieces) > 8*lexiconLimit:
		l.sweep()
	}
}

// sweep forgets what was seen once since the last sweep, and as much as is
// needed when that is not enough. Terms get new numbers.
func (l *lexicon) sweep() {
	old := *l
	l.words, l.entries = wordTable{}, make([]entry, 0, lexiconLimit+1)
	l.pieces, l.raws, l.vocabulary = nil, texts{}, newVocabulary()
	for i := range old.words.slots {
		if s := &old.words.slots[i]; s.again && len(l.entries) < lexiconLimit/2 {
			e := old.entries[s.entry-1]
			l.keep(&e.whole, &old)
			parts := old.parts(&e)
			e.from = uint32(len(l.pieces))
			for i := range parts {
				l.keep(&parts[i], &old)
			}
			l.pieces = append(l.pieces, parts...)
			e.to = uint32(len(l.pieces))
			if e.raw > 0 {
				e.raw = l.raws.add(old.raws.text(e.raw))
			}
			l.put(s.lo, s.hi, e)
		}
	}
}

// keep takes the terms of a piece over from before a sweep.
func (l *lexicon) keep(p *piece, old *lexicon) {
	p.stem = l.vocabulary.number(old.vocabulary.text(p.stem))
	if p.exact != 0 {
		p.exact = l.vocabulary.number(old.vocabulary.text(p.exact))
	}
}

// parts are those of a Compound.
func (l *lexicon) parts(e *entry) []piece { return l.pieces[e.from:e.to] }

// entry returns what is known of the word text[start:end] that the scanner
// found. It is good until the next call.
func (l *lexicon) entry(text string, start, end int, flags uint8) *entry {
	w := cutWord{start: uint32(start), end: uint32(end), flags: flags}
	w.lo, w.hi = wordKey(text, start, end)
	w.hash = mix(w.lo, w.hi)
	return l.of(l.word(text, &w))
}

func (l *lexicon) of(s *wordSlot) *entry {
	if s.entry == 0 {
		return &l.passing
	}
	return &l.entries[s.entry-1]
}

// fetch hashes words, and brings what is known of them into the processor's cache.
func (l *lexicon) fetch(words []cutWord) {
	var at [cutAtOnce]uint32
	mask := uint32(max(len(l.words.slots), 1) - 1)
	for some := range slices.Chunk(words, cutAtOnce) {
		for i := range some {
			w := &some[i]
			w.hash = mix(w.lo, w.hi)
			at[i&(cutAtOnce-1)] = w.hash & mask
		}
		prefetch.Rows(l.words.slots, at[:len(some)])
	}
}

// word is entry by the numbers of its terms.
func (l *lexicon) word(text string, w *cutWord) *wordSlot {
	s := l.words.hashed(w.lo, w.hi, w.hash)
	if s == nil || s.entry == 0 || w.end-w.start > wordBytes && l.raws.text(l.entries[s.entry-1].raw) != text[w.start:w.end] {
		return l.learn(w.lo, w.hi, text[w.start:w.end], w.flags)
	}
	if !s.again {
		s.again = true
	}
	return s
}

// learn describes a new word and remembers it, unless it is too long, or
// another is in its place.
func (l *lexicon) learn(lo, hi uint64, raw string, flags uint8) *wordSlot {
	if flags == 0 { // a plain word
		for i := range len(raw) {
			flags |= classes[raw[i]]
		}
	}
	var e entry
	l.describe(&e, raw, flags)
	if len(raw) > rawLimit || l.words.known(lo, hi) {
		return l.pass(e)
	}
	if len(raw) > wordBytes {
		e.raw = l.raws.add(raw)
	}
	return l.put(lo, hi, e)
}

// pass returns the slot of a word that is not remembered.
func (l *lexicon) pass(e entry) *wordSlot {
	l.passing, l.once = e, wordSlot{}
	l.once.fill(&e)
	return &l.once
}

// put remembers an entry whose key is not known.
func (l *lexicon) put(lo, hi uint64, e entry) *wordSlot {
	l.entries = append(l.entries, e)
	s := l.words.add(lo, hi)
	s.entry = uint32(len(l.entries))
	s.fill(&e)
	return s
}

// pair returns what is known of one or two characters of a script without
// spaces. The same character is different tokens alone and within a run, so
// kinds are remembered apart.
func (l *lexicon) pair(raw string, kind Kind) *entry {
	lo, hi := pairKey(raw, kind)
	if s := l.words.find(lo, hi); s != nil && s.entry != 0 && len(raw) <= pairBytes {
		s.again = true
		return &l.entries[s.entry-1]
	}
	e := entry{leaves: 1}
	e.whole = piece{stem: l.vocabulary.number(fold(raw)), end: uint32(len(raw)), leaves: 1, kind: kind}
	if len(raw) > pairBytes { // two characters with a row of marks
		return l.of(l.pass(e))
	}
	return l.of(l.put(lo, hi, e))
}

// describe fills in the terms of a word.
func (l *lexicon) describe(e *entry, raw string, flags uint8) {
	e.leaves = 1
	e.whole = l.piece(raw, 0, len(raw), flags&(blob|signed) == 0)
	if flags&(blob|signed) != 0 || flags&^lower == 0 || len(raw) > rawLimit+joinLimit {
		return
	}
	sp := splitter{word: raw}
	leaves := sp.split()
	if len(sp.nodes) == 0 {
		return
	}
	e.leaves = uint32(leaves)
	e.whole.kind, e.whole.leaves = Compound, uint16(leaves)
	e.from = uint32(len(l.pieces))
	for _, n := range sp.nodes {
		p := l.piece(raw, n.start, n.end, true)
		p.pos, p.leaves, p.kind = uint16(n.pos), uint16(n.leaves), Part
		l.pieces = append(l.pieces, p)
	}
	e.to = uint32(len(l.pieces))
}

// piece describes raw[start:end] as a word of its own.
func (l *lexicon) piece(raw string, start, end int, stems bool) piece {
	form := raw[start:end]
	if !folded(form) {
		form = fold(form)
	}
	p := piece{start: uint32(start), end: uint32(end), leaves: 1}
	if known := l.known(form); stems && known != nil && known.whole.kind == Word {
		p.stem, p.exact, p.word = known.whole.stem, known.whole.exact, known.whole.word
		return p
	}
	p.word = classify(form)
	for i := range len(form) {
		if classes[form[i]] == digit {
			p.kind = Number
		}
	}
	stem := form
	if stems && p.word == plainWord {
		stem = l.stems.stem(form)
	}
	p.stem = l.vocabulary.number(stem)
	if stem != form {
		p.exact = l.vocabulary.number(string(ExactMark) + form)
	}
	return p
}

// known returns the entry of a word, nil where it is not remembered.
func (l *lexicon) known(word string) *entry {
	s := l.words.find(wordKey(word, 0, len(word)))
	if s == nil || s.entry == 0 {
		return nil
	}
	if e := &l.entries[s.entry-1]; len(word) <= wordBytes || l.raws.text(e.raw) == word {
		return e
	}
	return nil
}
