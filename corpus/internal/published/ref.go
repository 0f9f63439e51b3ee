package published

import (
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
)

// A Ref is the place of a document in a snapshot.
type Ref struct {
	View *View
	Doc  uint32
}

// Turn reads what a turn's document keeps beside its passages.
func (r Ref) Turn() (*stored.Turn, error) {
	m, _, err := r.SizedTurn()
	return m, err
}

// SizedTurn is Turn, and of how many bytes it was made.
func (r Ref) SizedTurn() (m *stored.Turn, size int, err error) {
	failed := r.View.ReadMeta(shard.Turn, r.Doc, func(b []byte) {
		size = len(b)
		m, err = stored.UnpackTurn(b)
	})
	if failed != nil {
		return nil, 0, Damage(r.View.Name, failed)
	}
	return m, size, err
}

// Session reads what a session record keeps beside its passages.
func (r Ref) Session() (*stored.Session, error) {
	b, err := r.View.Meta(shard.Session, r.Doc)
	if err != nil {
		return nil, Damage(r.View.Name, err)
	}
	return stored.UnpackSession(b)
}

// Messages reads the messages of a turn.
func (r Ref) Messages() ([]segment.Message, error) {
	b, err := r.View.Messages(shard.Turn, r.Doc)
	if err != nil {
		return nil, Damage(r.View.Name, err)
	}
	m, err := r.Turn()
	if err != nil {
		return nil, err
	}
	ps, err := r.View.Passages(shard.Turn, r.Doc)
	if err != nil {
		return nil, Damage(r.View.Name, err)
	}
	prompt, answer := m.Texts(ps)
	return stored.UnpackMessages(b, prompt, answer)
}
