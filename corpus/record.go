package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// record makes the session record of a session: its title and summaries, with
// what filters and families need. Its hash leaves out what changes with every
// turn (last activity, counts), so that growth touches no record.
func (a *author) record(s segment.Session, path string) (shard.Doc, error) {
	if an, ok := a.strategy.(strategies.Annotator); ok {
		s = an.Annotate(s)
	}
	s.Project = a.redactor.Text(s.Project)
	m := stored.Session{
		ID: s.ID, Source: s.Source, Path: path, Lane: s.Lane, Project: s.Project,
		Parent: parentID(s.Parent), Links: s.Links, Created: millis(s.Created),
	}
	for i := range s.Titles {
		s.Titles[i] = a.redactor.Text(s.Titles[i])
	}
	for i := range s.Summaries {
		v := &s.Summaries[i]
		v.Text = a.redactor.Text(v.Text)
		m.Summaries = append(m.Summaries, stored.Summary{Kind: v.Kind, Time: millis(v.Time), Offset: v.Offset, After: v.After})
	}
	ps := a.sessionPassages(s)
	meta, err := json.Marshal(m)
	if err != nil {
		return shard.Doc{}, fmt.Errorf("session %s: %w", s.ID, err)
	}
	return recordDoc(&m, ps, meta, recordHash(a.strategy.Name(), meta, ps)), nil
}

// recordDoc assembles a session record, but for its fields.
func recordDoc(m *stored.Session, ps []shard.Passage, meta []byte, hash signal.Hash) shard.Doc {
	d := shard.Doc{
		Kind: shard.Session, Key: m.ID, Session: m.ID, Hash: hash,
		Created: m.Created, Updated: m.Created, Passages: ps, Meta: meta,
		Facets: []shard.Facet{{Name: stored.FacetSource, Value: m.Source}, {Name: stored.FacetLane, Value: string(m.Lane)}},
	}
	if m.Parent != "" {
		d.Facets = append(d.Facets, shard.Facet{Name: stored.FacetParent, Value: m.Parent})
	}
	return d
}

// sessionPassages asks the strategy for titles and summaries. Where it emits
// no summaries although the session has some, the texts are kept nowhere.
func (a *author) sessionPassages(s segment.Session) []shard.Passage {
	ss, ok := a.strategy.(strategies.SessionStrategy)
	if !ok {
		return nil
	}
	var ps []shard.Passage
	for _, want := range []surfaces.Name{surfaces.SessionTitle, surfaces.SessionSummary} {
		for name, text := range ss.SessionPassages(s) {
			if name == want && text != "" {
				ps = append(ps, shard.Passage{Surface: name, Text: text})
			}
		}
	}
	return ps
}

func recordHash(strategy string, meta []byte, ps []shard.Passage) signal.Hash {
	var s signal.Sum
	s.String(strategy)
	s.String(string(meta))
	for _, p := range ps {
		s.String(string(p.Surface))
		s.String(p.Text)
	}
	return s.Hash()
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// putRecord writes the session's record when it differs from the one there is.
func (r *run) putRecord(b *builder, s segment.Session, path string) error {
	doc, write, err := r.decideRecord(b, s, path)
	if err != nil || !write {
		return err
	}
	doc.Fields = b.author.analyse(doc.Passages)
	return b.add(doc)
}

// decideRecord makes the record and claims it in b when it has to be written.
// Of two transcripts of one session the first by path speaks for it.
func (r *run) decideRecord(b *builder, s segment.Session, path string) (doc shard.Doc, write bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := signal.Of(s.ID)
	e, err := r.locate(shard.Session, id)
	if err != nil {
		return doc, false, err
	}
	if e != nil && e.slot == nil {
		elsewhere, err := r.carryOver(&s, path, e.ref)
		if err != nil || elsewhere {
			return doc, false, err
		}
	}
	if doc, err = b.author.record(s, path); err != nil {
		return doc, false, err
	}
	switch {
	case e == nil:
		r.report.RecordsAdded++
		if err := r.replace(b, shard.Session, id, nil); err != nil {
			return doc, false, err
		}
	case e.hash == doc.Hash:
		return doc, false, nil
	default:
		if e.slot == nil && !slices.Contains(r.sealed, e.ref.View) {
			r.report.RecordsChanged++
		}
		if err := r.replace(b, shard.Session, id, e); err != nil {
			return doc, false, err
		}
	}
	b.claim(shard.Session, id, doc.Hash, nil)
	return doc, true, nil
}

// carryOver completes a session that was read on from the record there is: the
// texts of summaries that stand before the place where reading began. It reports
// whether the record speaks for another transcript of the same session, which
// then stays.
func (r *run) carryOver(s *segment.Session, path string, ref published.Ref) (elsewhere bool, err error) {
	m, err := ref.Session()
	if err != nil {
		return false, err
	}
	if m.Path != path && m.Path < path && !r.vanished[m.Path] {
		return true, nil
	}
	ps, err := ref.View.Passages(shard.Session, ref.Doc)
	if err != nil {
		return false, published.Damage(ref.View.Name, err)
	}
	texts := make(map[int64]string)
	for i, p := range slices.DeleteFunc(ps, func(p shard.Passage) bool { return p.Surface != surfaces.SessionSummary }) {
		if i < len(m.Summaries) {
			texts[m.Summaries[i].Offset] = p.Text
		}
	}
	for i := range s.Summaries {
		if v := &s.Summaries[i]; v.Text == "" {
			v.Text = texts[v.Offset]
		}
	}
	for _, v := range m.Summaries {
		if v.Kind == strategies.SynopsisKind { // in no transcript: it goes from record to record
			s.Summaries = append(s.Summaries, segment.Summary{
				Kind: v.Kind, Time: fromMillis(v.Time).Time, Offset: v.Offset, After: v.After, Text: texts[v.Offset]})
		}
	}
	return false, nil
}
