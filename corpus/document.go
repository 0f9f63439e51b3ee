package corpus

import (
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/redact"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// An author makes documents of turns and sessions: it redacts, asks the
// strategy for passages, hashes, and analyses. It belongs to one goroutine.
type author struct {
	strategy strategies.Strategy
	redactor redact.Redactor
	analyzer *terms.Analyzer // lent by the Indexer

	// Reused for the next turn:
	last     draft
	messages []stored.Message
	fields   []shard.Field
	tally    terms.Tally // of fields
	texts    []string    // of one surface
	facets   []shard.Facet
	meta     []byte
}

// maxPacked is how large the buffer of packed messages is kept: few turns need more.
const maxPacked = 1 << 20

// A draft is a turn with its passages and its change signal, before it is
// known whether it has to be written. Its texts are redacted.
type draft struct {
	turn     *segment.Turn
	passages []shard.Passage
	messages []byte
	hash     signal.Hash
	place    stored.Place
	only     [1]stored.Place // what decide returns of a turn that was never met
}

// draft prepares a turn that stands at the given place. The draft is good until
// the next call.
func (a *author) draft(t *segment.Turn, at stored.Place) *draft {
	a.redact(t)
	d := &a.last
	d.turn, d.passages, d.place = t, d.passages[:0], at
	if cap(d.messages) > maxPacked {
		d.messages = nil
	}
	for name, text := range a.strategy.Passages(*t) {
		if text != "" {
			d.passages = append(d.passages, shard.Passage{Surface: name, Text: text})
		}
	}
	a.messages = stored.KeptMessages(a.messages[:0], t.Messages, t.Prompt, t.Answer())
	d.messages = stored.AppendMessages(d.messages[:0], a.messages)
	d.hash = contentHash(a.strategy.Name(), d)
	return d
}

// redact replaces secrets in every text of a turn, before anything hashes,
// indexes or keeps it.
func (a *author) redact(t *segment.Turn) {
	clean := a.redactor.Text
	t.Prompt, t.Summary, t.Partial = clean(t.Prompt), clean(t.Summary), clean(t.Partial)
	for i, s := range t.Texts {
		t.Texts[i] = clean(s)
	}
	for i, s := range t.ToolTexts {
		t.ToolTexts[i] = clean(s)
	}
	t.Project, t.Cwd, t.Branch = clean(t.Project), clean(t.Cwd), clean(t.Branch)
	for i, s := range t.Paths {
		t.Paths[i] = clean(s)
	}
	for i, s := range t.Commands {
		t.Commands[i] = clean(s)
	}
	for i := range t.Messages {
		m := &t.Messages[i]
		m.Text = clean(m.Text)
		for _, s := range []string{t.Prompt, t.Summary} { // once in memory, as it was
			if m.Text == s {
				m.Text = s
			}
		}
	}
}

// contentHash is the change signal of a turn: everything an export or a window
// shows of it and the id of the strategy. Titles, file times, places and
// positions are not in it: they change without the turn.
func contentHash(strategy string, d *draft) signal.Hash {
	var s signal.Sum
	t := d.turn
	s.String(strategy)
	for _, p := range d.passages {
		s.String(string(p.Surface))
		s.String(p.Text)
	}
	s.String(string(t.State))
	s.String(t.Prompt)
	s.String(t.Summary)
	s.String(t.Partial)
	for _, v := range []string{t.Source, string(t.Lane), t.Project, t.Cwd, t.Branch} {
		s.String(v)
	}
	for _, v := range [][]string{t.Models, t.Paths, t.Commands} {
		s.Strings(v)
	}
	for _, tool := range t.Tools {
		s.String(tool.Name)
		s.Int(int64(tool.Count))
	}
	for _, v := range []int64{t.Usage.Input, t.Usage.Output, t.Usage.CacheRead, t.Usage.CacheWrite,
		millis(t.Created), millis(t.Updated), int64(flagsOf(t, 0))} {
		s.Int(v)
	}
	s.Int(int64(signal.Sum64(d.messages)))
	return s.Hash()
}

// A content is what a turn's document is made of. That of a draft has no places yet.
type content struct {
	meta             stored.Turn
	passages         []shard.Passage
	messages         []byte
	hash             signal.Hash
	created, updated int64
	flags            uint32
}

// content is a draft's, with its passages and messages. It keeps nothing of the turn
// that is used again.
func (d *draft) content() content {
	t := d.turn
	m := stored.Turn{
		ID: t.ID, Source: t.Source, Lane: t.Lane, Project: t.Project, Cwd: t.Cwd, Branch: t.Branch,
		Models: t.Models, State: t.State, Tools: t.Tools, Paths: t.Paths, Commands: t.Commands,
		Usage: t.Usage, Partial: t.Summary == "" && t.Partial != "", Abandoned: t.Abandoned, Generated: t.Generated,
	}
	keepTexts(&m, d)
	return content{m, d.passages, d.messages, d.hash, millis(t.Created), millis(t.Updated), flagsOf(t, 0)}
}

// keepTexts keeps prompt and answer where no passage holds them as they are,
// which is so for strategies that leave a surface out or change its text.
func keepTexts(m *stored.Turn, d *draft) {
	has := func(name surfaces.Name, text string) bool {
		return text == "" || slices.Contains(d.passages, shard.Passage{Surface: name, Text: text})
	}
	if !has(surfaces.UserPrompt, d.turn.Prompt) {
		m.Prompt = d.turn.Prompt
	}
	if !has(surfaces.AssistantSummary, d.turn.Answer()) {
		m.Answer = d.turn.Answer()
	}
}

// document makes the document of a content that stands at the given places, the
// first of which it was taken from. Its meta, facets and fields are valid until the
// next call.
func (a *author) document(c *content, places []stored.Place) shard.Doc {
	c.meta.Places, c.flags = places, placeFlags(c.flags, places)
	return a.documentAsIs(c)
}

// documentAsIs is document at the places that the content has, with its flags.
func (a *author) documentAsIs(c *content) shard.Doc {
	a.meta = stored.AppendTurn(a.meta[:0], &c.meta)
	return shard.Doc{
		Kind: shard.Turn, Key: c.meta.ID, Session: c.meta.Places[0].Session, Hash: c.hash,
		Created: c.created, Updated: c.updated, Flags: c.flags,
		Passages: c.passages, Meta: a.meta, Messages: c.messages,
		Facets: a.turnFacets(&c.meta, c.created, c.updated), Fields: a.analyse(c.passages),
	}
}

// placeFlags are a turn's flags at the given places.
func placeFlags(flags uint32, places []stored.Place) uint32 {
	if len(places) > 1 {
		return flags | stored.FlagCopied
	}
	return flags &^ stored.FlagCopied
}

// analyse turns passages into fields, one a surface; those of one surface stand
// together. The result is valid until the next call.
func (a *author) analyse(ps []shard.Passage) []shard.Field {
	t := &a.tally
	a.fields, t.Counts, t.Marks = a.fields[:0], t.Counts[:0], t.Marks[:0]
	for len(ps) > 0 {
		f := shard.Field{Surface: ps[0].Surface}
		a.texts = a.texts[:0]
		for ; len(ps) > 0 && ps[0].Surface == f.Surface; ps = ps[1:] {
			a.texts = append(a.texts, ps[0].Text)
		}
		counts, marks := len(t.Counts), len(t.Marks)
		f.Length, f.Vocabulary = a.analyzer.CountAll(a.texts, t)
		f.Counts = t.Counts[counts:len(t.Counts):len(t.Counts)]
		f.Marks = t.Marks[marks:len(t.Marks):len(t.Marks)]
		f.Code = rank.LengthCode(f.Length)
		a.fields = append(a.fields, f)
	}
	return a.fields
}

// turnFacets is valid until the next call.
func (a *author) turnFacets(m *stored.Turn, created, updated int64) []shard.Facet {
	fs := a.facets[:0]
	add := func(name, value string) {
		if f := (shard.Facet{Name: name, Value: value}); value != "" && !slices.Contains(fs, f) {
			fs = append(fs, f)
		}
	}
	add(stored.FacetSource, m.Source)
	add(stored.FacetLane, string(m.Lane))
	add(stored.FacetProject, m.Project)
	add(stored.FacetCwd, m.Cwd)
	add(stored.FacetBranch, m.Branch)
	add(stored.FacetDay, dayOf(updated))
	add(stored.FacetBegan, dayOf(created))
	for _, v := range m.Models {
		add(stored.FacetModel, v)
	}
	for _, v := range m.Tools {
		add(stored.FacetTool, v.Name)
	}
	for _, v := range m.Paths {
		add(stored.FacetPath, v)
	}
	for _, v := range m.Commands {
		add(stored.FacetCommand, v)
	}
	a.facets = appendPlaceFacets(fs, m.Places)
	return a.facets
}

// appendPlaceFacets adds what is known of a turn by its places.
func appendPlaceFacets(fs []shard.Facet, places []stored.Place) []shard.Facet {
	for _, v := range places {
		if f := (shard.Facet{Name: stored.FacetSession, Value: v.Session}); v.Session != "" && !slices.Contains(fs, f) {
			fs = append(fs, f)
		}
	}
	if len(places) > 1 {
		fs = append(fs, shard.Facet{Name: stored.FacetCopied, Value: "1"})
	}
	return fs
}

func flagsOf(t *segment.Turn, places int) uint32 {
	flags := uint32(min(len(t.Messages), stored.MaxMessages)) << stored.MessageShift
	set := func(on bool, bit uint32) {
		if on {
			flags |= bit
		}
	}
	set(len(t.Tools) > 0, stored.FlagTools)
	set(t.Abandoned, stored.FlagAbandoned)
	set(t.Summary == "", stored.FlagPartial)
	set(places > 1, stored.FlagCopied)
	set(t.Generated, stored.FlagGenerated)
	return flags
}

// dayOf is the value of a day's facet. Values sort as days do.
func dayOf(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.DateOnly) }
