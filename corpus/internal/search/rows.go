package search

import (
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// rows finds the first rows among what was found.
func (q *Search) rows() error {
	if err := q.counted(); err != nil {
		return err
	}
	for _, number := range q.found.touched {
		r, ok, err := q.sessionRow(number)
		if err != nil {
			return err
		}
		if ok && (!q.turns.Full() || r.score >= q.turns.Worst().score) {
			q.turns.Add(r)
		}
	}
	return nil
}

// sessionRow makes the row of a session and counts it; ok is false where there
// is none: its turns have rows of their own, do not pass, or are known to come
// too late.
func (q *Search) sessionRow(number uint32) (r ranked, ok bool, err error) {
	h := &q.found.hits[number]
	switch {
	case h.turns > 0:
		if q.asked.ByTurn {
			return r, false, nil
		}
		if q.skips == nil {
			q.Total++
		}
		return ranked{ref: q.ref(h.view, h.doc), score: rank.Session(&h.best, h.title, h.summary), sites: h.sites, hit: h}, true, nil
	case h.title == 0 && h.summary == 0:
		if h.other && !q.asked.ByTurn {
			q.Other++
		}
		return r, false, nil
	}
	if q.skips != nil {
		if match, err := q.turnsMatch(number); match || err != nil {
			return r, false, err
		}
	}
	id, err := q.found.hash(q.snap, number)
	if err != nil {
		return r, false, err
	}
	if r, ok, err = q.recordRow(id, h); err != nil {
		return r, false, err
	}
	if ok {
		q.Total++
	} else {
		q.Other++
	}
	return r, ok, nil
}

// recordRow makes the row of a session of which only title or summary match;
// ok is false when none of its turns passes.
func (q *Search) recordRow(id signal.Hash, h *sessionHit) (r ranked, ok bool, err error) {
	ref, err := q.firstTurn(id, h)
	return ranked{ref: ref, score: rank.Session(&rank.Best{}, h.title, h.summary), hit: h}, ref.view != nil, err
}

// FirstTurn is the turn under which a session is shown whose id was asked for: its
// first one that passes; ok is false where none does.
func (q *Search) FirstTurn(id signal.Hash) (ref published.Ref, ok bool, err error) {
	first, err := q.firstTurn(id, nil)
	if err != nil || first.view == nil {
		return ref, false, err
	}
	return first.ref(), true, nil
}

// firstTurn is the turn under which a session is shown of which only title or
// summary match, or its id: its first one that passes, or the first after the
// summary that matches; no view when none passes. h may be nil.
func (q *Search) firstTurn(id signal.Hash, h *sessionHit) (docRef, error) {
	after, err := q.summarised(id, h)
	if err != nil {
		return docRef{}, err
	}
	var first, later docRef
	var firstAt, laterAt int64
	for i, v := range q.snap.views {
		docs, err := v.TurnsOf(id)
		if err != nil {
			return docRef{}, published.Damage(v.Name, err)
		}
		for _, doc := range docs {
			if !v.Live(shard.Turn, doc) || q.asked.Pass[i] != nil && !q.asked.Pass[i].Contains(doc) {
				continue
			}
			head, err := v.Head(shard.Turn, doc)
			if err != nil {
				return docRef{}, published.Damage(v.Name, err)
			}
			if first.view == nil || head.Created < firstAt {
				first, firstAt = docRef{v, doc}, head.Created
			}
			if after > 0 && head.Created > after && (later.view == nil || head.Created < laterAt) {
				later, laterAt = docRef{v, doc}, head.Created
			}
		}
	}
	if later.view != nil {
		return later, nil
	}
	return first, nil
}

// summarised is when the session's last summary was written, where the summary
// is what matches best; 0 otherwise.
func (q *Search) summarised(id signal.Hash, h *sessionHit) (int64, error) {
	if h == nil || h.summary <= h.title {
		return 0, nil
	}
	ref, ok, err := q.snap.Find(shard.Session, id)
	if err != nil || !ok {
		return 0, err
	}
	m, err := ref.Session()
	if err != nil || len(m.Summaries) == 0 {
		return 0, err
	}
	return m.Summaries[len(m.Summaries)-1].Time, nil
}
