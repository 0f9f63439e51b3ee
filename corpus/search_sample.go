package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// sampled is how many times as many turns as are wanted rows make a sample: the
// more the higher the floor, and the longer it takes.
const sampled = 4

// sample finds a first floor, among turns that have a rare word.
func (q *search) sample(k *skipper, view int) error {
	s := q.skips
	most := s.leaders.most
	if s.floor.score() > 0 {
		return nil
	}
	left := sampled * most
	best := make(map[uint32]float64, most) // by document, or session
	err := k.sample(most, func(doc uint32, score float64) bool {
		if q.group != ByTurn {
			doc = q.found.at(view, sessionAt(s.stretches[view], doc))
			h := &q.found.hits[doc]
			score = rank.Session(&rank.Best{score}, h.title, h.summary)
		}
		best[doc] = max(best[doc], score)
		left--
		return left > 0
	})
	if err != nil || len(best) < most {
		return err
	}
	scores := make([]float64, 0, len(best))
	for _, score := range best {
		scores = append(scores, score)
	}
	slices.Sort(scores)
	least := scores[len(scores)-most]
	if q.group != ByTurn {
		least = s.reach(least)
	}
	s.floor.raise(least)
	return nil
}

// sample calls emit for documents that have the rarest word of which there are
// at least enough, until emit returns false: what scores well without reading
// much.
func (k *skipper) sample(enough int, emit func(doc uint32, score float64) bool) error {
	defer k.open()
	for _, w := range k.order[:k.heads] {
		if k.bound[w].days != nil {
			continue
		}
		docs := 0
		for _, lists := range k.bound[w].lists {
			for n := range lists {
				if k.lanes[lists[n].lane].scored {
					docs = max(docs, lists[n].p.Len())
				}
			}
		}
		if docs >= enough {
			if docs > k.docs/16 {
				return nil // as common as that, any block will do
			}
			return k.sampleOf(w, emit)
		}
	}
	return nil
}

func (k *skipper) sampleOf(w int, emit func(doc uint32, score float64) bool) error {
	more := true
	for b := uint32(0); b < k.blocks() && more; b++ {
		if k.seek(w, b) == 0 {
			continue
		}
		if err := k.load(b); err != nil {
			return err
		}
		k.want = shard.Mask{}
		for n := range k.cursors[w][0] {
			if c := &k.cursors[w][0][n]; c.Docs > 0 && c.Block == b && k.lanes[k.bound[w].lists[0][n].lane].scored {
				c.Or(&k.want)
			}
		}
		k.pass.and(b, &k.want)
		k.finish(b, func(doc uint32, score float64) { more = emit(doc, score) && more })
	}
	return nil
}
