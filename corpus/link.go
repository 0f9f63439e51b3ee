package corpus

import (
	"encoding/json"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// link makes one family of sessions that go on in another transcript after a
// compaction: the newer one names the entry it continues, and that entry is the
// last of the older one. Either may be read first, so every run looks again at
// what is still without a parent.
func (r *run) link() error {
	if r.ix.table.Staged() == 0 {
		return nil
	}
	var ends map[string]string // last entry -> session
	var b *builder
	for row := range r.ix.table.Loose() {
		if ends == nil {
			ends = r.lastEntries()
		}
		i := slices.IndexFunc(row.Links, func(id string) bool { return ends[id] != "" && ends[id] != row.Session })
		if i < 0 {
			continue
		}
		if b == nil {
			b = r.newBuilder()
		}
		linked := *row
		linked.Parent = ends[row.Links[i]]
		r.stage(&linked)
		if err := r.adopt(b, row.Session, linked.Parent); err != nil {
			return err
		}
	}
	if b == nil {
		return nil
	}
	r.putStaged()
	return r.seal(b)
}

// lastEntries maps the last entry of each transcript to its session.
func (r *run) lastEntries() map[string]string {
	ends := make(map[string]string, r.ix.table.Len())
	for row := range r.ix.table.All() {
		if row.LastEntry != "" && row.Session != "" {
			ends[row.LastEntry] = row.Session
		}
	}
	return ends
}

// adopt writes a session's record again, with a parent.
func (r *run) adopt(b *builder, session, parent string) error {
	id := signal.Of(session)
	e, err := r.locate(shard.Session, id)
	if err != nil || e == nil {
		return err
	}
	s, err := readRaw(shard.Session, e.ref)
	if err != nil {
		return err
	}
	m, err := stored.UnpackSession(s.meta)
	if err != nil {
		return err
	}
	m.Parent = parent
	if s.meta, err = json.Marshal(m); err != nil {
		return err
	}
	doc := recordDoc(m, s.passages, s.meta, recordHash(r.ix.cfg.Strategy.Name(), s.meta, s.passages))
	doc.Fields = b.author.analyse(s.passages)
	r.retire(shard.Session, id, e)
	b.claim(shard.Session, id, doc.Hash, nil)
	return b.add(doc)
}
