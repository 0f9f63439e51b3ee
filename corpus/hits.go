package corpus

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/snippet"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// SnippetBytes is the most bytes a snippet may have, marks not counted: what an
// agent can afford to read of one message among sixteen.
const SnippetBytes = 1024

// A shower finds in texts what an answer marks.
type shower struct {
	matcher *terms.Matcher // nil where the query has no words
	word    []int          // of the query, by target
	weight  []float64      // by word
	re      *regexp.Regexp // nil but for regular expressions
	room    []snippet.Mark
}

// marks returns the places of a text that match. They are good until the next call.
func (s *shower) marks(text string) []snippet.Mark {
	switch {
	case s.re != nil:
		var list []snippet.Mark
		const most = 64 // more than any snippet holds of what is worth marking
		for _, m := range s.re.FindAllStringIndex(text, most) {
			if m[0] < m[1] {
				list = append(list, snippet.Mark{Start: m[0], End: m[1], Weight: 1})
			}
		}
		return list
	case s.matcher != nil:
		s.room = snippet.Marks(s.room[:0], s.matcher, text, s.word, s.weight)
		return s.room
	}
	return nil
}

func (s *shower) passage(text string) snippet.Snippet {
	return snippet.Best(text, s.marks(text), SnippetBytes)
}

// answer makes hits of rows and says what was searched.
func (a *ask) answer(ctx context.Context, rows []search.Row) (*Answer, error) {
	a.shown.matcher, a.shown.word, a.shown.weight = a.search.Matcher()
	scope, err := a.scope(len(rows) == 0)
	if err != nil {
		return nil, err
	}
	ans := &Answer{Query: a.query.Text, Total: a.search.Total, ResultCount: len(rows), Results: make([]Hit, len(rows)), Scope: *scope}
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := a.hit(&ans.Results[i], &rows[i]); err != nil {
			return nil, err
		}
	}
	return ans, nil
}

func (a *ask) hit(h *Hit, r *search.Row) error {
	v := r.Ref.View
	ps := r.Texts
	if ps == nil {
		var err error
		if ps, err = v.Passages(shard.Turn, r.Ref.Doc); err != nil {
			return published.Damage(v.Name, err)
		}
	}
	meta, err := a.corpus.shown.meta(r.Ref)
	if err != nil {
		return err
	}
	var rec TurnRecord
	if err := a.snap.fill(&rec, r.Ref, meta, ps); err != nil {
		return err
	}
	h.take(&rec)
	h.Score, h.Sample = r.Final, a.corpus.Sample
	name, text, err := a.matched(r, &rec, ps)
	if err != nil {
		return err
	}
	h.Surface = string(name)
	s := a.shown.passage(text)
	h.Snippet, h.Spans = s.Marked(), s.MarkedSpans()
	if a.query.Explain {
		if err := a.search.Explain(r, func(what string, score float64) { h.Explain = append(h.Explain, Part{what, score}) }); err != nil {
			return err
		}
	}
	if a.query.Window {
		err = a.window(h, name)
	}
	return err
}

// take fills in what the turn says, whatever matched.
func (h *Hit) take(rec *TurnRecord) {
	*h = Hit{
		SessionID: rec.SessionID, TurnID: rec.TurnID, Source: rec.Source, Lane: rec.Lane, Path: rec.Path,
		Project: rec.Project, Cwd: rec.Cwd, Branch: rec.Branch, Name: rec.Name,
		Created: rec.Created, Updated: rec.Updated, Tools: make([]string, 0, len(rec.Tools)), Model: rec.Model, State: string(rec.State),
		Copies: rec.Places[1:], Missing: rec.Missing, Abandoned: rec.Abandoned,
	}
	for _, t := range rec.Tools {
		h.Tools = append(h.Tools, t.Name)
	}
	prompt, _ := snippet.Beginning(rec.Prompt, SnippetBytes)
	summary, _ := snippet.Beginning(cmp.Or(rec.Summary, rec.Partial), SnippetBytes)
	h.Prompt, h.Summary = strings.Clone(prompt), strings.Clone(summary) // the row's texts are not the answer's
}

