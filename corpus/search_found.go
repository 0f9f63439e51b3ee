package corpus

import (
	"cmp"
	"slices"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// A sessionHit is what a query found of one session. It holds no pointers:
// there is one for every session of a corpus.
type sessionHit struct {
	best    rank.Best
	title   float64
	summary float64
	doc     uint32 // turn with the best score
	view    uint32 // number of its view
	turns   uint32 // that match and pass
	other   bool   // a turn matches that does not pass
	seen    bool
}

// turnFound adds a turn that matches.
func (q *search) turnFound(h *sessionHit, view, doc uint32, score float64) {
	h.turns++
	if h.best.Add(score) || score == h.best[0] && newer(q.ref(view, doc), q.ref(h.view, h.doc)) {
		h.view, h.doc = view, doc
	}
}

func (q *search) ref(view, doc uint32) docRef { return docRef{q.snap.views[view], doc} }

// merge adds what another shard found of the same session.
func (q *search) merge(h, o *sessionHit) {
	if o.turns > 0 && (h.turns == 0 || o.best[0] > h.best[0] || o.best[0] == h.best[0] && newer(q.ref(o.view, o.doc), q.ref(h.view, h.doc))) {
		h.view, h.doc = o.view, o.doc
	}
	h.best.Merge(&o.best)
	h.title += o.title
	h.summary += o.summary
	h.turns += o.turns
	h.other = h.other || o.other
}

// newer is the order of turns that score the same: the later one first, then
// the smaller id. What cannot be read comes last; it will fail when shown.
func newer(a, b docRef) bool { return compareRefs(a, b) < 0 }

func compareRefs(a, b docRef) int {
	ha, errA := a.view.Head(shard.Turn, a.doc)
	hb, errB := b.view.Head(shard.Turn, b.doc)
	if errA != nil || errB != nil {
		return 0
	}
	if c := cmp.Compare(hb.Updated, ha.Updated); c != 0 {
		return c
	}
	ka, _ := a.view.Key(shard.Turn, a.doc)
	kb, _ := b.view.Key(shard.Turn, b.doc)
	return cmp.Compare(ka, kb)
}

// A viewFound is what a query found in one view, by the session's ordinal.
type viewFound struct {
	view    *view
	hits    []sessionHit
	touched []uint32

	matching bits // turns, of a search that leaves some out
}

func (f *viewFound) hit(ord uint32) *sessionHit {
	h := &f.hits[ord]
	if !h.seen {
		h.seen = true
		f.touched = append(f.touched, ord)
	}
	return h
}

// searchPools keeps what searches write on between them. The zero value is ready.
type searchPools struct {
	analyzers sync.Pool // of *terms.Analyzer, which remember words
	scratches sync.Pool // of *scratch, all zero
	hits      sync.Pool // of *[]sessionHit, all zero
}

// analyzer returns one that nobody else uses until it is put back.
func (p *searchPools) analyzer() *terms.Analyzer {
	if a, _ := p.analyzers.Get().(*terms.Analyzer); a != nil {
		return a
	}
	return new(terms.Analyzer)
}

// sessions returns n empty hits.
func (p *searchPools) sessions(n int) []sessionHit {
	if kept, _ := p.hits.Get().(*[]sessionHit); kept != nil && cap(*kept) >= n {
		return (*kept)[:n]
	}
	return make([]sessionHit, n)
}

// keep takes the hits of f back. Those that were merged into another view's are
// no longer among touched, so merge leaves them empty.
func (p *searchPools) keep(f *viewFound) {
	for _, ord := range f.touched {
		f.hits[ord] = sessionHit{}
	}
	hits := f.hits
	f.hits, f.touched = nil, nil
	p.hits.Put(&hits)
}

// unite brings what several views found of one session together, in the view
// that has most sessions, and leaves the others' hits empty.
func (q *search) unite() error {
	found := slices.Clone(q.found)
	slices.SortStableFunc(found, func(a, b *viewFound) int { return cmp.Compare(len(b.hits), len(a.hits)) })
	for i, f := range found[min(1, len(found)):] {
		kept := f.touched[:0]
		for _, ord := range f.touched {
			id, err := f.view.SessionHash(ord)
			if err != nil {
				return damage(f.view.name, err)
			}
			to, err := sameSession(found[:i+1], id)
			if err != nil {
				return err
			}
			if to == nil {
				kept = append(kept, ord)
				continue
			}
			q.merge(to, &f.hits[ord])
			f.hits[ord] = sessionHit{}
		}
		f.touched = kept
	}
	return nil
}

func sameSession(found []*viewFound, id signal.Hash) (*sessionHit, error) {
	for _, f := range found {
		ord, ok, err := f.view.SessionOrd(id)
		if err != nil {
			return nil, damage(f.view.name, err)
		}
		if ok && f.hits[ord].seen {
			return &f.hits[ord], nil
		}
	}
	return nil, nil
}

// A row is a line of the answer on its way there.
type row struct {
	ref     docRef // the turn that is shown
	score   float64
	best    rank.Best
	title   float64
	summary float64
	record  bool // matched by title or summary only
	near    float64
	most    float64 // bound of final
	recency float64
	repeat  float64
	// unrepeated is the final score before repeated prompts are held back.
	unrepeated float64
	final      float64
	prompt     signal.Hash // of the prompt, to tell repeated ones
}

// compareRows is the order of the first stage.
func compareRows(a, b *row) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return compareRefs(a.ref, b.ref)
}
