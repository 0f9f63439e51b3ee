package corpus

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/segment"
)

// MinPrefix is how many characters of an id must be given at least. Eight
// characters of a random id tell a million turns apart nearly always, and what
// is ambiguous is refused.
const MinPrefix = 8

// standing is a turn as it stands in one session.
type standing struct {
	ref      docRef
	meta     *turnMeta
	at       place
	created  int64
	messages int // it has
	first    int // index of its first message in the session
}

// standings returns the turns of a session in their order, with the index at
// which each one's messages begin.
func (s *snapshot) standings(session string) ([]standing, error) {
	var list []standing
	for _, v := range s.views {
		docs, err := v.Facet(shard.Turn, facetSession, session)
		if err != nil {
			return nil, damage(v.name, err)
		}
		for doc := range docs.All() {
			if !v.live(shard.Turn, doc) {
				continue
			}
			t, err := standingOf(docRef{v, doc}, session)
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

func standingOf(ref docRef, session string) (standing, error) {
	h, err := ref.view.Head(shard.Turn, ref.doc)
	if err != nil {
		return standing{}, damage(ref.view.name, err)
	}
	m, err := ref.turnMeta()
	if err != nil {
		return standing{}, err
	}
	t := standing{ref: ref, meta: m, at: m.Places[0], created: h.Created, messages: int(h.Flags >> messageShift)}
	if i := slices.IndexFunc(m.Places, func(p place) bool { return p.Session == session }); i >= 0 {
		t.at = m.Places[i]
	}
	return t, nil
}

// Session returns a page of a session's messages: from offset on, at most limit
// of them (50 where it is 0, all where it is negative). id may be a unique prefix
// of at least 8 characters. It fails with ErrNotFound.
func (c *Corpus) Session(ctx context.Context, id string, offset, limit int) (*SessionPage, error) {
	return reading(c, func(s *snapshot) (*SessionPage, error) {
		p, err := s.session(ctx, id, offset, limit)
		return p, s.missed(err)
	})
}

func (s *snapshot) session(ctx context.Context, id string, offset, limit int) (*SessionPage, error) {
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

func (s *snapshot) page(ctx context.Context, id string, list []standing, offset, limit int) (*SessionPage, error) {
	t := &tally{id: id}
	for _, v := range list {
		h, err := v.ref.view.Head(shard.Turn, v.ref.doc)
		if err != nil {
			return nil, damage(v.ref.view.name, err)
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
	p := &SessionPage{Session: *rec, Offset: offset, Limit: limit, Total: t.messages, Messages: []MessageRecord{}, Damaged: s.lacks()}
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

// messages reads the messages of a turn.
func (r docRef) messages() ([]segment.Message, error) {
	b, err := r.view.Messages(shard.Turn, r.doc)
	if err != nil {
		return nil, damage(r.view.name, err)
	}
	m, err := r.turnMeta()
	if err != nil {
		return nil, err
	}
	ps, err := r.view.Passages(shard.Turn, r.doc)
	if err != nil {
		return nil, damage(r.view.name, err)
	}
	prompt, answer := m.texts(ps)
	return unpackMessages(b, prompt, answer)
}

// records returns the messages of a turn with their places in the session.
func (t *standing) records() ([]MessageRecord, error) {
	ms, err := t.ref.messages()
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
	return reading(c, func(s *snapshot) (*TurnRecord, error) {
		r, err := s.turn(id)
		return r, s.missed(err)
	})
}

func (s *snapshot) turn(id string) (*TurnRecord, error) {
	id, err := s.resolve(shard.Turn, id)
	if err != nil {
		return nil, err
	}
	ref, ok, err := s.find(shard.Turn, signal.Of(id))
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
	r.Damaged = s.lacks()
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

// resolve makes a whole id of a prefix that only one turn or session has.
func (s *snapshot) resolve(k shard.Kind, id string) (string, error) {
	if _, ok, err := s.find(k, signal.Of(id)); ok || err != nil {
		return id, err
	}
	if len(id) < MinPrefix {
		return "", &IDError{ID: id}
	}
	var found []string
	for _, v := range s.views {
		err := v.Begins(k, id, func(doc uint32, key string) bool {
			if v.live(k, doc) {
				found = append(found, key)
			}
			return true
		})
		if err != nil {
			return "", damage(v.name, err)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", &IDError{id, found}
}
