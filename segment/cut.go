package segment

import (
	"iter"

	"github.com/hansard-search/hansard/sources"
)

// Start is where cutting begins and all that must be known of what stands
// before it. Begin makes one for the beginning of a transcript; Result.Next is
// one for reading on. It is plain data and small: it can be stored.
type Start struct {
	From      sources.Position // hand it to Transcript.Events
	Session   Session          // the session as far as From; its Summaries carry no Text
	Last      string           // id of the turn that begins at From, "" when none does
	First     int              // index of the next message within the session
	Seen      []uint64         // hashes of the native ids of the prompts before From, in order
	Leaves    []Leaf           // names whose entry was not met before From, oldest first
	Abandoned []string         // ids of turns known to be off the path, from an earlier Result
}

// A Leaf is a name for the session that holds only if its entry is one of the
// transcript's own, and that entry was not met yet.
type Leaf struct {
	Entry uint64 // hash of the entry's native id
	Rank  uint8
	Text  string
}

// Result is what a transcript's turns leave behind when they were cut.
type Result struct {
	// Session as far as the end. Summaries that stand before Start.From have no
	// Text here: they were in an earlier Result.
	Session Session
	// Turns counts the turns that were emitted.
	Turns int
	// Next reads on later: it begins at the last emitted turn, which will be
	// emitted again. Without a turn it is the Start that was given.
	Next Start
	// Skipped are the first lines that could not be used (at most MaxSkipped),
	// SkippedTotal counts all.
	Skipped      []*sources.Skipped
	SkippedTotal int
	// NeedsWhole: what follows Start.From refers to what stands before it, or the
	// turn that began there is no longer a turn. Drop this result and cut again
	// from Begin. Never set when cutting from the beginning.
	NeedsWhole bool
	// Abandoned are the ids of emitted turns that turned out to be off the path
	// to the last entry after they were emitted unmarked. Rare; to have them marked,
	// cut again from the same Start with Start.Abandoned set to this.
	Abandoned []string
}

// MaxSkipped bounds Result.Skipped; a damaged transcript needs no longer list.
const MaxSkipped = 100

// Begin is the Start at the beginning of the transcript that info describes.
func Begin(info sources.Info) Start {
	return Start{Session: Session{ID: info.Session, Source: info.Source, Path: info.Path, Lane: info.Lane, Parent: info.Parent}}
}

// Cut cuts events, which must begin at start.From, into turns. Each turn is
// handed to emit when it is finished, in line order, on the caller's goroutine;
// emit owns it and returns false to stop. The error is the first error of events
// that is not a *sources.Skipped; the turn it broke off is not emitted, and the
// Result then holds only what was finished. Memory is bounded by the longest turn
// and the number of entries.
func Cut(start Start, events iter.Seq2[sources.Event, error], emit func(Turn) bool) (Result, error) {
	return Result{Next: start, Session: start.Session}, nil
}
