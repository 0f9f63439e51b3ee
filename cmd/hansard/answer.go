package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

// An answerPage is the answer to a search: a block a hit, or what to loosen.
type answerPage struct {
	*corpus.Answer
	group   corpus.Group
	samples bool
	explain bool
}

func (p answerPage) data() any { return p.Answer }

func (p answerPage) text(s *screen) {
	if p.samples {
		s.put("Samples, because no agent has left a transcript here yet:")
	}
	if len(p.Results) == 0 {
		p.nothing(s)
		return
	}
	of, noun := p.Scope.Sessions, safe("session")
	if p.group == corpus.ByTurn {
		of, noun = p.Scope.Turns, "turn"
	}
	s.put(num(p.Total), " of ", count(of, noun), " match ", s.bold(p.query()), p.shown())
	p.asides(s)
	best := p.Results[0].Score
	for i := range p.Results {
		s.put()
		hitBlock{&p.Results[i], i + 1, best, p.explain}.text(s)
	}
}

// query is what was asked, or the beginning of it: somebody may paste a file.
func (p answerPage) query() safe { return fit(line(p.Query), 200) }

func (p answerPage) shown() safe {
	if p.ResultCount == p.Total {
		return ""
	}
	first := safe(", the best ")
	if p.Results[0].Score == 0 { // listed by their time
		first = ", the newest "
	}
	return first + num(p.ResultCount) + ":"
}

// asides are what the reader should know about the answer as a whole.
func (p answerPage) asides(s *screen) {
	for _, wrong := range slices.Sorted(maps.Keys(p.Scope.Repaired)) {
		s.put(s.dim("read " + line(wrong) + " as " + line(p.Scope.Repaired[wrong])))
	}
	if len(p.Scope.UnknownWords) > 0 {
		s.put(s.dim("nowhere in the index: " + fit(list(", ", lines(p.Scope.UnknownWords)...), 200)))
	}
	if p.Scope.Refresh == corpus.RefreshLocked {
		s.put(s.dim("another process is indexing, so the newest turns may be missing"))
	}
	s.lacks(p.Scope.Damaged)
}

// nothing says what was searched, so that nobody takes silence for proof.
func (p answerPage) nothing(s *screen) {
	sc := p.Scope
	s.put("Nothing found for ", p.query())
	p.asides(s)
	s.put()
	var removed safe
	if sc.RemovedByFilters > 0 {
		removed = ", which removed " + count(sc.RemovedByFilters, "match")
	}
	filters := filterText(s, sc.Filters)
	if filters != "" {
		filters += removed
	}
	fresh := map[string]safe{
		corpus.RefreshDone: "brought up to date for this search", corpus.RefreshSkipped: "not brought up to date for this search",
		corpus.RefreshLocked: "being written by another process",
	}[sc.Refresh]
	if !sc.IndexedAt.IsZero() {
		fresh = list(", ", fresh, "last change "+s.date(sc.IndexedAt.Time))
	}
	searched := list(", by ", count(sc.Turns, "turn")+" of "+count(sc.Sessions, "session")+" in "+line(sc.Preset), list(", ", lines(sc.Surfaces)...))
	s.rows(
		"searched", searched,
		"filters", filters,
		"index", fresh,
		"try", list("; ", lines(sc.Loosen)...),
	)
}

func filterText(s *screen, filters map[string]any) safe {
	var parts []safe
	for _, k := range slices.Sorted(maps.Keys(filters)) {
		parts = append(parts, line(k)+" "+s.filterValue(filters[k]))
	}
	return list(", ", parts...)
}

func (s *screen) filterValue(v any) safe {
	switch v := v.(type) {
	case corpus.Time:
		return s.stamp(v.Time)
	case []string:
		return list(" or ", lines(v)...)
	case []surfaces.Name:
		return list(" or ", lines(v)...)
	}
	return line(fmt.Sprint(v))
}

// A hitBlock is one hit with its number and the best score of the answer.
type hitBlock struct {
	*corpus.Hit
	number  int
	best    float64
	explain bool
}

func (h hitBlock) text(s *screen) {
	number := safe(fmt.Sprintf("%2d  ", h.number))
	s.put(number, s.bold(fit(cmp.Or(line(h.Name), line(h.Prompt)), max(s.width-4, 40))))
	s.para(4, s.dim(list(" · ", short(h.Project), line(h.Branch), s.date(h.Created.Time), h.relative(), line(h.Surface), h.state())))
	h.quote(s)
	for _, w := range h.Window {
		windowLine(s, w)
	}
	if h.explain {
		for _, part := range h.Explain {
			s.put(s.dim(safe(fmt.Sprintf("    %8.3f  ", part.Score)) + line(part.What)))
		}
	}
	show := s.showing(h.TurnID)
	if strings.Contains(h.TurnID, " ") { // to be copied, it stays on one line
		s.put("    ", s.dim(show))
		show = ""
	}
	s.para(4, s.dim(list(" · ", show, "session\u00a0"+line(h.SessionID), h.alsoIn())))
}

func (h hitBlock) relative() safe {
	if h.best <= 0 {
		return ""
	}
	return safe(fmt.Sprintf("%.2f", h.Score/h.best))
}

// state is said only where it is not the ordinary one.
func (h hitBlock) state() safe {
	return list(" · ", unless(h.State, "final"), unless(h.Lane, "main"), gone(h.Missing),
		when(h.Sample, "sample"), when(h.Abandoned, "on an abandoned branch"))
}

// unless is a word that is not the usual one.
func unless(word, usual string) safe { return when(word != usual, line(word)) }

// when is text where it applies, else nothing.
func when(applies bool, text safe) safe {
	if applies {
		return text
	}
	return ""
}

// gone is said of what can no longer be read where it was said.
func gone(missing bool) safe { return when(missing, "transcript gone") }

func (h hitBlock) alsoIn() safe {
	if len(h.Copies) == 0 {
		return ""
	}
	return "also in " + list(", ", lines(h.Copies)...)
}

// quote shows question and answer, the matched one as its snippet. A match
// elsewhere (title, full text, tools) stands between them.
func (h hitBlock) quote(s *screen) {
	text, spans := excerpt(h.Snippet, h.Spans, 3*max(s.width-6, 20)) // three rows
	snippet := marked(s, text, spans)
	asked, answered := fit(line(h.Prompt), 2*(s.width-6)), fit(line(h.Summary), 2*(s.width-6))
	switch surfaces.Name(h.Surface) {
	case surfaces.UserPrompt:
		asked, snippet = snippet, ""
	case surfaces.AssistantSummary:
		answered, snippet = snippet, ""
	case surfaces.SessionTitle:
		snippet = "" // it is the headline already
	}
	if asked != "" {
		s.item(4, "? ", asked)
	}
	if snippet != "" {
		s.item(4, "… ", snippet)
	}
	if answered != "" {
		s.item(4, "> ", answered)
	}
}

// windowLine is the beginning of a message near the match.
func windowLine(s *screen, w corpus.WindowItem) {
	who := line(w.Role)
	if w.ToolName != "" {
		who += " " + line(w.ToolName)
	}
	mark := safe(fmt.Sprintf("%4d  ", w.MsgIdx)) + who + "  "
	s.item(4, s.dim(mark), s.dim(fit(line(w.Snippet), 2*max(s.width-4-width(string(mark)), 20))))
}
