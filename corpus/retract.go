package corpus

import (
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// retract takes a turn out of a session that turned out to be none: what looked
// like a prompt at a transcript's end was a command of the agent's program. A
// session that is empty then goes with it. An empty id is nothing to do.
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
	return r.leave(id, session)
}
