package published

import (
	"strings"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A Handle is an open shard, shared by the snapshots that name it and closed
// with the last of them. A map outlives its file's name.
type Handle struct {
	*shard.Reader
	Name string // of its file; that of a shard in memory does not end in ShardExt
	Memo Memo   // of searches
	refs atomic.Int32

	damaged atomic.Pointer[DamageError] // what was found when it was read
}

// NewHandle is of an open shard, retained once.
func NewHandle(r *shard.Reader, name string) *Handle {
	h := &Handle{Reader: r, Name: name}
	h.refs.Store(1)
	return h
}

// Retain keeps h open for one more, who releases it.
func (h *Handle) Retain() *Handle { h.refs.Add(1); return h }

// Release closes the shard with the last who retained it.
func (h *Handle) Release() {
	if h.refs.Add(-1) == 0 {
		h.Reader.Close()
	}
}

// Matching unites the turns of all values of a facet that match, those that are
// gone too.
func (h *Handle) Matching(facet string, match func(value string) bool) (*postings.Set, error) {
	var values []string
	err := h.Facets(shard.Turn, facet, "", func(v string, _ int) bool {
		if match(v) {
			values = append(values, v)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	union := postings.New()
	for _, v := range values {
		one, err := h.Facet(shard.Turn, facet, v)
		if err != nil {
			return nil, err
		}
		union.Or(one)
	}
	return union, nil
}

// Held reports whether a shard is in memory.
func (h *Handle) Held() bool { return !strings.HasSuffix(h.Name, ShardExt) }

// A View is a shard as one snapshot sees it: without the documents that were
// replaced or removed since it was written.
type View struct {
	*Handle
	Gone Gone
}

// Gone are documents that are no longer part of the corpus, by kind; nil: none.
type Gone [2]*postings.Set

// Add adds a document.
func (g *Gone) Add(k shard.Kind, doc uint32) {
	if g[k] == nil {
		g[k] = postings.New()
	}
	g[k].Add(doc)
}

// With is g and, where there are more, those.
func (g Gone) With(more *Gone) Gone {
	if more == nil {
		return g
	}
	return Gone{postings.Or(g[0], more[0]), postings.Or(g[1], more[1])}
}

// Live reports whether a document is still part of the corpus.
func (v *View) Live(k shard.Kind, doc uint32) bool {
	return v.Gone[k] == nil || !v.Gone[k].Contains(doc)
}

// LiveTurns returns the given set, which is of live turns, and all live turns of the
// view for a nil set.
func (v *View) LiveTurns(set *postings.Set) *postings.Set {
	if set == nil {
		return postings.AndNot(postings.Range(0, uint32(v.Len(shard.Turn))), v.Gone[shard.Turn])
	}
	return set
}
