package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

// What a model reads: the answer first, then what it rests on, then how to read on.

const (
	lineBytes   = 500 // of an answer or a question in a list of hits
	aroundBytes = 240 // of a message in an excerpt; the data has all of its 1,024
)

func (s *Server) sayAnswer(a *corpus.Answer, turns bool, since string) string {
	var b strings.Builder
	if len(a.Results) == 0 {
		s.sayNothing(&b, a)
		if since != "all" && since != "" {
			fmt.Fprintf(&b, "Sessions before %s are not indexed unless they were once; hansard index --since all adds them.\n", since)
		}
		return b.String()
	}
	of, noun := a.Scope.Sessions, "sessions"
	if turns {
		of, noun = a.Scope.Turns, "turns"
	}
	first := "best"
	if a.Results[0].Score == 0 { // listed by their time
		first = "newest"
	}
	fmt.Fprintf(&b, "%d of %d %s match; the %s %d follow, as quotations from old transcripts.\n", a.Total, of, noun, first, len(a.Results))
	if a.Results[0].Sample {
		b.WriteString("These are built-in samples: no agent has left a transcript on this machine yet.\n")
	}
	sayAsides(&b, a)
	for i := range a.Results {
		s.sayHit(&b, i+1, &a.Results[i])
	}
	return b.String()
}

func sayAsides(b *strings.Builder, a *corpus.Answer) {
	for _, wrong := range slices.Sorted(maps.Keys(a.Scope.Repaired)) {
		fmt.Fprintf(b, "Read %q as %q.\n", wrong, a.Scope.Repaired[wrong])
	}
	if len(a.Scope.UnknownWords) > 0 {
		fmt.Fprintf(b, "Nowhere in the index: %s.\n", short(strings.Join(a.Scope.UnknownWords, ", "), lineBytes))
	}
	if a.Scope.Refresh == corpus.RefreshLocked {
		b.WriteString("Another process is indexing, so the newest turns may be missing.\n")
	}
	for _, d := range a.Scope.Damaged {
		fmt.Fprintf(b, "Damaged, and left out: %s (hansard check tells more).\n", d)
	}
}

// sayNothing says what was searched, so that silence is not taken for proof.
func (s *Server) sayNothing(b *strings.Builder, a *corpus.Answer) {
	sc := a.Scope
	fmt.Fprintf(b, "Nothing found for %q in %s of %s.\n", short(a.Query, lineBytes), count(sc.Turns, "turn"), count(sc.Sessions, "session"))
	sayAsides(b, a)
	if sc.Refresh == corpus.RefreshSkipped {
		fmt.Fprintf(b, "The index was not brought up to date for this: what came after %s may be missing.\n", s.day(sc.IndexedAt))
	}
	if len(sc.Filters) > 0 {
		fmt.Fprintf(b, "The filters (%s) removed %s.\n", s.sayFilters(sc.Filters), matches(sc.RemovedByFilters))
	}
	if len(sc.Loosen) > 0 {
		fmt.Fprintf(b, "Try: %s.\n", short(strings.Join(sc.Loosen, "; "), 2*lineBytes))
	}
}

func (s *Server) sayFilters(filters map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		parts = append(parts, name+": "+s.sayFilter(filters[name]))
	}
	return strings.Join(parts, "; ")
}

func (s *Server) sayFilter(v any) string {
	switch v := v.(type) {
	case corpus.Time:
		return s.day(v)
	case []string:
		return strings.Join(v, " or ")
	case []surfaces.Name:
		return strings.Trim(fmt.Sprint(v), "[]") // words of ours
	}
	return fmt.Sprint(v)
}

func (s *Server) sayHit(b *strings.Builder, n int, h *corpus.Hit) {
	fmt.Fprintf(b, "\n%d. %s\n", n, facts(h.Name, h.Project, h.Branch, s.day(h.Created), h.Surface, aside(h)))
	say(b, "Concluded", h.Summary)
	say(b, "Asked", h.Prompt)
	if s := surfaces.Name(h.Surface); s != surfaces.UserPrompt && s != surfaces.AssistantSummary {
		say(b, "Matched", h.Snippet)
	}
	for _, w := range h.Window {
		who := w.Role
		if w.ToolName != "" {
			who += " " + w.ToolName
		}
		fmt.Fprintf(b, "   [%d] %s: %s\n", w.MsgIdx, who, short(w.Snippet, aroundBytes))
	}
	from := h.MsgIdx
	if len(h.Window) > 0 {
		from = h.Window[0].MsgIdx
	}
	fmt.Fprintf(b, "   turn %s; read on: list_messages {\"id\": %q, \"offset\": %d}\n", h.TurnID, h.SessionID, from)
}

