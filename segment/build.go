package segment

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hansard-search/hansard/sources"
)

// callText is how much of a call a message shows, in bytes.
const callText = 1024

// builder collects a turn, and after it the next: what it holds is used again.
type builder struct {
	t       Turn
	native  string // id of the prompt as it stands in the transcript
	said    []said
	texts   []text
	groups  []group
	byID    map[string]int // of groups
	id      string         // of the group met last, which is groups[at]
	at      int
	counts  map[string]int // of tools
	names   map[string]string
	run     int // counts the notifications that were answered or may be
	clock   int // counts events, to order groups by their last one
	stopped sources.Kind
	msgs    []Message
	dead    []bool // messages that fell away, as long as msgs
}

// said is what the human said: the prompt, then steering.
type said struct {
	text   string
	msg    int
	queued bool
}

// text is one text of the agent.
type text struct {
	text string
	msg  int
}

// group is one message of the agent's model. Its events need not stand together.
type group struct {
	run, last int
	texts     []int
	call      bool // it calls a tool, or says that it will
	usage     sources.Usage
}

// begin begins a turn with its prompt.
func (b *builder) begin(t Turn, e *sources.Event) {
	if b.byID == nil {
		b.byID, b.counts, b.names = map[string]int{}, map[string]int{}, map[string]string{}
	}
	clear(b.byID)
	clear(b.counts)
	clear(b.names)
	*b = builder{
		t: t, native: e.ID, byID: b.byID, counts: b.counts, names: b.names,
		said: b.said[:0], texts: b.texts[:0], groups: b.groups[:0], msgs: b.msgs[:0], dead: b.dead[:0],
	}
	b.human(e)
	widen(&b.t.Created, &b.t.Updated, e.Time)
}

// again tells whether a prompt is the one this turn began with.
func (b *builder) again(e *sources.Event) bool {
	return e.ID != "" && e.ID == b.native && e.Text == b.said[0].text
}

// add takes in what happened in the turn.
func (b *builder) add(e *sources.Event) {
	switch e.Kind {
	case sources.Steering:
		b.human(e)
	case sources.AssistantText, sources.Thinking, sources.ToolCall:
		b.agent(e)
	case sources.ToolResult:
		if e.Text != "" {
			b.message(Message{ToolUse, e.Time, cmp.Or(e.Tool.Name, b.names[e.Tool.ID]), e.Text})
		}
	case sources.Notification:
		b.run++
	case sources.Interrupt, sources.Failure:
		b.stopped = e.Kind
	case sources.TurnEnd:
		if b.stopped == sources.Other {
			b.stopped = e.Kind
		}
	default:
		return
	}
	widen(&b.t.Created, &b.t.Updated, e.Time)
}

func (b *builder) human(e *sources.Event) {
	b.said = append(b.said, said{e.Text, len(b.msgs), e.Flags&sources.Queued != 0})
	b.message(Message{Role: User, Time: e.Time, Text: e.Text})
}

func (b *builder) message(m Message) {
	b.msgs = append(b.msgs, m)
	b.dead = append(b.dead, false)
}

// agent takes in an event of one of the model's messages.
func (b *builder) agent(e *sources.Event) {
	b.stopped = sources.Other
	b.clock++
	g := b.group(e)
	g.run, g.last = b.run, b.clock
	if e.Usage != (sources.Usage{}) {
		g.usage = e.Usage
	}
	if e.Model != "" && !slices.Contains(b.t.Models, e.Model) {
		b.t.Models = append(b.t.Models, e.Model)
	}
	switch e.Kind {
	case sources.AssistantText:
		g.call = g.call || e.Flags&sources.Continues != 0
		b.text(g, e)
	case sources.ToolCall:
		g.call = true
		b.call(e)
	}
}

func (b *builder) group(e *sources.Event) *group {
	if len(b.groups) > 0 && e.Group != "" && e.Group == b.id {
		return &b.groups[b.at]
	}
	i, ok := b.byID[e.Group]
	if !ok || e.Group == "" {
		i = len(b.groups)
		b.groups = append(b.groups, group{})
		b.byID[e.Group] = i
	}
	b.id, b.at = e.Group, i
	return &b.groups[i]
}

