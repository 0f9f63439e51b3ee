// Package strategies decides which text of a turn goes to which surface.
//
// A strategy is pure: it knows neither files nor indexes, and the same turn
// always gives the same passages.
//
// One of one's own is a Strategy of three methods, in any module; where it only adds
// something to another, With makes it, and where it changes another, a Wrapper. Which
// surfaces there are package surfaces says: what is a matter of one strategy alone goes
// to the nearest, mostly surfaces.ToolCalls. Package strategytest checks the promises.
package strategies

import (
	"iter"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// A Strategy says what can be searched of a turn. Its methods are called from
// several goroutines at once.
type Strategy interface {
	// Name is the strategy's id with its version and switches ("claude-turn/1",
	// "claude-turn/1+full"). It is part of every turn's change signal: a change of
	// behaviour needs a new name.
	Name() string
	// Surfaces is all that Passages and SessionPassages may ever yield, of those
	// that package surfaces lists.
	Surfaces() surfaces.Set
	// Passages yields at most one non-empty text a surface. It shares the turn's
	// slices and must not change what they hold.
	Passages(segment.Turn) iter.Seq2[surfaces.Name, string]
}

// A SessionStrategy, found by type assertion, also says what can be searched
// of a session as a whole. Several passages of one surface are allowed.
type SessionStrategy interface {
	SessionPassages(segment.Session) iter.Seq2[surfaces.Name, string]
}
