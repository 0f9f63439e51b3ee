package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A reader of texts finds the query's words in stored text. It is for one
// goroutine.
type textReader struct {
	analyzer terms.Analyzer
	matcher  *terms.Matcher
	word     []int     // by target
	weight   []float64 // by word
	at       [][]int   // places by word, reused
}

func (pl *plan) textReader() *textReader {
	t := &textReader{at: make([][]int, len(pl.words))}
	var targets []terms.Target
	for i := range pl.words {
		w := &pl.words[i]
		t.weight = append(t.weight, w.weight)
		if len(w.groups) == 0 {
			continue
		}
		exact := w.groups[len(w.groups)-1].keys[0]
		for _, key := range w.groups[0].keys {
			target := terms.Target{Term: key, Exact: exact}
			if form, marked := terms.Form(key); marked || len(w.groups[0].keys) > 1 {
				target = terms.Target{Term: form, Prefix: true}
			}
			targets = append(targets, target)
			t.word = append(t.word, i)
		}
	}
	t.matcher = terms.NewMatcher(&t.analyzer, targets)
	return t
}

// closeness is how close to each other the pairs' words stand in a text.
func (t *textReader) closeness(pairs []rank.Pair, text string) float64 {
	for i := range t.at {
		t.at[i] = t.at[i][:0]
	}
	t.matcher.Scan(text, func(f terms.Match) bool {
		w := t.word[f.Target]
		if n := len(t.at[w]); n == 0 || t.at[w][n-1] < f.Pos {
			t.at[w] = append(t.at[w], f.Pos)
		}
		return true
	})
	return rank.Closeness(pairs, t.at)
}

// order puts the first rows in their final order, as far as limit rows (all for
// a negative limit), and drops the others. It reads texts only while a row
// further down could still come into those.
func (q *search) order(ctx context.Context, rows []row, limit int) ([]row, error) {
	deep := rows[:min(rank.Depth, len(rows))]
	for i := range rows[len(deep):] {
		rows[len(deep)+i].final = rows[len(deep)+i].score
	}
	want := len(deep)
	if limit >= 0 {
		want = min(want, limit)
	}
	most := rank.Near * rank.ClosenessMost(q.plan.pairs)
	t := q.plan.textReader()
	read := 0
	for ; read < len(deep); read++ {
		// Sorting what was read each time would cost more than reading a few more.
		if read >= want && (read-want)%8 == 0 {
			if want == 0 || q.settle(deep[:read])[want-1].final >= (deep[read].score+most)*rank.RecencyMost {
				break
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := q.finish(&deep[read], t); err != nil {
			return nil, err
		}
	}
	out := q.settle(deep[:read])
	if read == len(deep) {
		out = append(out, rows[len(deep):]...)
	}
	if limit >= 0 {
		out = out[:min(limit, len(out))]
	}
	return out, nil
}

// finish adds what the stored text and the time of a row say.
func (q *search) finish(r *row, t *textReader) error {
	v := r.ref.view
	h, err := v.Head(shard.Turn, r.ref.doc)
	if err != nil {
		return damage(v.name, err)
	}
	ps, err := v.Passages(shard.Turn, r.ref.doc)
	if err != nil {
		return damage(v.name, err)
	}
	for _, p := range ps {
		if p.Surface == surfaces.UserPrompt {
			r.prompt = signal.Of(strings.Join(strings.Fields(strings.ToLower(p.Text)), " "))
		}
		if !r.record && len(q.plan.pairs) > 0 && q.plan.searched.Has(p.Surface) {
			r.near = max(r.near, t.closeness(q.plan.pairs, p.Text))
		}
	}
	const day = 24 * 60 * 60 * 1000
	r.recency = rank.Recency(float64(q.snap.man.IndexedAt-h.Updated) / day)
	r.final = (r.score + rank.Near*r.near) * r.recency
	return nil
}

// settle returns a copy of rows in their final order: repeated prompts held
// back, then by score, time and id.
func (q *search) settle(rows []row) []row {
	out := slices.Clone(rows)
	byFinal := func(a, b row) int {
		return cmp.Or(cmp.Compare(b.final, a.final), compareRefs(a.ref, b.ref))
	}
	slices.SortFunc(out, byFinal)
	before := map[signal.Hash]int{}
	for i := range out {
		r := &out[i]
		r.repeat = 1
		if !r.prompt.IsZero() {
			r.repeat = rank.Repeated(before[r.prompt])
			before[r.prompt]++
		}
		r.final *= r.repeat
	}
	slices.SortFunc(out, byFinal)
	return out
}
