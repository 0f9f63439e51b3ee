package corpus

import (
	"context"
	"errors"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/sources"
)

// Removal is what Prune and Forget did, or would do.
type Removal struct {
	Preset   string           `json:"preset"`
	DryRun   bool             `json:"dryRun"` // nothing was changed
	Sessions []RemovedSession `json:"sessions"`
	Turns    int              `json:"turns"` // that leave the corpus
	Bytes    int64            `json:"bytes"` // of shards: freed, or about what would be
}

// A RemovedSession is a session that leaves the corpus. A turn that stands in
// another session as well stays there.
type RemovedSession struct {
	SessionID string `json:"sessionId"`
	Project   string `json:"project,omitempty"`
	Lane      string `json:"lane"`
	Newest    Time   `json:"newest,omitzero"` // its last turn's last event
	Turns     int    `json:"turns"`           // that stand in it
}

// A surveyed is a session as a removal sees it.
type surveyed struct {
	RemovedSession
	parent string
	bytes  int64 // about what it takes in shards
}

// survey looks at every session of what is published.
func (s snapshot) survey() (map[string]*surveyed, error) {
	all := make(map[string]*surveyed)
	at := func(id string) *surveyed {
		if all[id] == nil {
			all[id] = &surveyed{RemovedSession: RemovedSession{SessionID: id}}
		}
		return all[id]
	}
	for _, v := range s.Views {
		each := s.Entry(v.Name).Size / int64(max(1, v.Len(shard.Turn)+v.Len(shard.Session)))
		for doc := range v.LiveTurns(nil).All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			m, err := published.Ref{View: v, Doc: doc}.Turn()
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			for _, p := range m.Places {
				one := at(p.Session)
				one.Turns++
				one.bytes += each
				if newest := fromMillis(h.Updated); newest.After(one.Newest.Time) {
					one.Newest = newest
				}
			}
		}
		for doc := range uint32(v.Len(shard.Session)) {
			if !v.Live(shard.Session, doc) {
				continue
			}
			m, err := published.Ref{View: v, Doc: doc}.Session()
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			one := at(m.ID)
			one.Project, one.Lane, one.parent = m.Project, string(m.Lane), m.Parent
		}
	}
	return all, nil
}

// withAgents are the chosen sessions, their sub-agents, and theirs, the oldest first.
func withAgents(all map[string]*surveyed, chosen map[string]bool) (list []*surveyed) {
	for grew := true; grew; {
		grew = false
		for id, s := range all {
			if !chosen[id] && s.Lane == string(sources.Subagent) && chosen[s.parent] {
				chosen[id], grew = true, true
			}
		}
	}
	for id := range chosen {
		list = append(list, all[id])
	}
	slices.SortFunc(list, olderFirst)
	return list
}

// A removal takes sessions out of the published index, in one publication.
type removal struct {
	*run
	chosen  map[string]bool // sessions that go
	forget  bool            // every byte goes, and what was copied loses the place too
	b       *builder
	rewrite map[*published.View]bool // shards to be written again without what is gone
	again   map[string]bool          // paths of transcripts to be read again
	vanish  map[string]bool          // transcripts in the table: whether they are gone; nil: not looked up
	turns   int
}

// remove publishes the index without the chosen sessions, unless it is to be
// dry. It returns how many turns leave the corpus.
func (ix *Indexer) remove(ctx context.Context, m *removal, dry bool, prepare func(*removal)) (turns int, err error) {
	r := ix.begin(SyncOptions{})
	m.run, m.rewrite, m.again = r, map[*published.View]bool{}, map[string]bool{}
	m.b = r.newBuilder()
	err = r.protected(func() error {
		if err := m.mark(ctx); err != nil || dry {
			return err
		}
		if prepare != nil {
			prepare(m)
		}
		return m.publish()
	})
	r.end()
	if err != nil {
		return 0, errors.Join(err, ix.reload())
	}
	return m.turns, nil
}

