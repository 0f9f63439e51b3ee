package search

import "github.com/hansard-search/hansard/corpus/internal/query"

// A scanner that scores a turn knows in which lanes it has which words. It notes
// that of the words that stand side by side in the query: whether they can stand
// close together is told from it, and looked up in postings only of words for which
// there was no room.

// A sites says which words of pairs a turn has in which lanes, a bit for each.
type sites uint64

// nowhereNoted is the place of words of which sites says nothing.
const nowhereNoted = 64

// placeSites returns where the lanes of each word begin in sites.
func placeSites(pl *query.Plan, lanes int) []uint8 {
	at, next := make([]uint8, len(pl.Words)), 0
	for i := range at {
		at[i] = nowhereNoted
	}
	for _, p := range pl.Pairs {
		for _, w := range []int{p.First, p.Second} {
			if at[w] == nowhereNoted && !pl.Words[w].AnyForm() && next+lanes <= nowhereNoted {
				at[w] = uint8(next)
				next += lanes
			}
		}
	}
	return at
}

// site is the bit of a word's list of a group in a lane.
func (s *scanner) site(w, group, lane int) sites {
	if group > 0 || s.sited == nil {
		return 0 // other forms have keys of their own
	}
	return 1 << (uint(s.sited[w]) + uint(lane))
}

// of are the lanes that have a word, as bits, where sites tells.
func (s sites) of(at uint8, lanes int) (bits uint64, told bool) {
	return uint64(s) >> at & (1<<lanes - 1), at < nowhereNoted
}
