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

// A textReader finds the query's words in stored text. It is for one goroutine.
type textReader struct {
	matcher *terms.Matcher
	word    []int     // by target
	weight  []float64 // by word
	at      [][]int   // places by word, reused
}

// textReader makes a reader of the plan's words, once their weights are known.
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
	t.matcher = terms.NewMatcher(pl.analyzer, targets)
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
// a negative limit), and drops the others. It reads texts only while a row that
// was not read yet could still come into those.
func (q *search) order(ctx context.Context, rows []row, limit int) ([]row, error) {
	deep := rows[:min(q.depth, len(rows))]
	for i := range rows[len(deep):] {
		rows[len(deep)+i].final = rows[len(deep)+i].score
	}
	want := len(deep)
	if limit >= 0 {
		want = min(want, limit)
	}
	left := make([]*row, len(deep))
	for i := range deep {
		q.bounded(&deep[i])
		left[i] = &deep[i]
	}
	slices.SortStableFunc(left, func(a, b *row) int { return cmp.Compare(b.most, a.most) })
	q.text = q.plan.textReader()
	finals := rank.Top[float64]{Most: want, Better: func(a, b *float64) int { return cmp.Compare(*b, *a) }}
	var read []*row
	for _, r := range left {
		// Without regard to repeated prompts first: settling takes time.
		if want == 0 || finals.Full() && *finals.Worst() >= r.most && finalOrder(read)[want-1].final >= r.most {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := q.finish(r); err != nil {
			return nil, err
		}
		read = append(read, r)
		finals.Add(r.unrepeated)
	}
	var out []row
	for _, r := range finalOrder(read) {
		out = append(out, *r)
	}
	if len(read) == len(deep) {
		out = append(out, rows[len(deep):]...)
	}
	if limit >= 0 {
		out = out[:min(limit, len(out))]
	}
	return out, nil
}

// bounded sets the most that a row's final score can be: as if the pairs of
// which it has both words stood side by side, and it were of today.
func (q *search) bounded(r *row) {
	near := 0.0
	if !r.record && len(q.plan.pairs) > 0 {
		n := slices.Index(q.snap.views, r.ref.view)
		for i := range q.plan.pairs {
			p := &q.plan.pairs[i]
			if q.bound[n][p.First].holds(r.ref.doc) && q.bound[n][p.Second].holds(r.ref.doc) {
				near += p.Weight
			}
		}
	}
	r.most = (r.score + rank.Near*near) * rank.RecencyMost
}

// holds reports whether a document may have the word: it is not asked of words
// that stand for many.
func (b *boundWord) holds(doc uint32) bool {
	lists := firstGroup(b.lists)
	if len(lists) > 8 {
		return true
	}
	for i := range lists {
		if lists[i].p.Contains(doc) {
			return true
		}
	}
	return false
}

// finish adds what the stored text and the time of a row say.
func (q *search) finish(r *row) error {
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
			r.near = max(r.near, q.text.closeness(q.plan.pairs, p.Text))
		}
	}
	const day = 24 * 60 * 60 * 1000
	r.recency = rank.Recency(float64(q.snap.man.IndexedAt-h.Updated) / day)
	r.unrepeated = (r.score + rank.Near*r.near) * r.recency
	return nil
}

// finalOrder puts rows in their final order, in place: repeated prompts held back,
// then by score, time and id.
func finalOrder(rows []*row) []*row {
	byFinal := func(a, b *row) int {
		return cmp.Or(cmp.Compare(b.final, a.final), compareRefs(a.ref, b.ref))
	}
	for _, r := range rows {
		r.final = r.unrepeated
	}
	slices.SortFunc(rows, byFinal)
	before := map[signal.Hash]int{}
	for _, r := range rows {
		r.repeat = 1
		if !r.prompt.IsZero() {
			r.repeat = rank.Repeated(before[r.prompt])
			before[r.prompt]++
		}
		r.final *= r.repeat
	}
	slices.SortFunc(rows, byFinal)
	return rows
}
