package corpus

import (
	"math"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// wordScores returns what each word gives a turn, through the given lanes only.
func (q *search) wordScores(ref docRef, use func(*lane) bool) ([]float64, error) {
	n := slices.Index(q.snap.views, ref.view)
	scores := make([]float64, len(q.plan.words))
	tools, err := ref.view.tooled()
	if err != nil {
		return nil, damage(ref.view.name, err)
	}
	tooled := 0
	if tools.has(ref.doc) {
		tooled = 1
	}
	for i := range q.plan.words {
		w, b := &q.plan.words[i], &q.bound[n][i]
		if b.days != nil {
			if b.days.Contains(ref.doc) {
				scores[i] = w.weight
			}
			continue
		}
		for g, lists := range b.lists {
			var x [slots]float64
			for k := range lists {
				l := &q.lanes[lists[k].lane]
				if !l.scored || !use(l) {
					continue
				}
				code, err := ref.view.Codes(l.surface).At(ref.doc)
				if err != nil {
					return nil, damage(ref.view.name, err)
				}
				x[l.slot] += float64(lists[k].p.Count(ref.doc)) * l.norms[tooled][code]
			}
			scores[i] += w.weight * (w.groups[g].share * rank.Saturate(joined(x[slotPrompt], x[slotAnswer], x[slotFull])))
		}
	}
	return scores, nil
}

// surfaceScores is what each surface alone would give a turn.
func (q *search) surfaceScores(ref docRef) (map[surfaces.Name]float64, error) {
	out := map[surfaces.Name]float64{}
	for i := range q.lanes {
		words, err := q.wordScores(ref, func(l *lane) bool { return l.surface == q.lanes[i].surface })
		if err != nil {
			return nil, err
		}
		for _, s := range words {
			out[q.lanes[i].surface] += s
		}
	}
	return out, nil
}

// explain lists the parts of a row's score: the words of its best turn, what
// holds it back, and what was added. Factors are listed with what they change.
func (q *search) explain(r *row) ([]Part, error) {
	if len(q.plan.words) == 0 || len(q.bound) == 0 {
		return nil, nil
	}
	var parts []Part
	add := func(what string, score float64) {
		if math.Abs(score) > 1e-9 { // less is how floats add up, not a part
			parts = append(parts, Part{what, score})
		}
	}
	if !r.record {
		words, err := q.wordScores(r.ref, func(*lane) bool { return true })
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for i, s := range words {
			add("word "+q.plan.words[i].text, s)
			sum += s
		}
		add("coverage", r.best[0]-sum)
		add("other turns", r.best.Support())
	}
	add("title", rank.SessionPart*r.title)
	add("summary", rank.SessionPart*r.summary)
	add("close together", rank.Near*r.near)
	whole := r.score + rank.Near*r.near
	if r.recency != 0 {
		add("recent", whole*(r.recency-1))
	}
	if r.repeat != 0 {
		add("repeated prompt", r.final-r.final/r.repeat)
	}
	return parts, nil
}

// findSession returns the live record of a session.
func (s *snapshot) findSession(id string) (docRef, bool, error) {
	return s.find(shard.Session, signal.Of(id))
}
