package search

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// A toolCache remembers which turns of a shard used tools. A shard never
// changes, so it is worked out once.
type toolCache struct {
	once sync.Once
	set  bits
	err  error
}

// tooled returns the turns in which tools were used.
func (v *view) tooled() (bits, error) {
	v.tools.once.Do(func() {
		set, err := v.Matching(stored.FacetTool, func(string) bool { return true })
		if v.tools.err = err; err == nil {
			v.tools.set = bitsOf(set, v.Len(shard.Turn))
		}
	})
	return v.tools.set, v.tools.err
}
