package search

import (
	"math"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

const (
	sampled    = 1.25 // documents that make a sample, for each that is wanted
	perSession = 3    // turns that make a sample, for each session that is wanted
	likewise   = 3    // how many times as common as others a word may be that is as rare
	tooMany    = 8    // documents that have a word, for each that is wanted, which take longer than to do with fewer
)

// A forecast is what the rarest words of a query make at most of the documents of a
// view that pass. Those that most likely score well are scored before all others,
// so that the floor is high when these are looked at.
type forecast struct {
	words  int      // how many of the skipper's order
	ends   []uint32 // by block, behind its documents
	docs   []uint16 // of the blocks
	bounds []bound  // of the documents; below zero for those that are scored
	grades []uint32
}

// block is where the documents of a block are.
func (f *forecast) block(b uint32) (from, to uint32) {
	if b > 0 {
		from = f.ends[b-1]
	}
	return from, f.ends[b]
}

// forecast returns what one is written into.
func (p *Searcher) forecast() *forecast {
	if f, _ := p.forecasts.Get().(*forecast); f != nil {
		return f
	}
	return new(forecast)
}

// sampleOf is how many documents make a sample, and with how many words of them one is
// worth while.
func (q *Search) sampleOf() (want, enough, some int) {
	enough = q.skips.leaders.most
	some = enough // fewer do not raise the floor of turns
	if !q.asked.ByTurn {
		enough, some = perSession*enough, 1
	}
	return int(sampled * float64(enough)), enough, some
}

// sampleRare scores those documents of a view that have the rarest words and most
// likely score well, some more than are wanted, unless there is a floor.
func (q *Search) sampleRare(i int, k *skipper) error {
	want, enough, some := q.sampleOf()
	if q.skips.floor.score() > 0 || q.skips.leaders.most > k.docs {
		return nil
	}
	f := q.searcher.forecast()
	if f.words = k.rare(enough, some); f.words > 0 {
		if every := q.every(k, f, want); every > 1 {
			if err := q.likeliest(i, k, f, want, every, q.emitting(i)); err != nil {
				return err
			}
		}
		if q.skips.floor.score() == 0 {
			return q.likeliest(i, k, f, want, 1, q.emitting(i))
		}
	}
	q.searcher.forecasts.Put(f)
	return nil
}

// sampleCommon is sampleRare by rough scores, where the rarest words of all views are
// of too few documents for a floor.
func (q *Search) sampleCommon(i int, k *skipper) error {
	if q.skips.floor.score() > 0 || q.skips.leaders.most > k.docs || k.crowd == math.MaxInt {
		return nil
	}
	want, _, _ := q.sampleOf()
	err := k.writing(func() error { return k.promising(want, q.emitting(i)) })
	k.open()
	return err
}

// likeliest scores those documents that have the rarest words and most likely score
// well, want of all, of one block in every.
func (q *Search) likeliest(i int, k *skipper, f *forecast, want int, every uint32, emit emitter) error {
	if err := k.writing(func() error { return k.probe(f, every) }); err != nil {
		return err
	}
	k.open()
	if every > 1 && !k.even(f, every) {
		return nil
	}
	bar := k.bar(f, want/int(every))
	err := q.shared([]int{i}, func(_ int, k *skipper, from, to uint32) error {
		return k.best(f, from, to, bar, func(doc uint32, score float64, has sites) {
			q.skips.mu.Lock()
			defer q.skips.mu.Unlock()
			emit(doc, score, has)
		})
	})
	k.open()
	if every > 1 {
		q.guess(k, f, int(every))
	} else {
		k.forecast = f
	}
	return err
}

// rare is how many of the words are the rarest: enough documents have them, or some
// and the next word is in very many. Not so many have them that it takes long to read
// their lists.
func (k *skipper) rare(enough, some int) int {
	total, least := 0, 0
	for n, w := range k.order[:k.heads] {
		docs := k.longest(w)
		switch {
		case k.bound[w].days != nil, docs > k.docs/16:
			if total < some {
				return 0
			}
			return n
		case least > 0 && docs > likewise*least, least == 0 && total >= some && docs > tooMany*enough:
			return n
		}
		if total += docs; total >= enough && least == 0 {
			least = docs
		}
	}
	if total < some {
		return 0
	}
	return k.heads
}

// longest is how many documents the longest of a word's lists has.
func (k *skipper) longest(w int) (docs int) {
	for _, lists := range k.bound[w].lists {
		for n := range lists {
			if k.lanes[lists[n].lane].scored {
				docs = max(docs, lists[n].p.Len())
			}
		}
	}
	return docs
}

// probe reads the lists of the rarest words, in one block in every.
func (k *skipper) probe(f *forecast, every uint32) error {
	f.ends, f.docs, f.bounds = f.ends[:0], f.docs[:0], f.bounds[:0]
	for b := range k.blocks() {
		most := 0.0
		for _, w := range k.order[:f.words] {
			if b%every == 0 {
				most += k.seek(w, b)
			}
		}
		if most > 0 && !k.pass.none(b) {
			if err := k.load(b); err != nil {
				return err
			}
			k.in = k.pass.all(b)
			k.undone(b)
			in := k.within(k.in)
			for _, w := range k.order[:f.words] {
				k.gather(w, b, in, 0)
			}
			for _, i := range k.bounds.docs.list() {
				f.docs, f.bounds = append(f.docs, i), append(f.bounds, k.bounds.at[i&blockMask])
			}
			k.bounds.clear()
		}
		f.ends = append(f.ends, uint32(len(f.docs)))
	}
	return nil
}

// likely is what a document scores at most if it has no other word.
func (k *skipper) likely(x bound) float32 {
	return float32(k.cover.Score(float64(x.sum), float64(x.cover)))
}

// Grades are steps of scores, two to four thousandths of one each: 256 to a doubling,
// from 1/2048 to 32.
const (
	grades     = 16 << 8
	gradeShift = 23 - 8
	gradeFirst = (127 - 11) << 8
)

// bar is the score of the last one of as many documents as are wanted, or somewhat
// less: they are counted by grades.
func (k *skipper) bar(f *forecast, want int) float32 {
	if f.grades == nil {
		f.grades = make([]uint32, grades)
	}
	clear(f.grades)
	for _, x := range f.bounds {
		grade := int(math.Float32bits(k.likely(x))>>gradeShift) - gradeFirst
		f.grades[max(0, min(grade, grades-1))]++
	}
	last := grades - 1
	for ; last > 0 && want > int(f.grades[last]); last-- {
		want -= int(f.grades[last])
	}
	if last == 0 {
		return 0
	}
	return math.Float32frombits(uint32(last+gradeFirst) << gradeShift)
}

// best scores the documents of a range of blocks that are not below the bar.
func (k *skipper) best(f *forecast, from, to uint32, bar float32, emit emitter) error {
	for b := from; b < to; b++ {
		few := k.bounds.docs.all[:0]
		k.want = shard.Mask{}
		for n, to := f.block(b); n < to; n++ {
			if k.likely(f.bounds[n]) >= bar {
				f.bounds[n].sum = float32(math.Inf(-1))
				few = append(few, f.docs[n])
				k.want.Add(f.docs[n])
			}
		}
		if len(few) == 0 {
			continue
		}
		if err := k.load(b); err != nil {
			return err
		}
		k.wanted(few)
		k.finish(b, emit)
	}
	return nil
}

// recall begins the bounds of those documents of a block that are in k.in and
// could reach the floor. Where more words are read that make candidates, those
// that are scored get one that never does.
func (k *skipper) recall(b uint32, floor float64, rest limit, more bool) {
	least, up, known, per := k.limits(floor, rest)
	f := k.forecast
	for n, to := f.block(b); n < to; n++ {
		x := f.bounds[n]
		if x.sum < 0 && more || k.in.Has(f.docs[n]) && (x.sum+up)*(known+per*x.cover) >= least {
			k.bounds.add(f.docs[n], x.sum, x.cover)
		}
	}
}

// unscored leaves the documents that are scored out of a set of a block.
func (k *skipper) unscored(b uint32, docs *shard.Mask) {
	if k.forecast == nil {
		return
	}
	f := k.forecast
	for n, to := f.block(b); n < to; n++ {
		if i := f.docs[n]; f.bounds[n].sum < 0 {
			docs[i>>6&(shard.BlockDocs/64-1)] &^= 1 << (i & 63)
		}
	}
}
