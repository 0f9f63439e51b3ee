package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// retract takes a turn out of a session that turned out to be none: what looked
// like a prompt at a transcript's end was a command of the agent's program. It is
// the only way in which a Sync removes a turn; a session that is empty then goes
// with it. An empty id is nothing to do.
func (r *run) retract(session, id string, empty bool) error {
	if id == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if empty {
		if e, err := r.locate(shard.Session, signal.Of(session)); err != nil {
			return err
		} else if e != nil {
			r.retire(shard.Session, signal.Of(session), e)
		}
	}
	key := signal.Of(id)
	e, err := r.known(key)
	if err != nil || e == nil {
		return err
	}
	places := slices.DeleteFunc(slices.Clone(e.places), func(p place) bool { return p.Session == session })
	switch {
	case len(places) == len(e.places):
		return nil
	case len(places) > 0:
		r.replaced[key] = places
		return nil
	}
	r.retire(shard.Turn, key, e)
	delete(r.replaced, key)
	r.entries = append(r.entries, ledger.Entry{Turn: key})
	r.report.Removed++
	return nil
}
