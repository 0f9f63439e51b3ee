package shard

import (
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

const (
	// maxWaiting is how many postings wait at most: enough for a common word to
	// have hundreds of them, few enough to stay in the processor's cache.
	maxWaiting = 1 << 18
	// fewWaiting is below what postings go to their terms one by one: putting them
	// in order would cost more than it saves, as in a shard of one turn.
	fewWaiting = 1 << 12
	// maxNumber leaves room for a count beside it.
	maxNumber = 1<<24 - 1
)

// A queue holds postings by number in the order in which they come. They go to
// their terms many at a time: terms lie all over the memory, and going to one
// takes as long for one posting as for several.
type queue struct {
	vocabulary Vocabulary
	waiting    []waiting
	docs       []uint32  // whose postings wait
	most       uint32    // the largest number among them
	grouped    []waiting // by term, with a place in docs instead of the number
	ends       []uint32  // by number: where in grouped its postings end
	ids        []uint32  // by number: index of the term plus one, 0 = not looked for yet
	packed     []byte
	batches    [3][]batched // to be found; found; of which the processor was asked for where postings go
}

// A batched term is about to get postings.
type batched struct {
	number, id uint32
	postings   []waiting
}

// A waiting posting holds the term's number, from 1, above eight bits of count.
// 0 says that what follows is of the next of the documents.
type waiting uint32

func (q *queue) memory() int64 {
	return 4 * int64(cap(q.waiting)+cap(q.docs)+cap(q.grouped)+cap(q.ends)+cap(q.ids))
}

// addCounts counts terms for a document, which is not below any added before, by
// their numbers. That a term is there twice is told later, by settle.
func (x *lexicon) addCounts(v Vocabulary, counts []Count, doc uint32) error {
	q := &x.queue
	if v != q.vocabulary {
		if err := x.settle(); err != nil {
			return err
		}
		clear(q.ids)
		q.vocabulary = v
	}
	if n := len(q.waiting); cap(q.waiting)-n <= len(counts) {
		q.waiting = slices.Grow(q.waiting, max(n, len(counts)+1)) // append makes garbage of five times the size
	}
	q.docs, q.waiting = append(q.docs, doc), append(q.waiting, 0)
	for _, c := range counts {
		if c.Number == 0 || c.Number > maxNumber || c.Count == 0 {
			return fmt.Errorf("%w: term number %d, %d times", ErrDocument, c.Number, c.Count)
		}
		q.waiting = append(q.waiting, waiting(c.Number<<8|min(c.Count, MaxCount)))
		q.most = max(q.most, c.Number)
	}
	if len(q.waiting) < maxWaiting {
		return nil
	}
	return x.settle()
}

// settle gives the waiting postings to their terms.
func (x *lexicon) settle() error {
	q := &x.queue
	defer func() {
		q.docs, q.waiting, q.most = q.docs[:0], q.waiting[:0], 0
		q.batches = [3][]batched{q.batches[0][:0], q.batches[1][:0], q.batches[2][:0]}
	}()
	if len(q.waiting) < fewWaiting {
		return x.settleFew()
	}
	q.group()
	x.reserve(q.unknown())
	from := uint32(0)
	for number, to := range q.ends {
		if from == to {
			continue
		}
		q.batches[0] = append(q.batches[0], batched{number: uint32(number), postings: q.grouped[from:to]})
		if from = to; len(q.batches[0]) == extendAtOnce {
			if err := x.extendBatch(); err != nil {
				return err
			}
		}
	}
	for range q.batches {
		if err := x.extendBatch(); err != nil {
			return err
		}
	}
	return nil
}

// extendAtOnce is how many terms are found before those that were found before them
// get their postings: what is not in the processor's cache comes meanwhile.
const extendAtOnce = 64

// extendBatch takes each batch a step further: it gives the terms of the last one
// their postings.
func (x *lexicon) extendBatch() error {
	q := &x.queue
	if err := x.findBatch(q.batches[0]); err != nil {
		return err
	}
	x.fetchTails(q.batches[1])
	done := q.batches[2]
	q.batches = [3][]batched{done[:0], q.batches[0], q.batches[1]}
	for i := range done {
		if err := x.extend(done[i].id, done[i].postings); err != nil {
			return err
		}
	}
	return nil
}

// findBatch finds the terms of a batch.
func (x *lexicon) findBatch(batch []batched) error {
	q := &x.queue
	var ids [extendAtOnce]uint32
	for i := range batch {
		b := &batch[i]
		if int(b.number) >= len(q.ids) {
			q.ids = append(q.ids, make([]uint32, len(q.ends)-len(q.ids))...)
		}
		if q.ids[b.number] == 0 {
			term, err := q.term(b.number)
			if err != nil {
				return err
			}
			q.ids[b.number] = x.id(term) + 1
		}
		b.id = q.ids[b.number] - 1
		ids[i] = b.id
	}
	prefetch.Rows(x.terms, ids[:len(batch)])
	return nil
}

// fetchTails brings the places into the processor's cache where the postings of a
// batch go.
func (x *lexicon) fetchTails(batch []batched) {
	var tails [extendAtOnce]*byte
	n := 0
	for i := range batch {
		if r := &x.terms[batch[i].id]; r.docs > 1 {
			tails[n] = &x.pool.pages[r.tail>>poolShift][r.tail%poolPage]
			n++
		}
	}
	prefetch.Bytes(tails[:n])
}

// settleFew is settle without putting the postings in order.
func (x *lexicon) settleFew() error {
	q, doc := &x.queue, -1
	for _, v := range q.waiting {
		if v == 0 {
			doc++
			continue
		}
		term, err := q.term(uint32(v >> 8))
		if err != nil {
			return err
		}
		if !x.add(term, q.docs[doc], uint8(v)) {
			return errTwice(term)
		}
	}
	return nil
}

func (q *queue) term(number uint32) (string, error) {
	term := q.vocabulary.Term(number)
	if term == "" {
		return "", fmt.Errorf("%w: no term has the number %d", ErrDocument, number)
	}
	return term, nil
}

func errTwice(term string) error {
	return fmt.Errorf("%w: term %q is there twice", ErrDocument, term)
}

// group brings the waiting postings into the order of numbers.
func (q *queue) group() {
	if cap(q.grouped) < len(q.waiting) {
		q.grouped = make([]waiting, cap(q.waiting))
	}
	if n := int(q.most) + 1; cap(q.ends) < n {
		q.ends = make([]uint32, n+n/4)
	}
	q.ends = q.ends[:q.most+1]
	clear(q.ends)
	for _, v := range q.waiting {
		q.ends[v>>8]++
	}
	q.ends[0] = 0 // which began documents
	at := uint32(0)
	for i, n := range q.ends {
		q.ends[i] = at
		at += n
	}
	grouped, doc := q.grouped[:at], ^waiting(0)
	for _, v := range q.waiting {
		if v == 0 {
			doc++
			continue
		}
		end := &q.ends[v>>8]
		grouped[*end] = doc<<8 | v&0xFF
		*end++
	}
}

// unknown is how many terms among those that were grouped were not looked for yet.
func (q *queue) unknown() (n int) {
	from := uint32(0)
	for number, to := range q.ends {
		if from < to && (number >= len(q.ids) || q.ids[number] == 0) {
			n++
		}
		from = to
	}
	return n
}

// extend gives a term the postings that wait for it.
func (x *lexicon) extend(id uint32, more []waiting) error {
	q := &x.queue
	r := &x.terms[id]
	q.packed = q.packed[:0]
	for _, v := range more {
		doc := q.docs[v>>8]
		if r.docs > 0 && r.last == doc {
			return errTwice(string(x.name(id)))
		}
		q.packed = x.posting(r, q.packed, doc, uint8(v))
	}
	x.pool.append(r, q.packed)
	return nil
}
