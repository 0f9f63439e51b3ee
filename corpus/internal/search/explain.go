package search

import (
	"math"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/surfaces"
)

// A scoredTurn is what scores of a turn are computed from, beside postings.
type scoredTurn struct {
	docRef
	bound  []boundWord // of its view
	tooled int         // index of a lane's norms
	codes  []uint8     // by lane
}

func (q *Search) scoredTurn(ref docRef) (t scoredTurn, err error) {
	t = scoredTurn{docRef: ref, bound: q.bound[slices.Index(q.snap.views, ref.view)], codes: make([]uint8, len(q.lanes))}
	tools, err := ref.view.tooled()
	if err != nil {
		return t, published.Damage(ref.view.Name, err)
	}
	if tools.has(ref.doc) {
		t.tooled = 1
	}
	for l := range q.lanes {
		if t.codes[l], err = ref.view.Codes(q.lanes[l].surface).At(ref.doc); err != nil {
			return t, published.Damage(ref.view.Name, err)
		}
	}
	return t, nil
}

// occurrences is what a list's word counts in the turn, 0 in lanes that do not score.
func (q *Search) occurrences(t *scoredTurn, l *list) float64 {
	lane := &q.lanes[l.lane]
	if t.codes[l.lane] == 0 || !lane.scored {
		return 0
	}
	count := l.p.Count
	if few, ok := q.orderRoom().fewDocs(&l.p); ok {
		count = few.count
	}
	return float64(count(t.doc)) * lane.norms[t.tooled][t.codes[l.lane]]
}

// wordScores returns what each word gives a turn.
func (q *Search) wordScores(ref docRef) ([]float64, error) {
	t, err := q.scoredTurn(ref)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, len(q.plan.Words))
	for i := range q.plan.Words {
		w, b := &q.plan.Words[i], &t.bound[i]
		if b.days != nil {
			if b.days.Contains(ref.doc) {
				scores[i] = w.Weight
			}
			continue
		}
		for g, lists := range b.lists {
			var x [slots]float64
			for k := range lists {
				x[q.lanes[lists[k].lane].slot] += q.occurrences(&t, &lists[k])
			}
			scores[i] += w.Weight * (w.Groups[g].Share * rank.Saturate(joined(x[slotPrompt], x[slotAnswer], x[slotFull])))
		}
	}
	return scores, nil
}

// A SurfaceScores is what each surface alone would give a turn. The zero value says 0
// of all.
type SurfaceScores struct {
	lanes  []lane
	scores []float64 // by lane
}

// Of is what a surface gives; 0 for one that is of sessions, or was not searched.
func (s SurfaceScores) Of(name surfaces.Name) float64 {
	if l := laneOf(s.lanes, name); l >= 0 {
		return s.scores[l]
	}
	return 0
}

// BySurface scores a turn of the rows by each surface alone.
func (q *Search) BySurface(ref published.Ref) (s SurfaceScores, err error) {
	t, err := q.scoredTurn(q.snap.docRef(ref))
	if err != nil {
		return s, err
	}
	n := len(q.lanes)
	room := make([]float64, 3*n)
	scores, word, x := room[:n:n], room[n:2*n], room[2*n:]
	for i := range q.plan.Words {
		w, b := &q.plan.Words[i], &t.bound[i]
		clear(word)
		for g, lists := range b.lists {
			clear(x)
			for k := range lists {
				x[lists[k].lane] += q.occurrences(&t, &lists[k])
			}
			for l := range word {
				word[l] += w.Weight * (w.Groups[g].Share * rank.Saturate(x[l]))
			}
		}
		for l := range scores {
			if b.days != nil && b.days.Contains(t.doc) {
				word[l] = w.Weight
			}
			scores[l] += word[l]
		}
	}
	return SurfaceScores{q.lanes, scores}, nil
}

// Explain tells the parts of a row's score: the words of its best turn, what
// holds it back, and what was added. Factors are told with what they change.
func (q *Search) Explain(r *Row, tell func(what string, score float64)) error {
	if len(q.plan.Words) == 0 || len(q.bound) == 0 {
		return nil
	}
	add := func(what string, score float64) {
		if math.Abs(score) > 1e-9 { // less is how floats add up, not a part
			tell(what, score)
		}
	}
	if !r.Record {
		words, err := q.wordScores(q.snap.docRef(r.Ref))
		if err != nil {
			return err
		}
		sum := 0.0
		for i, s := range words {
			add("word "+q.plan.Words[i].Text, s)
			sum += s
		}
		add("coverage", r.best[0]-sum)
		add("other turns", r.best.Support())
	}
	add("title", rank.SessionPart*r.Title)
	add("summary", max(rank.SessionPart*r.Summary-r.best[0]-r.best.Support(), 0)) // where it says more
	add("close together", rank.Near*r.near)
	whole := r.score + rank.Near*r.near
	if r.recency != 0 {
		add("recent", whole*(r.recency-1))
	}
	if r.repeat != 0 {
		add("repeated prompt", r.Final-r.Final/r.repeat)
	}
	return nil
}
