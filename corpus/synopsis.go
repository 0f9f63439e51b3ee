package corpus

import (
	"context"
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
)

// Unsummed lists the sessions that were active since a moment and for which no
// synopsis, or one that ends before their last turn, was written; oldest first.
func (c *Corpus) Unsummed(ctx context.Context, since time.Time) (ids []string, err error) {
	list, err := c.Sessions(ctx, Filter{After: since, Lane: string(sources.Main)}, 0, -1)
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(list.Sessions) {
		done, err := c.summed(ctx, s)
		if err != nil {
			return nil, err
		}
		if !done && !s.Missing {
			ids = append(ids, s.SessionID)
		}
	}
	return ids, nil
}

// summed reports whether a synopsis of the session was written after its last
// event, and covers its last turn.
func (c *Corpus) summed(ctx context.Context, of SessionRecord) (bool, error) {
	after, err := reading(c, func(s snapshot) (string, error) {
		ref, ok, err := s.Find(shard.Session, signal.Of(of.SessionID))
		if err != nil || !ok {
			return "", err
		}
		m, err := ref.Session()
		if err != nil {
			return "", err
		}
		for _, v := range m.Summaries {
			if v.Kind == strategies.SynopsisKind && v.Time >= of.Updated.UnixMilli() {
				return v.After, nil
			}
		}
		return "", nil
	})
	if err != nil || after == "" {
		return false, err
	}
	page, err := c.Session(ctx, of.SessionID, max(0, of.Messages-1), 1)
	return err == nil && len(page.Messages) > 0 && page.Messages[0].TurnID == after, err
}