// text keeps a text. One that begins with an earlier text of its message is a
// later snapshot of it, and takes its place.
func (b *builder) text(g *group, e *sources.Event) {
	words := strings.TrimSpace(e.Text)
	if words == "" {
		return
	}
	for _, i := range g.texts {
		if was := &b.texts[i]; strings.HasPrefix(words, was.text) {
			was.text = words
			b.msgs[was.msg].Text = words
			return
		}
	}
	g.texts = append(g.texts, len(b.texts))
	b.texts = append(b.texts, text{words, len(b.msgs)})
	b.message(Message{Role: Assistant, Time: e.Time, Text: words})
}

func (b *builder) call(e *sources.Event) {
	t := &e.Tool
	if t.ID != "" {
		if _, ok := b.names[t.ID]; ok {
			return // the same call in a later snapshot
		}
		b.names[t.ID] = t.Name
	}
	b.counts[t.Name]++
	for _, path := range append([]string{t.Path}, t.More...) {
		if path != "" && !slices.Contains(b.t.Paths, path) {
			b.t.Paths = append(b.t.Paths, path)
		}
	}
	if w := firstWord(t.Command); w != "" && !slices.Contains(b.t.Commands, w) {
		b.t.Commands = append(b.t.Commands, w)
	}
	if t.Text != "" {
		b.t.ToolTexts = append(b.t.ToolTexts, t.Text)
	}
	b.message(Message{Assistant, e.Time, t.Name, head(shown(t), callText)})
}

// shown is what a message shows of a call: the command, else the call as text
// without its name, else the path.
func shown(t *sources.Tool) string {
	if t.Command != "" {
		return t.Command
	}
	text := t.Text
	if rest, ok := strings.CutPrefix(text, "tool: "); ok && strings.HasPrefix(rest, t.Name) && strings.HasPrefix(rest[len(t.Name):], "\n") {
		text = rest[len(t.Name)+1:]
	}
	return cmp.Or(text, t.Path)
}

// build ends the turn; next is the prompt after it, "" at the end.
func (b *builder) build(next string) Turn {
	t := &b.t
	t.Prompt = b.prompt(next)
	t.Messages = make([]Message, 0, len(b.msgs))
	for i, m := range b.msgs {
		if !b.dead[i] {
			t.Messages = append(t.Messages, m)
		}
	}
	t.Texts = slices.Grow(t.Texts, len(b.texts))
	for _, x := range b.texts {
		t.Texts = append(t.Texts, x.text)
	}
	t.Summary = b.summary()
	if t.Summary == "" && len(b.texts) > 0 {
		t.Partial = b.texts[len(b.texts)-1].text
	}
	t.State = b.state()
	for i := range b.groups {
		t.Usage = t.Usage.Add(b.groups[i].usage)
	}
	for name, n := range b.counts {
		t.Tools = append(t.Tools, ToolCount{name, n})
	}
	slices.SortFunc(t.Tools, func(x, y ToolCount) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Name, y.Name))
	})
	return *t
}

// prompt joins what the human said. What is known only from a queue is left
// out where the same words follow: that line was written for it.
func (b *builder) prompt(next string) string {
	var parts []string
	for i, s := range b.said {
		if s.queued && b.repeated(i, next) {
			b.dead[s.msg] = true
			continue
		}
		parts = append(parts, s.text)
	}
	return strings.Join(parts, "\n\n")
}

func (b *builder) repeated(i int, next string) bool {
	words := folded(b.said[i].text)
	for _, later := range b.said[i+1:] {
		if folded(later.text) == words {
			return true
		}
	}
	return folded(next) == words
}

// firstWord is a shell command's name, behind assignments.
func firstWord(command string) string {
	for w := range strings.FieldsSeq(command) {
		if !strings.Contains(w, "=") {
			return w
		}
	}
	return ""
}

// head is the beginning of s, whole characters only.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// folded is s with its white space made alike.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// widen moves the ends of a span of time so that it holds t.
func widen(from, to *time.Time, t time.Time) {
	if t.IsZero() {
		return
	}
	if from.IsZero() || t.Before(*from) {
		*from = t
	}
	if t.After(*to) {
		*to = t
	}
}
