package corpus

import (
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
