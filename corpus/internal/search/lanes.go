package search

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/surfaces"
)

// A lane is where a surface's occurrences are added up before they saturate.
// The final answer and the whole of an agent's texts hold the same words, so
// that the larger of the two counts, not their sum.
type lane struct {
	surface surfaces.Name
	slot    int
	norms   [2]*rank.Norms // of turns without tools, and with
	halved  [2]*laneNorms
	rough   *rank.RoughNorms
	lean    bool // its words decide how rare a word is
	scored  bool // its words count for a match
}

// laneOf is the place of a surface among the lanes of turns, -1 where it has none.
func (q *Search) laneOf(s surfaces.Name) int { return laneOf(q.lanes, s) }

// laneOf is the place of a surface among lanes, -1 where it has none.
func laneOf(lanes []lane, s surfaces.Name) int {
	return slices.IndexFunc(lanes, func(l lane) bool { return l.surface == s })
}

// The slots of lanes. Most surfaces simply add up, in the first; the two that
// hold an agent's words have slots of their own where a query searches both.
const (
	slotPrompt = iota
	slotAnswer
	slotFull
	slots
)

// assignSlots gives the lanes of an agent's words slots of their own, where both score.
func assignSlots(lanes []lane) {
	scored := func(name surfaces.Name) bool {
		return slices.ContainsFunc(lanes, func(l lane) bool { return l.scored && l.surface == name })
	}
	if !scored(surfaces.AssistantSummary) || !scored(surfaces.AssistantFull) {
		return
	}
	for i := range lanes {
		switch lanes[i].surface {
		case surfaces.AssistantSummary:
			lanes[i].slot = slotAnswer
		case surfaces.AssistantFull:
			lanes[i].slot = slotFull
		}
	}
}

// joined is what a document's slots add up to.
func joined(sum, answer, full float64) float64 { return sum + max(answer, full) }

// A list is the postings of one key in one lane.
type list struct {
	lane int
	p    shard.Postings
}

// A bound word is a word's postings in one shard, by group.
type boundWord struct {
	lists [][]list
	days  *postings.Set
}

// firstGroup are the lists of a word's first group, which hold all of its forms.
func firstGroup(lists [][]list) []list {
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// listsAtOnce is for how many lists room is made: of a query's words most views
// have few.
const listsAtOnce = 32

// nowhere are the lists of a word that a shard does not have: most shards are
// small and have few of a query's words. A word has one group or two.
var nowhere [2][]list

// A listRoom is room for the lists of the words that are bound next.
type listRoom []list

// bind looks up words in a view's dictionaries, in the given lanes.
func (r *listRoom) bind(v *view, words []query.Word, lanes []lane) (bound []boundWord, err error) {
	bound = make([]boundWord, len(words))
	for i := range bound {
		if bound[i], err = r.bindWord(v, &words[i], lanes); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

func (r *listRoom) bindWord(v *view, w *query.Word, lanes []lane) (b boundWord, err error) {
	if w.Days != nil && len(lanes) > 0 && !isSession(lanes[0].surface) {
		b.days, err = v.daysOf(w)
		return b, err
	}
	found := []list(*r)
	if cap(found) == 0 {
		found = make([]list, 0, listsAtOnce)
	}
	begin := len(found)
	for g := range w.Groups {
		from := len(found)
		for _, key := range w.Groups[g].Keys {
			for l := range lanes {
				p, ok, err := v.Postings(lanes[l].surface, key)
				if err != nil {
					return b, err
				}
				if ok {
					found = append(found, list{l, p})
				}
			}
		}
		if len(found) > begin && b.lists == nil {
			b.lists = make([][]list, len(w.Groups))
		}
		if b.lists != nil {
			b.lists[g] = found[from:len(found):len(found)]
		}
	}
	if b.lists == nil {
		b.lists = nowhere[:len(w.Groups):len(w.Groups)]
	}
	*r = found[len(found):]
	return b, nil
}

// daysOf returns the live turns of the days that a word names.
func (v *view) daysOf(w *query.Word) (*postings.Set, error) {
	set, err := v.Matching(stored.FacetDay, w.OnDay)
	return postings.AndNot(set, v.Gone[shard.Turn]), err
}

// isSession reports whether a surface is of session records.
func isSession(name surfaces.Name) bool {
	s, _ := surfaces.Lookup(name)
	return s.Session
}

// liveUnion counts the live documents that any of the lists hold.
func (v *view) liveUnion(k shard.Kind, lists []*shard.Postings) int {
	gone := v.Gone[k]
	if gone.Empty() {
		switch len(lists) {
		case 0:
			return 0
		case 1:
			return lists[0].Len()
		case 2:
			return shard.UnionLen(lists[0], lists[1])
		}
	}
	all := postings.New()
	for _, p := range lists {
		all.Or(p.Set())
	}
	return all.Len() - all.AndLen(gone)
}
