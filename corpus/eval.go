package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// A Labelled is a query with the answers that people say are right.
type Labelled struct {
	ID       string        `json:"id"`
	Query    string        `json:"query"`
	Kind     string        `json:"kind"`
	Surface  surfaces.Name `json:"surface"` // "any" or "": all
	Project  string        `json:"project,omitempty"`
	Relevant []Label       `json:"relevant"`
}

// AsQuery returns the query, with its project and surface as filters.
func (l Labelled) AsQuery() Query {
	q := Query{Text: l.Query}
	if l.Project != "" {
		q.Filter.Projects = []string{l.Project}
	}
	if l.Surface != "" && l.Surface != "any" {
		q.Filter.Surfaces = []surfaces.Name{l.Surface}
	}
	return q
}

// A Label names a right answer: a session and, where known, the turn in it.
type Label struct {
	Session string `json:"session"`
	Turn    string `json:"turn,omitempty"`
}

// ReadLabelled reads labelled queries, one JSON object a line.
func ReadLabelled(r io.Reader) ([]Labelled, error) {
	var list []Labelled
	d := json.NewDecoder(r)
	for {
		var l Labelled
		switch err := d.Decode(&l); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("labelled query %d: %w", len(list)+1, err)
		case l.Query == "" || len(l.Relevant) == 0:
			return nil, fmt.Errorf("labelled query %d (%q): needs a query and a relevant answer", len(list)+1, l.ID)
		}
		list = append(list, l)
	}
}

// Hits says how often a right answer came how far up. Rates are 0 to 1.
type Hits struct {
	Queries int     `json:"queries"`
	At1     float64 `json:"hit1"`
	At3     float64 `json:"hit3"`
	At5     float64 `json:"hit5"`
	MRR     float64 `json:"mrr"`
}

// Scored is one kind of queries, by session and, for those that name turns, by
// turn.
type Scored struct {
	Kind    string `json:"kind,omitempty"` // "" for all together
	Session Hits   `json:"session"`
	Turn    Hits   `json:"turn"`
}

// A Miss is a query of which no right answer came first.
type Miss struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Query   string `json:"query"`
	Session int    `json:"session"` // rank of the first right session, 0: not among the first EvalDepth
	Turn    int    `json:"turn,omitempty"`
}

// Evaluation is the outcome of Evaluate.
type Evaluation struct {
	All    Scored   `json:"all"`
	Kinds  []Scored `json:"kinds"` // by name
	Misses []Miss   `json:"misses"`
}

// EvalDepth is how many rows of an answer Evaluate looks at.
const EvalDepth = rank.Depth

// Evaluate asks every query, once by session and once by turn.
func (c *Corpus) Evaluate(ctx context.Context, queries []Labelled) (*Evaluation, error) {
	s, err := c.acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	kinds := map[string]*Scored{}
	ev := &Evaluation{Misses: []Miss{}, Kinds: []Scored{}}
	for _, l := range queries {
		m := Miss{ID: l.ID, Kind: l.Kind, Query: l.Query}
		if m.Session, err = s.reached(ctx, c, l, BySession); err != nil {
			return nil, fmt.Errorf("query %s: %w", l.ID, err)
		}
		byTurn := slices.ContainsFunc(l.Relevant, func(a Label) bool { return a.Turn != "" })
		if byTurn {
			if m.Turn, err = s.reached(ctx, c, l, ByTurn); err != nil {
				return nil, fmt.Errorf("query %s: %w", l.ID, err)
			}
		}
		if kinds[l.Kind] == nil {
			kinds[l.Kind] = &Scored{Kind: l.Kind}
		}
		for _, sc := range []*Scored{&ev.All, kinds[l.Kind]} {
			sc.Session.count(m.Session)
			if byTurn {
				sc.Turn.count(m.Turn)
			}
		}
		if m.Session != 1 || byTurn && m.Turn != 1 {
			ev.Misses = append(ev.Misses, m)
		}
	}
	ev.All.rates()
	for _, sc := range kinds {
		sc.rates()
		ev.Kinds = append(ev.Kinds, *sc)
	}
	slices.SortFunc(ev.Kinds, func(a, b Scored) int { return strings.Compare(a.Kind, b.Kind) })
	return ev, nil
}

// reached is the rank of the first right answer, 0 when there is none.
func (s snapshot) reached(ctx context.Context, c *Corpus, l Labelled, g Group) (int, error) {
	q := l.AsQuery()
	q.Group, q.Limit = g, EvalDepth
	a, err := s.newAsk(c, q)
	if err != nil {
		return 0, err
	}
	defer a.release()
	rows, err := a.rows(ctx)
	if err != nil {
		return 0, err
	}
	for i, r := range rows {
		h, err := r.Ref.View.Head(shard.Turn, r.Ref.Doc)
		if err != nil {
			return 0, published.Damage(r.Ref.View.Name, err)
		}
		session, err := r.Ref.View.SessionKey(h.Session)
		if err != nil {
			return 0, published.Damage(r.Ref.View.Name, err)
		}
		turn, err := r.Ref.View.Key(shard.Turn, r.Ref.Doc)
		if err != nil {
			return 0, published.Damage(r.Ref.View.Name, err)
		}
		if slices.ContainsFunc(l.Relevant, func(a Label) bool {
			return g == BySession && a.Session == session || g == ByTurn && a.Turn != "" && a.Turn == turn
		}) {
			return i + 1, nil
		}
	}
	return 0, nil
}

func (h *Hits) count(rank int) {
	h.Queries++
	if rank == 0 {
		return
	}
	h.MRR += 1 / float64(rank)
	for _, at := range []struct {
		most int
		n    *float64
	}{{1, &h.At1}, {3, &h.At3}, {5, &h.At5}} {
		if rank <= at.most {
			*at.n++
		}
	}
}

// rates makes rates of counts.
func (s *Scored) rates() {
	for _, h := range []*Hits{&s.Session, &s.Turn} {
		if n := float64(h.Queries); n > 0 {
			h.At1, h.At3, h.At5, h.MRR = h.At1/n, h.At3/n, h.At5/n, h.MRR/n
		}
	}
}
