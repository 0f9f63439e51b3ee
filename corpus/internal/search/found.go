package search

import (
	"cmp"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A sessionHit is what a query found of one session. It holds no pointers:
// there is one for every session of a corpus.
type sessionHit struct {
	best    rank.Best
	title   float64
	summary float64
	score   float64   // of what was found so far
	known   float64   // from there on all turns are, where lower
	sites   sites     // of the turn with the best score
	doc     uint32    // that turn
	view    uint32    // number of its view
	turns   uint32    // that match, pass and were scored
	place   [2]uint32 // among the leaders, plus one
	other   bool      // a turn matches that does not pass
	seen    bool
	lower   bool // turns below the floor were looked for, down to known
}

// turnFound adds a turn that matches.
func (q *Search) turnFound(h *sessionHit, view, doc uint32, score float64, has sites) {
	h.turns++
	if h.best.Add(score) || score == h.best[0] && newer(q.ref(view, doc), q.ref(h.view, h.doc)) {
		h.view, h.doc, h.sites = view, doc, has
	}
}

func (q *Search) ref(view, doc uint32) docRef { return docRef{q.snap.views[view], doc} }

// newer is the order of turns that score the same: the later one first, then
// the smaller id. What cannot be read comes last; it will fail when shown.
func newer(a, b docRef) bool { return compareRefs(a, b) < 0 }

// compareRefs is newer as an order, 0 where a document cannot be read.
func compareRefs(a, b docRef) int {
	ua, errA := a.view.Updated(shard.Turn, a.doc)
	ub, errB := b.view.Updated(shard.Turn, b.doc)
	if errA != nil || errB != nil {
		return 0
	}
	if c := cmp.Compare(ub, ua); c != 0 {
		return c
	}
	return compareKeys(a, b)
}

// compareKeys is the order of the ids.
func compareKeys(a, b docRef) int {
	ka, _ := a.view.Key(shard.Turn, a.doc)
	kb, _ := b.view.Key(shard.Turn, b.doc)
	return cmp.Compare(ka, kb)
}

// Findings are what a query found of each session, by the session's number.
type findings struct {
	*numbering
	hits    []sessionHit
	touched []uint32
}

func (f *findings) hit(number uint32) *sessionHit {
	h := &f.hits[number]
	if !h.seen {
		h.seen = true
		f.touched = append(f.touched, number)
	}
	return h
}

// A Row is a line of the answer.
type Row struct {
	Ref     published.Ref   // the turn that is shown
	score   float64         // of the first stage
	best    rank.Best       // the best scores of the session's turns, this one's first
	Title   float64         // what the session's title scores
	Summary float64         // what its summaries score
	Record  bool            // matched by title or summary only
	near    float64         // how close to each other its words stand
	recency float64         // factor: of how old the turn is
	repeat  float64         // factor: of better rows with the same prompt
	Final   float64         // the score by which rows are in order; 0 where they are listed by time
	Texts   []shard.Passage // of the turn, where they were read already; good until the search is closed
}

// A ranked is a row of the first stage on its way through it, as small as it can
// be: of many only the first become rows.
type ranked struct {
	ref     docRef
	score   float64
	sites   sites
	hit     *sessionHit // of a session, good until the search is closed; nil for a turn
	updated int64       // of the turn, once somebody asked
	dated   bool
}

// record reports whether title or summary alone match.
func (r *ranked) record() bool { return r.hit != nil && r.hit.turns == 0 }

// time is when the turn's last event was. It lies somewhere in a large table, and
// many score the same: it is looked up once.
func (r *ranked) time() (int64, error) {
	if !r.dated {
		updated, err := r.ref.view.Updated(shard.Turn, r.ref.doc)
		if err != nil {
			return 0, err
		}
		r.updated, r.dated = updated, true
	}
	return r.updated, nil
}

func (r *ranked) row() Row {
	if r.hit == nil {
		return Row{Ref: r.ref.ref(), score: r.score, best: rank.Best{r.score}}
	}
	h := r.hit
	if r.record() {
		return Row{Ref: r.ref.ref(), score: r.score, Title: h.title, Summary: h.summary, Record: true}
	}
	return Row{Ref: r.ref.ref(), score: r.score, best: h.best, Title: h.title, Summary: h.summary}
}

// compareRanked is the order of the first stage, by which turns that score the
// same are told apart as in compareRefs.
func compareRanked(a, b *ranked) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	ta, errA := a.time()
	tb, errB := b.time()
	switch {
	case errA != nil || errB != nil:
		return 0
	case ta != tb:
		return cmp.Compare(tb, ta)
	}
	return compareKeys(a.ref, b.ref)
}
