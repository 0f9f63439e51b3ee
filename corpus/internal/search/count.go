package search

import (
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// matching puts the documents that are there and have one of the words that make
// a match into an empty set of whole blocks: what a search finds, which costs far
// less than what it is worth.
func (s *scanner) matching(set bits) {
	blocks := len(set) / (shard.BlockDocs / 64)
	for w := range s.bound {
		if s.plan.Words[w].Minor {
			continue
		}
		if days := s.bound[w].days; days != nil {
			for d := range days.All() {
				set[d>>6] |= 1 << (d & 63)
			}
		}
		for _, lists := range s.bound[w].lists {
			for n := range lists {
				if !s.lanes[lists[n].lane].scored {
					continue
				}
				for c := lists[n].p.Blocks(); c.Next() && int(c.Block) < blocks; {
					c.Or((*shard.Mask)(set[c.Block<<(shard.BlockShift-6):]))
				}
			}
		}
	}
	for i, w := range s.live {
		set[i] &= w
	}
}

// scoresAll reports whether to leave turns out takes longer than to score all,
// though they are not so few: sessions have to be completed then.
func (q *Search) scoresAll(turns int) bool {
	return !q.asked.ByTurn && (turns/2 < q.scale.Skip || q.mostMatching() <= q.scale.All)
}

// mostMatching is how many turns match at most: one with several words counts as
// often.
func (q *Search) mostMatching() (n int) {
	for _, words := range q.bound {
		for w := range words {
			if q.plan.Words[w].Minor {
				continue
			}
			if days := words[w].days; days != nil {
				n += days.Len()
			}
			for _, lists := range words[w].lists {
				for i := range lists {
					if q.lanes[lists[i].lane].scored {
						n += lists[i].p.Len()
					}
				}
			}
		}
	}
	return n
}

// count counts the turns that match, those that pass and the others.
func (q *Search) count(matching, pass bits) {
	for i, w := range matching {
		in := pass.word(i)
		q.Total += bit.OnesCount64(w & in)
		q.Other += bit.OnesCount64(w &^ in)
	}
}

// counted waits until sessions are counted.
func (q *Search) counted() error {
	s := q.skips
	if s == nil {
		return nil
	}
	s.counts.Wait()
	q.Total, q.Other = q.Total+s.total, q.Other+s.other
	s.total, s.other = 0, 0
	return s.failed
}

// turnsMatch reports whether a turn of a session matches and passes.
func (q *Search) turnsMatch(number uint32) (bool, error) {
	s := q.skips
	if s.matched != nil {
		return s.matched.has(number), nil
	}
	id, err := q.found.hash(q.snap, number)
	if err != nil {
		return false, err
	}
	for i, v := range q.snap.views {
		docs, err := v.TurnsOf(id)
		if err != nil {
			return false, published.Damage(v.Name, err)
		}
		for _, doc := range docs {
			if s.matching[i].has(doc) && s.views[i].pass.has(doc) {
				return true, nil
			}
		}
	}
	return false, nil
}
