package search

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A snapshot is a published state with what searches remember of it. There is one for
// all of them.
type snapshot struct {
	*published.Snapshot
	views []*view // those of the state, in their order

	numbers   sync.Once
	numbered  *numbering
	numberErr error
	words     boundWords

	kinds sync.Once
	laned []laneKind
}

// A view is a shard as a snapshot sees it, with what searches remember of the shard.
type view struct {
	*published.View
	*memory
}

// A memory is what searches remember of a shard, whichever snapshots have it.
type memory struct {
	tools toolCache
	runs  stretchCache
	texts atomic.Uint32 // rows of which searches read how close words stand
}

// A docRef is the place of a document in a snapshot.
type docRef struct {
	view *view
	doc  uint32
}

// snapshotOf returns what searches have of a state.
func snapshotOf(p *published.Snapshot) *snapshot {
	return p.Memo.Of(func() any {
		s := &snapshot{Snapshot: p}
		for _, v := range p.Views {
			s.views = append(s.views, &view{View: v, memory: v.Handle.Memo.Of(func() any { return new(memory) }).(*memory)})
		}
		return s
	}).(*snapshot)
}

// ref is the place as others know it.
func (r docRef) ref() published.Ref { return published.Ref{View: r.view.View, Doc: r.doc} }

// docRef is the place of a document of the state.
func (s *snapshot) docRef(r published.Ref) docRef {
	return docRef{s.views[slices.Index(s.Views, r.View)], r.Doc}
}

// liveTurns is how many turns there are.
func (s *snapshot) liveTurns() (turns int) {
	for _, v := range s.views {
		turns += v.Len(shard.Turn) - v.Gone[shard.Turn].Len()
	}
	return turns
}
