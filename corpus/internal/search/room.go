package search

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// An orderRoom is what the second stage of a search writes on, kept between
// searches: half of what it would allocate otherwise. The zero value is ready.
type orderRoom struct {
	all    []contender
	heap   []*contender
	at     [][]int // places by word
	folded []byte
	texts  []byte // of passages
	read   []shard.Passage
	open   []uint32     // sessions
	scores []float64    // of rows some of which are open
	rows   []*contender // those

	packed []*shard.Pieces // by view; nil: not read yet
	few    map[*shard.Postings]fewDocs
	docs   []uint32 // of few
	counts []uint8  // likewise
}

// A fewDocs is a list of few documents that was read: to find one in the list
// itself all before it are read, and what is shown asks for many.
type fewDocs struct {
	docs   []uint32
	counts []uint8
}

func (d *fewDocs) count(doc uint32) uint8 {
	if i, ok := slices.BinarySearch(d.docs, doc); ok {
		return d.counts[i]
	}
	return 0
}

// fewDocs reads a list, once; ok is false for one of many documents.
func (r *orderRoom) fewDocs(p *shard.Postings) (d fewDocs, ok bool) {
	if d, ok = r.few[p]; ok {
		return d, true
	}
	from := len(r.docs)
	if r.docs, r.counts, ok = p.Few(r.docs, r.counts); !ok {
		return d, false
	}
	if r.few == nil {
		r.few = map[*shard.Postings]fewDocs{}
	}
	d = fewDocs{r.docs[from:], r.counts[from:]}
	r.few[p] = d
	return d, true
}

// orderRoom is the room of the search's second stage.
func (q *Search) orderRoom() *orderRoom {
	if q.room == nil {
		if q.room, _ = q.searcher.rooms.Get().(*orderRoom); q.room == nil {
			q.room = new(orderRoom)
		}
	}
	return q.room
}

// passages reads the texts of a turn, which are good until the search is closed.
func (r *orderRoom) passages(ref docRef) ([]shard.Passage, error) {
	from, err := len(r.read), error(nil)
	r.texts, r.read, err = ref.view.AppendPassages(shard.Turn, ref.doc, r.texts, r.read)
	return r.read[from:len(r.read):len(r.read)], published.Damage(ref.view.Name, err)
}

// leave gives back what read packed texts.
func (r *orderRoom) leave(pools *Searcher) {
	for i, p := range r.packed {
		pools.texts.KeepPieces(p)
		r.packed[i] = nil
	}
}

// pieces returns what reads packed texts of a view for the search's matcher.
func (r *orderRoom) pieces(q *Search, view int, m *terms.Matcher) *shard.Pieces {
	for len(r.packed) <= view {
		r.packed = append(r.packed, nil)
	}
	p := r.packed[view]
	if p == nil {
		p = q.searcher.texts.Pieces(q.snap.views[view].Reader, m, shard.Asked{})
		r.packed[view] = p
	}
	return p
}

// contenders returns n of them, all zero. They stay where they are.
func (r *orderRoom) contenders(n int) []contender {
	from := len(r.all)
	if cap(r.all)-from < n {
		r.all, from = make([]contender, 0, max(n, 2*cap(r.all))), 0
	}
	r.all = r.all[:from+n]
	return r.all[from:]
}

// pooledTexts is up to how many bytes the room for texts is kept.
const pooledTexts = 1 << 20

// pooledContenders is up to how many contenders the room for them is kept: sessions
// that are not complete contend by the thousand. They take a megabyte.
const pooledContenders = 1 << 12

// empty forgets what was written.
func (r *orderRoom) empty() {
	if cap(r.all) > pooledContenders {
		r.all, r.heap, r.rows, r.scores, r.open = nil, nil, nil, nil, nil
	}
	clear(r.all)
	clear(r.heap)
	clear(r.rows)
	clear(r.few)
	if cap(r.texts) > pooledTexts {
		r.texts = nil
	}
	clear(r.read)
	r.all, r.heap, r.docs, r.counts = r.all[:0], r.heap[:0], r.docs[:0], r.counts[:0]
	r.rows, r.scores, r.open = r.rows[:0], r.scores[:0], r.open[:0]
	r.texts, r.read = r.texts[:0], r.read[:0]
}
