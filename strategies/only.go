package strategies

import (
	"iter"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// Only is s without the surfaces outside of set. Its name is that of s, a
// colon and what is left of its surfaces; where nothing is dropped it is s itself.
func Only(s Strategy, set surfaces.Set) Strategy {
	left := s.Surfaces() & set
	if left == s.Surfaces() {
		return s
	}
	return only{Wrapper{s}, left}
}

type only struct {
	Wrapper
	left surfaces.Set
}

func (o only) Name() string           { return o.Strategy.Name() + ":" + o.left.String() }
func (o only) Surfaces() surfaces.Set { return o.left }

func (o only) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	return o.filter(o.Strategy.Passages(t))
}

func (o only) SessionPassages(s segment.Session) iter.Seq2[surfaces.Name, string] {
	return o.filter(o.Wrapper.SessionPassages(s))
}

func (o only) filter(passages iter.Seq2[surfaces.Name, string]) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) {
		for name, text := range passages {
			if o.left.Has(name) && !yield(name, text) {
				return
			}
		}
	}
}
