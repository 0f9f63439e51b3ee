package corpus

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A toolCache remembers which turns of a shard used tools. A shard never
// changes, so it is worked out once.
type toolCache struct {
	once sync.Once
	set  bits
	err  error
}

// tooled returns the turns in which tools were used.
func (h *handle) tooled() (bits, error) {
	h.tools.once.Do(func() {
		union := postings.New()
		var values []string
		h.tools.err = h.Facets(shard.Turn, facetTool, "", func(v string, _ int) bool {
			values = append(values, v)
			return true
		})
		for _, v := range values {
			if h.tools.err != nil {
				return
			}
			var one *postings.Set
			one, h.tools.err = h.Facet(shard.Turn, facetTool, v)
			union.Or(one)
		}
		h.tools.set = bitsOf(union, h.Len(shard.Turn))
	})
	return h.tools.set, h.tools.err
}
