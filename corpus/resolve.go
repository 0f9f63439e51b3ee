package corpus

import (
	"context"
	"errors"
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// MinPrefix is how many characters of an id must be given at least. Eight
// characters of a random id tell a million turns apart nearly always, and what
// is ambiguous is refused.
const MinPrefix = 8

// Resolve says what an id is of, where people may give that of a turn or of a session:
// the whole ids of both, and for a session's no turn. The session of a turn is the one that
// its content is taken from. id may be a prefix of at least 8 characters that only one
// session has, or else only one turn: the ids of turns often begin with their session's.
// One that is whole is never taken for a prefix. It fails with an *IDError, which is an
// ErrNotFound, and with a *DamageError beside it where what is asked for may be in what is
// damaged.
func (c *Corpus) Resolve(ctx context.Context, id string) (session, turn string, err error) {
	found, err := reading(c, func(s snapshot) (names, error) {
		n, err := s.resolveAny(ctx, id)
		return n, missed(s, err)
	})
	return found.session, found.turn, err
}

// names are the ids of a session and, maybe, a turn in it.
type names struct{ session, turn string }

func (s snapshot) resolveAny(ctx context.Context, id string) (n names, err error) {
	if err := ctx.Err(); err != nil {
		return n, err
	}
	k, id, err := s.resolveAs(id, shard.Session, shard.Turn)
	if err != nil {
		return n, err
	}
	if k == shard.Session {
		return names{session: id}, nil
	}
	ref, ok, err := s.Find(k, signal.Of(id))
	if err == nil && !ok {
		err = &IDError{ID: id}
	}
	if err != nil {
		return n, err
	}
	m, err := ref.Turn()
	if err != nil {
		return n, err
	}
	return names{m.Places[0].Session, m.ID}, nil
}

// resolve makes a whole id of a prefix that only one turn or session has.
func (s snapshot) resolve(k shard.Kind, id string) (string, error) {
	_, id, err := s.resolveAs(id, k)
	return id, err
}

// resolveAs makes a whole id of one that is whole for one of the kinds, or a prefix that
// only one document of a kind has, the kinds being asked in turn.
func (s snapshot) resolveAs(id string, kinds ...shard.Kind) (of shard.Kind, full string, err error) {
	for _, k := range kinds {
		if _, ok, err := s.Find(k, signal.Of(id)); ok || err != nil {
			return k, id, err
		}
	}
	if len(id) < MinPrefix {
		return of, "", &IDError{ID: id}
	}
	var several []string
	for _, k := range kinds {
		found, err := s.begins(k, id)
		if err != nil {
			return of, "", err
		}
		if len(found) == 1 {
			return k, found[0], nil
		}
		several = append(several, found...)
	}
	return of, "", &IDError{id, several}
}

// begins are the ids of turns or sessions that begin so.
func (s snapshot) begins(k shard.Kind, prefix string) (found []string, err error) {
	for _, v := range s.Views {
		err := v.Begins(k, prefix, func(doc uint32, key string) bool {
			if v.Live(k, doc) {
				found = append(found, key)
			}
			return true
		})
		if err != nil {
			return nil, published.Damage(v.Name, err)
		}
	}
	return found, nil
}

// missed is err, or where nothing was found although something is damaged, an
// error that says so: what was asked for may be there.
func missed(s snapshot, err error) error {
	if !errors.Is(err, ErrNotFound) || len(s.Damaged) == 0 {
		return err
	}
	return fmt.Errorf("%w, but it may be in what is damaged: %w", err, s.Damaged[0])
}