func aside(h *corpus.Hit) string {
	var parts []string
	if h.State != "final" {
		parts = append(parts, h.State)
	}
	if h.Lane != "main" {
		parts = append(parts, h.Lane)
	}
	if h.Abandoned {
		parts = append(parts, "on an abandoned branch")
	}
	return strings.Join(parts, ", ")
}

func say(b *strings.Builder, label, text string) {
	if text != "" {
		fmt.Fprintf(b, "   %s: %s\n", label, short(text, lineBytes))
	}
}

// facts joins what is there.
func facts(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, " · ")
}

// short is a text on one line, cut between characters.
func short(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " ..."
}

func matches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// count is a number and its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func (s *Server) day(t corpus.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.Now().Location()).Format("2006-01-02 15:04")
}

func (s *Server) saySession(r *corpus.SessionRecord) string {
	title := r.Name
	if title == "" {
		title = "(no title) " + short(cmp.Or(r.Asked, r.Summary), lineBytes)
	}
	when := s.day(r.Created)
	if end := s.day(r.Updated); end != when {
		when += " to " + end
	}
	return facts(title, r.Project, when, count(r.Turns, "turn")+", "+count(r.Messages, "message"), r.Source,
		"session "+r.SessionID)
}

func (s *Server) sayList(l *corpus.SessionList) string {
	if l.Total == 0 {
		return "No session passes. Without filters: list_sessions {}"
	}
	var b strings.Builder
	if len(l.Sessions) == 0 {
		return fmt.Sprintf("No sessions from %d on: there are %d.\n", l.Offset, l.Total)
	}
	fmt.Fprintf(&b, "%s, newest first.\n", count(l.Total, "session"))
	for i := range l.Sessions {
		fmt.Fprintf(&b, "%d. %s\n", l.Offset+i+1, s.saySession(&l.Sessions[i]))
	}
	if next := l.Offset + len(l.Sessions); next < l.Total {
		fmt.Fprintf(&b, "%d more: offset %d\n", l.Total-next, next)
	}
	return b.String()
}

func (s *Server) sayMessages(p *messagePage) string {
	var b strings.Builder
	b.WriteString(s.saySession(&p.Session) + "\n")
	if len(p.Messages) == 0 {
		fmt.Fprintf(&b, "No messages from %d on: the session has %d.\n", p.Offset, p.Total)
	}
	for _, m := range p.Messages {
		who := m.Role
		if m.Tool != "" {
			who += " " + m.Tool
		}
		at := ""
		if !m.Time.IsZero() {
			at = " " + m.Time.In(s.Now().Location()).Format(time.DateTime)
		}
		fmt.Fprintf(&b, "\n[%d] %s%s\n%s\n", m.MsgIdx, who, at, m.Text)
	}
	if p.NextTextOffset > 0 {
		fmt.Fprintf(&b, "\nThis message goes on: list_messages {\"id\": %q, \"offset\": %d, \"text_offset\": %d}\n", p.Session.SessionID, p.Offset, p.NextTextOffset)
	}
	if p.NextOffset > 0 {
		fmt.Fprintf(&b, "\n%d more: list_messages {\"id\": %q, \"offset\": %d}\n", p.Total-p.NextOffset, p.Session.SessionID, p.NextOffset)
	}
	return b.String()
}

func (s *Server) sayStatus(st *corpus.Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s", count(st.Turns, "turn"), count(st.Sessions, "session"))
	if !st.Oldest.IsZero() {
		fmt.Fprintf(&b, ", from %s to %s", s.day(st.Oldest), s.day(st.Newest))
	}
	fmt.Fprintf(&b, "; index last changed %s.\n", s.day(st.IndexedAt))
	for _, src := range st.Sources {
		fmt.Fprintf(&b, "%s: %s in %s\n", src.Name, count(src.Transcripts, "transcript"), src.Root)
	}
	for _, f := range st.Surfaces {
		fmt.Fprintf(&b, "surface %s: %d\n", f.Name, f.Documents)
	}
	return b.String()
}

func (s *Server) sayMemory(m *memoryAnswer, a *corpus.Answer) string {
	var b strings.Builder
	if len(m.Results) == 0 {
		s.sayNothing(&b, a)
		return b.String()
	}
	fmt.Fprintf(&b, "%d of %d entries match; the best %d follow.\n", m.Total, a.Scope.Turns, len(m.Results))
	sayAsides(&b, a)
	for i, t := range m.Results {
		fmt.Fprintf(&b, "\n%d. %s\n%s\n%s\n", i+1, facts(t.Path, t.Name, s.day(t.Updated)), t.Prompt, t.Summary)
	}
	return b.String()
}