// matched returns the surface that says most why a row is there, and its text;
// ps are the row's passages.
func (a *ask) matched(r *search.Row, rec *TurnRecord, ps []shard.Passage) (surfaces.Name, string, error) {
	if r.Record {
		if name, text, err := a.matchedRecord(r, rec); err != nil || name != "" {
			return name, text, err
		}
	}
	var scores search.SurfaceScores
	if a.shown.re == nil && a.search.HasWords() {
		var err error
		if scores, err = a.search.BySurface(r.Ref); err != nil {
			return "", "", err
		}
	}
	name, text, best := surfaces.UserPrompt, rec.Prompt, -1.0
	for _, p := range ps {
		score := scores.Of(p.Surface)
		if a.shown.re != nil && a.shown.re.MatchString(p.Text) {
			score = 1
		}
		if score > best && a.kept.Has(p.Surface) {
			name, text, best = p.Surface, p.Text, score
		}
	}
	return name, text, nil
}

// matchedRecord is matched for a row of which title or summary match.
func (a *ask) matchedRecord(r *search.Row, rec *TurnRecord) (surfaces.Name, string, error) {
	if r.Title == 0 && r.Summary == 0 {
		return "", "", nil
	}
	want := surfaces.SessionTitle
	if r.Summary > r.Title {
		want = surfaces.SessionSummary
	}
	session := rec.SessionID
	ref, ok, err := a.snap.Find(shard.Session, signal.Of(session))
	if err != nil || !ok {
		return "", "", err
	}
	ps, err := ref.View.Passages(shard.Session, ref.Doc)
	if err != nil {
		return "", "", published.Damage(ref.View.Name, err)
	}
	text, most := "", -1
	for _, p := range ps {
		if n := len(a.shown.marks(p.Text)); p.Surface == want && n > most {
			text, most = p.Text, n
		}
	}
	return want, text, nil
}

// window puts messages around the one that matches into a hit.
func (a *ask) window(h *Hit, name surfaces.Name) error {
	list, err := a.snap.standings(h.SessionID)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(list, func(t standing) bool { return t.meta.ID == h.TurnID })
	if n < 0 {
		return nil
	}
	h.MsgIdx = list[n].first
	own, err := list[n].ref.Messages()
	if err != nil {
		return err
	}
	total := list[len(list)-1].first + list[len(list)-1].messages
	from, to := windowBounds(list[n].first+a.messageOf(own, name), a.query.Before, a.query.After, total)
	h.Window = []WindowItem{}
	for _, t := range list {
		lo, hi := max(from-t.first, 0), min(to-t.first, t.messages)
		if lo >= hi {
			continue
		}
		ms, err := t.ref.Messages()
		if err != nil {
			return err
		}
		hi = min(hi, len(ms))
		if lo < hi {
			h.Window = append(h.Window, windowItems(ms[lo:hi], t.first+lo, a.shown.passage)...)
		}
	}
	return nil
}

// messageOf is the index of the message, among a turn's, in which a surface's
// match stands: the prompt, the answer, or the first of the others that matches.
func (a *ask) messageOf(ms []segment.Message, name surfaces.Name) int {
	said := func(m segment.Message) bool { return m.Role == segment.Assistant && m.Tool == "" }
	switch name {
	case surfaces.AssistantSummary:
		for i := len(ms) - 1; i >= 0; i-- {
			if said(ms[i]) {
				return i
			}
		}
	case surfaces.AssistantFull, surfaces.ToolCalls:
		best, most := 0, 0
		for i, m := range ms {
			if said(m) == (name == surfaces.AssistantFull) && m.Role != segment.User {
				if n := len(a.shown.marks(m.Text)); n > most {
					best, most = i, n
				}
			}
		}
		return best
	}
	return 0
}
