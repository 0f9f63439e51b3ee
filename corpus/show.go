package corpus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// standing is a turn as it stands in one session.
type standing struct {
	ref      published.Ref
	meta     *stored.Turn
	at       stored.Place
	created  int64
	messages int // it has
	first    int // index of its first message in the session
}

// standings returns the turns of a session in their order, with the index at
// which each one's messages begin.
func (s snapshot) standings(session string) ([]standing, error) {
	var list []standing
	for _, v := range s.Views {
		docs, err := v.Facet(shard.Turn, stored.FacetSession, session)
		if err != nil {
			return nil, published.Damage(v.Name, err)
		}
		for doc := range docs.All() {
			if !v.Live(shard.Turn, doc) {
				continue
			}
			t, err := standingOf(published.Ref{View: v, Doc: doc}, session)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
	}
	slices.SortFunc(list, compareStandings)
	next := 0
	for i := range list {
		list[i].first = next
		next += list[i].messages
	}
	return list, nil
}

func compareStandings(a, b standing) int {
	return cmp.Or(cmp.Compare(a.at.First, b.at.First), cmp.Compare(a.created, b.created), cmp.Compare(a.meta.ID, b.meta.ID))
}

func standingOf(ref published.Ref, session string) (standing, error) {
	h, err := ref.View.Head(shard.Turn, ref.Doc)
	if err != nil {
		return standing{}, published.Damage(ref.View.Name, err)
	}
	m, err := ref.Turn()
	if err != nil {
		return standing{}, err
	}
	t := standing{ref: ref, meta: m, at: m.Places[0], created: h.Created, messages: int(h.Flags >> stored.MessageShift)}
	if i := slices.IndexFunc(m.Places, func(p stored.Place) bool { return p.Session == session }); i >= 0 {
		t.at = m.Places[i]
	}
	return t, nil
}

// Session returns a page of a session's messages: from offset on, at most limit
// of them (50 where it is 0, all where it is negative). id may be a unique prefix
// of at least 8 characters. It fails with ErrNotFound.
func (c *Corpus) Session(ctx context.Context, id string, offset, limit int) (*SessionPage, error) {
	return reading(c, func(s snapshot) (*SessionPage, error) {
		p, err := s.session(ctx, id, offset, limit)
		return p, missed(s, err)
	})
}

func (s snapshot) session(ctx context.Context, id string, offset, limit int) (*SessionPage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id, err := s.resolve(shard.Session, id)
	if err != nil {
		return nil, err
	}
	list, err := s.standings(id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("session %s: %w", id, ErrNotFound)
	}
	return s.page(ctx, id, list, max(offset, 0), limit)
}

// pageDefault is how many messages a page of a session has when none is asked.
const pageDefault = 50

func (s snapshot) page(ctx context.Context, id string, list []standing, offset, limit int) (*SessionPage, error) {
	t := &tally{id: id}
	for _, v := range list {
		h, err := v.ref.View.Head(shard.Turn, v.ref.Doc)
		if err != nil {
			return nil, published.Damage(v.ref.View.Name, err)
		}
		t.add(v.ref, h, v.messages)
	}
	rec, err := s.sessionRecord(t)
	if err != nil {
		return nil, err
	}
	switch {
	case limit == 0:
		limit = pageDefault
	case limit < 0:
		limit = t.messages
	}
	p := &SessionPage{Session: *rec, Offset: offset, Limit: limit, Total: t.messages, Messages: []MessageRecord{}, Damaged: s.Lacks()}
	for _, v := range list {
		if v.first+v.messages <= offset || v.first >= offset+limit {
			continue
		}
		ms, err := v.records()
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if m.MsgIdx >= offset && m.MsgIdx < offset+limit {
				p.Messages = append(p.Messages, m)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// records returns the messages of a turn with their places in the session.
func (t *standing) records() ([]MessageRecord, error) {
	ms, err := t.ref.Messages()
	if err != nil {
		return nil, err
	}
	list := make([]MessageRecord, len(ms))
	for i, m := range ms {
		list[i] = MessageRecord{
			MsgIdx: t.first + i, TurnID: t.meta.ID, Role: string(m.Role), Time: Time{m.Time}, Tool: m.Tool, Text: m.Text,
		}
	}
	return list, nil
}

// Turn returns one whole turn with its messages. id may be a unique prefix of
// at least 8 characters. It fails with ErrNotFound.
func (c *Corpus) Turn(ctx context.Context, id string) (*TurnRecord, error) {
	return reading(c, func(s snapshot) (*TurnRecord, error) {
		r, err := s.turn(ctx, id)
		return r, missed(s, err)
	})
}

func (s snapshot) turn(ctx context.Context, id string) (*TurnRecord, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id, err := s.resolve(shard.Turn, id)
	if err != nil {
		return nil, err
	}
	ref, ok, err := s.Find(shard.Turn, signal.Of(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("turn %s: %w", id, ErrNotFound)
	}
	r, err := s.turnRecord(ref)
	if err != nil {
		return nil, err
	}
	r.Damaged = s.Lacks()
	list, err := s.standings(r.SessionID)
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		if t.meta.ID == id {
			r.Messages, err = t.records()
			return r, err
		}
	}
	return r, nil
}
