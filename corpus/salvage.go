package corpus

import (
	"encoding/json"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
)

// keyOf is the key of a document, from its row or what else tells it, and how
// many places a turn has.
func keyOf(k shard.Kind, ref published.Ref) (key signal.Hash, places int, ok bool) {
	h, err := ref.View.Head(k, ref.Doc)
	if k == shard.Session {
		return h.Key, 0, err == nil
	}
	m, merr := ref.Turn()
	if merr != nil {
		return h.Key, 0, err == nil
	}
	return signal.Of(m.ID), len(m.Places), true
}

// save takes what can be read of a damaged shard into another.
func (r *repairer) save(v *published.View) error {
	for _, k := range []shard.Kind{shard.Turn, shard.Session} {
		for doc := range uint32(v.Len(k)) {
			if !v.Live(k, doc) || r.isGone(v, k, doc) {
				continue
			}
			saved, err := r.saveOne(k, published.Ref{View: v, Doc: doc})
			switch {
			case err != nil:
				return err
			case k == shard.Turn && saved:
				r.rep.Saved++
			case k == shard.Turn:
				r.rep.Lost++
			}
		}
	}
	return nil
}

func (r *repairer) saveOne(k shard.Kind, ref published.Ref) (saved bool, err error) {
	doc, places, err := r.saver.author.again(k, ref, false)
	if err != nil && k == shard.Turn {
		doc, places, err = r.remains(ref)
	}
	if err != nil {
		return false, nil // this is what is lost
	}
	id := signal.Of(doc.Key)
	if k == shard.Turn {
		r.claim(r.saver, id, doc.Hash, places)
	} else {
		r.saver.claim(k, id, doc.Hash, nil)
	}
	if err := r.saver.add(doc); err != nil {
		return false, err
	}
	if r.saver.full() {
		return true, r.seal(r.saver)
	}
	return true, nil
}

// remains makes a turn of what can be read of it: its texts, with or without
// its row and its messages, which tell much the same times. Its hash is another,
// so that reading the transcript again, where it is there, puts everything back.
func (r *repairer) remains(ref published.Ref) (doc shard.Doc, places []stored.Place, err error) {
	m, err := ref.Turn()
	if err != nil {
		return doc, nil, err
	}
	ps, err := ref.View.Passages(shard.Turn, ref.Doc)
	if err != nil {
		return doc, nil, err
	}
	ms, _ := ref.Messages()
	h, err := ref.View.Head(shard.Turn, ref.Doc)
	if err != nil {
		h = headOf(m, ms)
	}
	h.Flags = h.Flags&(1<<stored.MessageShift-1) | uint32(len(ms))<<stored.MessageShift
	prompt, answer := m.Texts(ps)
	packed := stored.PackMessages(ms, prompt, answer)
	var sum signal.Sum
	sum.String("remains of " + m.ID)
	c := content{*m, ps, packed, sum.Hash(), h.Created, h.Updated, h.Flags}
	return r.saver.author.documentAsIs(&c), m.Places, nil
}

// headOf makes the row of a turn of what else is stored of it.
func headOf(m *stored.Turn, ms []segment.Message) shard.Head {
	t := segment.Turn{Tools: m.Tools, Abandoned: m.Abandoned, Generated: m.Generated}
	if !m.Partial {
		t.Summary = "there is one"
	}
	h := shard.Head{Flags: flagsOf(&t, len(m.Places)), Created: m.Places[0].Began, Updated: m.Places[0].Began}
	for i, one := range ms {
		if at := millis(one.Time); at > 0 && (i == 0 || at < h.Created) {
			h.Created = at
		}
		h.Updated = max(h.Updated, millis(one.Time))
	}
	return h
}

// renewRecords gives each session of which turns are left, and no record, one of what
// they tell of it. Its hash is another too: what the transcript says goes before it.
func (r *repairer) renewRecords() error {
	views := slices.Concat(r.sound, r.sealed)
	has := make(map[signal.Hash]bool)
	err := r.each(views, shard.Session, func(_ published.Ref, h shard.Head) error {
		has[h.Key] = true
		return nil
	})
	if err != nil {
		return err
	}
	return r.each(views, shard.Turn, func(ref published.Ref, h shard.Head) error {
		id, err := ref.View.SessionHash(h.Session)
		if err != nil || has[id] && h.Flags&stored.FlagCopied == 0 {
			return err
		}
		m, err := ref.Turn()
		if err != nil {
			return err
		}
		for _, at := range m.Places {
			if id := signal.Of(at.Session); !has[id] {
				has[id] = true
				if err := r.addRecord(id, m, at); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// each calls visit for every live document of a kind.
func (r *repairer) each(views []*published.View, k shard.Kind, visit func(published.Ref, shard.Head) error) error {
	for _, v := range views {
		for doc := range uint32(v.Len(k)) {
			if !v.Live(k, doc) || r.isGone(v, k, doc) {
				continue
			}
			h, err := v.Head(k, doc)
			if err == nil {
				err = visit(published.Ref{View: v, Doc: doc}, h)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addRecord makes a session's record of a turn that stands in it.
func (r *repairer) addRecord(id signal.Hash, m *stored.Turn, at stored.Place) error {
	session := stored.Session{ID: at.Session, Source: m.Source, Path: at.Path, Lane: m.Lane, Project: m.Project, Created: at.Began}
	meta, err := json.Marshal(session)
	if err != nil {
		return err
	}
	var sum signal.Sum
	sum.String("remains of " + at.Session)
	doc := recordDoc(&session, nil, meta, sum.Hash())
	r.saver.claim(shard.Session, id, doc.Hash, nil)
	return r.saver.add(doc)
}
