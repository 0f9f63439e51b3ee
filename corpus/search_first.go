package corpus

import (
	bit "math/bits"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// skipFrom is how many turns a corpus has at least where skipping pays: below,
// there is little to skip.
const skipFrom = 2 * shard.BlockDocs

// matching returns the documents that are there and have one of the words that
// make a match: what a search finds, which costs far less than what it is worth.
// It is as long as whole blocks.
func (s *scanner) matching() bits {
	blocks := (s.docs + shard.BlockDocs - 1) >> shard.BlockShift
	set := make(bits, blocks*(shard.BlockDocs/64))
	for w := range s.bound {
		if s.plan.words[w].minor {
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
	return set
}

// count counts the turns that match, those that pass and the others.
func (q *search) count(matching, pass bits) {
	for i, w := range matching {
		in := ^uint64(0)
		if pass != nil {
			in = 0
			if i < len(pass) {
				in = pass[i]
			}
		}
		q.total += bit.OnesCount64(w & in)
		q.other += bit.OnesCount64(w &^ in)
	}
}

// floor is the score of a turn below which it makes no difference: as many rows
// as are wanted score at least that.
func (q *search) floor() float64 {
	if q.turns.Full() {
		return max(q.sampled, q.turns.Worst().score)
	}
	return q.sampled
}

// skipTurns is scanTurns, for rows of turns, without those that make no
// difference.
func (q *search) skipTurns(f *viewFound, i int) error {
	sc, _, err := q.turnScanner(f, i)
	if err != nil {
		return err
	}
	if q.could[i] != nil && q.pass[i] != nil {
		for n := range sc.pass {
			sc.pass[n] &= sc.live[n]
		}
	}
	f.matching = sc.matching()
	q.count(f.matching, sc.pass)
	k := newSkipper(sc)
	if err := q.sample(k); err != nil {
		return err
	}
	err = k.scan(q.floor, func(doc uint32, score float64) {
		if !q.turns.Full() || score >= q.turns.Worst().score {
			q.turns.Add(row{ref: docRef{f.view, doc}, score: score, best: rank.Best{score}})
		}
	})
	if err == nil {
		sc.pool.Put(sc.scratch)
	}
	return err
}

// sample finds a first floor, among turns that have a rare word.
func (q *search) sample(k *skipper) error {
	if q.floor() > 0 {
		return nil
	}
	const rounds = 4 // the more the higher the floor, and the longer it takes
	most := q.turns.Most
	scores := make([]float64, 0, rounds*most)
	err := k.sample(most, func(_ uint32, score float64) bool {
		scores = append(scores, score)
		return len(scores) < rounds*most
	})
	if len(scores) >= most {
		slices.Sort(scores)
		q.sampled = scores[len(scores)-most]
	}
	return err
}

// turnsMatch reports whether a turn of a session matches and passes.
func (q *search) turnsMatch(id signal.Hash) (bool, error) {
	for i, f := range q.found {
		docs, err := f.view.TurnsOf(id)
		if err != nil {
			return false, damage(f.view.name, err)
		}
		for _, doc := range docs {
			if f.matching.has(doc) && (q.pass[i] == nil || q.pass[i].Contains(doc)) {
				return true, nil
			}
		}
	}
	return false, nil
}
