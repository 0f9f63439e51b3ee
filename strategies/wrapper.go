package strategies

import (
	"iter"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// A Wrapper is a strategy that another one is made of: embed it, and write anew what is
// to be another. It passes on what its Strategy has beside the methods of that interface,
// which embedding a Strategy itself would lose: the session's name, summaries and synopsis
// would be searched no more. The zero Wrapper is no strategy.
type Wrapper struct{ Strategy }

// SessionPassages yields nothing when the wrapped strategy has none.
func (w Wrapper) SessionPassages(s segment.Session) iter.Seq2[surfaces.Name, string] {
	if of, ok := w.Strategy.(SessionStrategy); ok {
		return of.SessionPassages(s)
	}
	return func(func(surfaces.Name, string) bool) {}
}

// Annotate returns s where the wrapped strategy is no Annotator.
func (w Wrapper) Annotate(s segment.Session) segment.Session {
	if of, ok := w.Strategy.(Annotator); ok {
		return of.Annotate(s)
	}
	return s
}

// With is s with more by which turns are found: what text says of a turn goes to the
// surface called name, behind what s yields for it and a blank line; "" adds nothing.
// name is that of a surface of turns. id names text and its version, such as "errors/1":
// the name of the result is that of s, a plus and id, so that a change of what text says
// needs another. text is called from several goroutines at once, and must not change
// what the turn holds.
func With(s Strategy, id string, name surfaces.Name, text func(segment.Turn) string) Strategy {
	return with{Wrapper{s}, id, name, text}
}

type with struct {
	Wrapper
	id   string
	name surfaces.Name
	text func(segment.Turn) string
}

func (w with) Name() string           { return w.Strategy.Name() + "+" + w.id }
func (w with) Surfaces() surfaces.Set { return w.Strategy.Surfaces().With(surfaces.Of(w.name)) }

func (w with) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) {
		more := w.text(t)
		for name, text := range w.Strategy.Passages(t) {
			if name == w.name && more != "" {
				text, more = text+"\n\n"+more, ""
			}
			if !yield(name, text) {
				return
			}
		}
		if more != "" {
			yield(w.name, more)
		}
	}
}
