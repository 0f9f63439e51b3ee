package corpus

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// A shower finds in texts what an answer marks.
type shower struct {
	text *textReader    // nil where the query has no words
	re   *regexp.Regexp // nil but for regular expressions
	room []mark
}

// marks returns the places of a text that match. They are good until the next call.
func (s *shower) marks(text string) []mark {
	switch {
	case s.re != nil:
		var list []mark
		const most = 64 // more than any snippet holds of what is worth marking
		for _, m := range s.re.FindAllStringIndex(text, most) {
			if m[0] < m[1] {
				list = append(list, mark{start: m[0], end: m[1], weight: 1})
			}
		}
		return list
	case s.text != nil:
		s.room = marksOf(s.room[:0], s.text.matcher, text, s.text.word, s.text.weight)
		return s.room
	}
	return nil
}

func (s *shower) passage(text string) snippet { return bestPassage(text, s.marks(text), SnippetBytes) }

// answer makes hits of rows and says what was searched.
func (a *ask) answer(ctx context.Context, rows []row) (*Answer, error) {
	a.shown.text = a.search.text
	scope, err := a.scope(len(rows) == 0)
	if err != nil {
		return nil, err
	}
	ans := &Answer{Query: a.query.Text, Total: a.search.total, ResultCount: len(rows), Results: make([]Hit, len(rows)), Scope: *scope}
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

func (a *ask) hit(h *Hit, r *row) error {
	v := r.ref.view
	ps := r.texts
	if ps == nil {
		var err error
		if ps, err = v.Passages(shard.Turn, r.ref.doc); err != nil {
			return damage(v.name, err)
		}
	}
	meta, err := a.corpus.pools.shown.meta(r.ref)
	if err != nil {
		return err
	}
	var rec TurnRecord
	if err := a.search.snap.fill(&rec, r.ref, meta, ps); err != nil {
		return err
	}
	*h = Hit{
		SessionID: rec.SessionID, TurnID: rec.TurnID, Source: rec.Source, Lane: rec.Lane, Path: rec.Path,
		Project: rec.Project, Cwd: rec.Cwd, Branch: rec.Branch, Name: rec.Name, Score: r.final,
		Created: rec.Created, Updated: rec.Updated, Tools: make([]string, 0, len(rec.Tools)), Model: rec.Model, State: string(rec.State),
		Copies: rec.Places[1:], Missing: rec.Missing, Sample: a.corpus.Sample, Abandoned: rec.Abandoned,
	}
	for _, t := range rec.Tools {
		h.Tools = append(h.Tools, t.Name)
	}
	prompt, _ := beginning(rec.Prompt, SnippetBytes)
	summary, _ := beginning(orElse(rec.Summary, rec.Partial), SnippetBytes)
	h.Prompt, h.Summary = strings.Clone(prompt), strings.Clone(summary) // the row's texts are not the answer's
	name, text, err := a.matched(r, &rec, ps)
	if err != nil {
		return err
	}
	h.Surface = string(name)
	s := a.shown.passage(text)
	h.Snippet = s.marked()
	if len(s.spans) > 0 {
		h.Spans = make([][2]int, 0, len(s.spans))
	}
	for i, span := range s.spans {
		shift := 2 + 4*i // the marks before it
		h.Spans = append(h.Spans, [2]int{span[0] + shift, span[1] + shift})
	}
	if a.query.Explain {
		if h.Explain, err = a.search.explain(r); err != nil {
			return err
		}
	}
	if a.query.Window {
		err = a.window(h, name)
	}
	return err
}

// matched returns the surface that says most why a row is there, and its text;
// ps are the row's passages.
func (a *ask) matched(r *row, rec *TurnRecord, ps []shard.Passage) (surfaces.Name, string, error) {
	if r.record {
		if name, text, err := a.matchedRecord(r, rec); err != nil || name != "" {
			return name, text, err
		}
	}
	var scores []float64 // by lane
	if a.shown.re == nil && len(a.search.plan.words) > 0 {
		var err error
		if scores, err = a.search.laneScores(r.ref); err != nil {
			return "", "", err
		}
	}
	name, text, best := surfaces.UserPrompt, rec.Prompt, -1.0
	for _, p := range ps {
		score := 0.0
		if l := a.search.laneOf(p.Surface); l >= 0 && scores != nil {
			score = scores[l]
		}
		if a.shown.re != nil && a.shown.re.MatchString(p.Text) {
			score = 1
		}
		if score > best && a.search.plan.searched.Has(p.Surface) {
			name, text, best = p.Surface, p.Text, score
		}
	}
	return name, text, nil
}

// matchedRecord is matched for a row of which title or summary match.
func (a *ask) matchedRecord(r *row, rec *TurnRecord) (surfaces.Name, string, error) {
	if r.title == 0 && r.summary == 0 {
		return "", "", nil
	}
	want := surfaces.SessionTitle
	if r.summary > r.title {
		want = surfaces.SessionSummary
	}
	session := rec.SessionID
	ref, ok, err := a.search.snap.findSession(session)
	if err != nil || !ok {
		return "", "", err
	}
	ps, err := ref.view.Passages(shard.Session, ref.doc)
	if err != nil {
		return "", "", damage(ref.view.name, err)
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
	list, err := a.search.snap.standings(h.SessionID)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(list, func(t standing) bool { return t.meta.ID == h.TurnID })
	if n < 0 {
		return nil
	}
	h.MsgIdx = list[n].first
	own, err := list[n].ref.messages()
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
		ms, err := t.ref.messages()
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
