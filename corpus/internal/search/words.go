package search

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// boundMost is how many lists a snapshot remembers at least, and half as many as
// it remembers at most; one is some hundred bytes. See size.
const boundMost = 1 << 14

// A boundEverywhere is a word's postings in all shards of a snapshot.
type boundEverywhere struct {
	lists [][][]list // by view and group
	docs  int        // live turns that have it
}

// boundWords remembers what words are bound to: people and agents ask for the same
// words again, in other company, and looking one up in all dictionaries and
// counting who has it takes a tenth of a query. The zero value is empty.
type boundWords struct {
	mu         sync.Mutex
	young, old map[boundKey]*boundEverywhere
	lists      int // of young
}

// A boundKey tells words apart that are bound to different lists.
type boundKey struct {
	term, form string // the second for a word of which the form counts
	searched   surfaces.Set
}

// keyOf is ok for words that stand for one term.
func keyOf(w *query.Word, searched surfaces.Set) (k boundKey, ok bool) {
	k.searched = searched
	switch {
	case w.Days != nil || len(w.Groups) == 0 || len(w.Groups) > 2:
		return k, false
	case len(w.Groups) == 2:
		if len(w.Groups[1].Keys) != 1 {
			return k, false
		}
		k.form = w.Groups[1].Keys[0]
	}
	k.term = w.Groups[0].Keys[0]
	return k, len(w.Groups[0].Keys) == 1
}

// get returns nil for a word that is not remembered.
func (m *boundWords) get(k boundKey) *boundEverywhere {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.young[k]
	if b == nil {
		if b = m.old[k]; b != nil {
			m.keep(k, b)
		}
	}
	return b
}

func (m *boundWords) put(k boundKey, b *boundEverywhere) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keep(k, b)
}

func (m *boundWords) keep(k boundKey, b *boundEverywhere) {
	if m.young == nil || m.lists >= boundMost {
		m.old, m.young, m.lists = m.young, map[boundKey]*boundEverywhere{}, 0
	}
	m.young[k] = b
	m.lists += b.size()
}

// size is how many lists are remembered, more by those that would take as much room
// as the word itself and its shards, of which most have none of it.
func (b *boundEverywhere) size() int {
	n := 2 + len(b.lists)/4
	for _, groups := range b.lists {
		for _, lists := range groups {
			n += len(lists)
		}
	}
	return n
}

// known reports whether it is remembered that a turn has the word, in any surface
// that is searched or decides how rare it is.
func (q *Search) known(w *query.Word) bool {
	key, ok := keyOf(w, q.asked.Surfaces)
	if !ok {
		return false
	}
	b := q.snap.words.get(key)
	return b != nil && b.docs > 0
}

// bind looks up the question's words in all dictionaries, in the lanes of turns,
// and counts the live turns that have them.
func (q *Search) bind() (bound [][]boundWord, err error) {
	s, pl := q.snap, q.plan
	bound = make([][]boundWord, len(s.views))
	for n := range bound {
		bound[n] = make([]boundWord, len(pl.Words))
	}
	for i := range pl.Words {
		w := &pl.Words[i]
		key, simple := keyOf(w, q.asked.Surfaces)
		if simple {
			if b := s.words.get(key); b != nil {
				for n := range bound {
					bound[n][i].lists = b.lists[n]
				}
				w.Docs = b.docs
				continue
			}
		}
		here := &boundEverywhere{lists: make([][][]list, len(s.views))}
		for n, v := range s.views {
			if bound[n][i], err = q.lists.bindWord(v, w, q.lanes); err != nil {
				return nil, published.Damage(v.Name, err)
			}
			here.lists[n] = bound[n][i].lists
			here.docs += v.docsOf(&bound[n][i], q.lanes)
		}
		if w.Docs = here.docs; simple {
			s.words.put(key, here)
		}
	}
	return bound, nil
}

// docsOf counts the live turns that have a word in a lane of those that decide how
// rare it is.
func (v *view) docsOf(b *boundWord, lanes []lane) int {
	if b.days != nil {
		return b.days.Len()
	}
	var lean []*shard.Postings
	lists := firstGroup(b.lists)
	for n := range lists {
		if lanes[lists[n].lane].lean {
			lean = append(lean, &lists[n].p)
		}
	}
	return v.liveUnion(shard.Turn, lean)
}