// mark retires documents and writes again what only loses a place.
func (m *removal) mark(ctx context.Context) error {
	standing := make(map[string]bool) // chosen sessions of which a turn stays
	for _, v := range m.base.Views {
		if err := ctx.Err(); err != nil {
			return err
		}
		for doc := range uint32(v.Len(shard.Turn)) {
			if err := m.turn(published.Ref{View: v, Doc: doc}, standing); err != nil {
				return err
			}
		}
	}
	for _, v := range m.base.Views {
		for doc := range uint32(v.Len(shard.Session)) {
			meta, err := published.Ref{View: v, Doc: doc}.Session()
			if err != nil {
				return published.Damage(v.Name, err)
			}
			if !m.chosen[meta.ID] || standing[meta.ID] {
				continue
			}
			m.rewrite[v] = m.rewrite[v] || m.forget || v.Live(shard.Session, doc)
			if v.Live(shard.Session, doc) {
				m.retire(shard.Session, signal.Of(meta.ID), &sighting{ref: published.Ref{View: v, Doc: doc}})
			}
		}
	}
	return nil
}

// turn deals with one document of a turn, which may be gone already: then its
// bytes are still in the shard.
func (m *removal) turn(ref published.Ref, standing map[string]bool) error {
	v := ref.View
	meta, err := ref.Turn()
	if err != nil {
		return published.Damage(v.Name, err)
	}
	stay := slices.DeleteFunc(slices.Clone(meta.Places), func(p stored.Place) bool { return m.chosen[p.Session] })
	if len(stay) == len(meta.Places) {
		return nil
	}
	live := v.Live(shard.Turn, ref.Doc)
	if len(stay) > 0 && !m.forget {
		for _, p := range meta.Places {
			standing[p.Session] = standing[p.Session] || live
		}
		return nil
	}
	m.rewrite[v] = m.rewrite[v] || m.forget || live
	if !live {
		return nil
	}
	m.turns++
	m.retire(shard.Turn, signal.Of(meta.ID), &sighting{ref: ref})
	if len(stay) == 0 {
		return nil
	}
	return m.keepElsewhere(ref, meta, stay)
}

// keepElsewhere keeps a turn in the places that it has beside those forgotten.
// Its text may be that of a forgotten place: then it is read again from another
// where that is still there, and only otherwise stays as it is.
func (m *removal) keepElsewhere(ref published.Ref, meta *stored.Turn, stay []stored.Place) error {
	if m.chosen[meta.Places[0].Session] {
		found := false
		for _, p := range stay {
			if m.there(p.Path) {
				m.again[p.Path], found = true, true
			}
		}
		if found {
			return nil
		}
	}
	arrange(stay)
	doc, err := m.b.author.moved(ref, stay)
	if err != nil {
		return err
	}
	m.turns--
	m.claim(m.b, signal.Of(meta.ID), doc.Hash, stay)
	return m.b.add(doc)
}

// there reports whether a transcript can be read again, as far as the last run knows.
func (m *removal) there(path string) bool {
	if m.vanish == nil {
		m.vanish = make(map[string]bool)
		for row := range m.ix.table.All() {
			m.vanish[row.Path] = row.Flags&transcripts.Gone != 0
		}
	}
	gone, known := m.vanish[path]
	return known && !gone
}

// publish writes the shards again and publishes them. The ledger goes first: it
// would say of what was removed that it is there.
func (m *removal) publish() error {
	ix := m.ix
	if err := ix.removeLedger(); err != nil {
		return err
	}
	if err := m.seal(m.b); err != nil {
		return err
	}
	var entries []manifest.Shard
	for _, v := range m.base.Views {
		e, err := m.written(v)
		if err != nil {
			return err
		}
		if e != nil {
			entries = append(entries, *e)
		}
	}
	added, err := m.entriesOf(m.sealed)
	if err != nil {
		return err
	}
	m.man.Shards = slices.Concat(entries, added)
	m.countRedacted()
	return m.commit(m.man)
}

// written is the line of a shard, written again where it has to be; nil when
// nothing of it is left.
func (m *removal) written(v *published.View) (*manifest.Shard, error) {
	e, err := m.entryOf(v)
	if err != nil || e == nil || !m.rewrite[v] {
		return e, err
	}
	h, err := m.ix.mergeInto(published.ShardName(&m.next), m.inputs([]*published.View{v}))
	if err != nil {
		return nil, err
	}
	defer h.Release()
	return newEntry(h, published.Gone{})
}
