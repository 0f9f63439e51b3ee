package corpus

import (
	"maps"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// Projects lists the folders in which the sessions of the corpus were begun,
// sorted. What is gone since the last merge may still be among them.
func (c *Corpus) Projects() ([]string, error) {
	return reading(c, func(s snapshot) ([]string, error) {
		seen := map[string]bool{}
		for _, v := range s.Views {
			err := v.Facets(shard.Turn, stored.FacetProject, "", func(project string, _ int) bool {
				seen[project] = true
				return true
			})
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
		}
		return slices.Sorted(maps.Keys(seen)), nil
	})
}
