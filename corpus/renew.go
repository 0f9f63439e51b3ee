package corpus

import (
	"encoding/json"
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// renew writes every document again, from its stored text, when it was made by
// another version of the words' analysis or of the secrets' rules. It needs no
// transcript, so it reaches the turns too whose transcript is gone.
func (r *run) renew() error {
	was := r.base.Manifest.Params
	analysis, redaction := was.Terms != r.man.Params.Terms, was.Redaction != r.man.Params.Redaction
	if len(r.base.Views) == 0 || !analysis && !redaction {
		return nil
	}
	b := r.newBuilder()
	for _, v := range r.base.Views {
		for _, k := range []shard.Kind{shard.Turn, shard.Session} {
			for doc := range uint32(v.Len(k)) {
				if !v.Live(k, doc) {
					continue
				}
				if err := r.renewOne(b, k, published.Ref{View: v, Doc: doc}, redaction); err != nil {
					return fmt.Errorf("renewing %s: %w", v.Name, err)
				}
			}
		}
	}
	return nil
}

func (r *run) renewOne(b *builder, k shard.Kind, ref published.Ref, redaction bool) error {
	doc, places, err := b.author.again(k, ref, redaction)
	if err != nil {
		return err
	}
	r.mu.Lock()
	id := signal.Of(doc.Key)
	r.retire(k, id, &sighting{ref: ref})
	if k == shard.Turn {
		r.claim(b, id, doc.Hash, places)
	} else {
		b.claim(k, id, doc.Hash, nil)
	}
	r.mu.Unlock()
	if err := b.add(doc); err != nil {
		return err
	}
	if b.full() {
		return r.seal(b)
	}
	return nil
}

// again makes a document anew from what is stored of it. Where new rules
// redact something the content hash becomes another: it no longer is what was
// read, and reading the transcript again settles it.
func (a *author) again(k shard.Kind, ref published.Ref, redaction bool) (doc shard.Doc, places []stored.Place, err error) {
	s, err := readRaw(k, ref)
	if err != nil {
		return doc, nil, err
	}
	before := a.redacted()
	if redaction {
		for i := range s.passages {
			s.passages[i].Text = a.redactor.Text(s.passages[i].Text)
		}
		s.messages = a.redactMessages(s.messages)
	}
	hash := s.head.Hash
	if k == shard.Session {
		m, err := stored.UnpackSession(s.meta)
		if err != nil {
			return doc, nil, err
		}
		doc = recordDoc(m, s.passages, s.meta, hash)
		doc.Fields = a.analyse(s.passages)
		return doc, nil, nil
	}
	m, err := stored.UnpackTurn(s.meta)
	if err != nil {
		return doc, nil, err
	}
	if redaction {
		a.redactMeta(m)
	}
	if a.redacted() != before {
		var sum signal.Sum
		sum.String(string(hash[:]))
		hash = sum.Hash()
	}
	c := s.content(m)
	c.hash = hash
	return a.documentAsIs(&c), m.Places, nil
}

// redactMeta redacts what is stored of a turn beside its passages and messages.
func (a *author) redactMeta(m *stored.Turn) {
	for _, s := range []*string{&m.Prompt, &m.Answer, &m.Project, &m.Cwd, &m.Branch} {
		*s = a.redactor.Text(*s)
	}
	for _, list := range [][]string{m.Paths, m.Commands} {
		for i := range list {
			list[i] = a.redactor.Text(list[i])
		}
	}
}

// redacted is how many secrets the author replaced so far.
func (a *author) redacted() (n int) {
	for _, v := range a.redactor.Counts() {
		n += v
	}
	return n
}

// redactMessages redacts stored messages; what cannot be read is kept as it is.
func (a *author) redactMessages(b []byte) []byte {
	var kept []stored.Message
	if err := json.Unmarshal(b, &kept); err != nil {
		return b
	}
	for i := range kept {
		kept[i].Text = a.redactor.Text(kept[i].Text)
	}
	if out, err := json.Marshal(kept); err == nil {
		return out
	}
	return b
}

// A rawDoc is a document as it is kept.
type rawDoc struct {
	head     shard.Head
	passages []shard.Passage
	meta     []byte
	messages []byte
}

func readRaw(k shard.Kind, ref published.Ref) (s rawDoc, err error) {
	v := ref.View
	if s.head, err = v.Head(k, ref.Doc); err != nil {
		return s, published.Damage(v.Name, err)
	}
	if s.passages, err = v.Passages(k, ref.Doc); err != nil {
		return s, published.Damage(v.Name, err)
	}
	if s.meta, err = v.Meta(k, ref.Doc); err != nil {
		return s, published.Damage(v.Name, err)
	}
	s.messages, err = v.Messages(k, ref.Doc)
	return s, published.Damage(v.Name, err)
}

// content is that of a turn, with its meta unpacked.
func (s *rawDoc) content(m *stored.Turn) content {
	return content{*m, s.passages, s.messages, s.head.Hash, s.head.Created, s.head.Updated, s.head.Flags}
}
