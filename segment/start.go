package segment

import "github.com/hansard-search/hansard/sources"

// Start is where cutting begins and all that must be known of what stands
// before it. Begin makes one for the beginning of a transcript; Result.Next is
// one for reading on. It is plain data and small: it can be stored as JSON, which
// leaves out what is empty.
type Start struct {
	From      sources.Position `json:",omitzero"`  // hand it to Transcript.Events
	Lane      sources.Lane     `json:",omitzero"`  // of turns that do not tell theirs
	Session   Session          `json:",omitzero"`  // the session as far as From; its Summaries carry no Text
	Last      string           `json:",omitzero"`  // id of the turn that begins at From, "" when none does
	First     int              `json:",omitzero"`  // index of the next message within the session
	Seen      Hashes           `json:",omitempty"` // hashes of the native ids of the prompts before From, in order
	Leaves    []Leaf           `json:",omitempty"` // names whose entry was not met before From, oldest first
	Abandoned []string         `json:",omitempty"` // ids of turns known to be off the path, from an earlier Result
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
	// turn that began there is no longer one. Drop this result and cut again from
	// Whole. Never set when cutting from the beginning.
	NeedsWhole bool
	// Retracted is Start.Last when, read from the beginning, it is there and no longer
	// a turn, else "": what looked like a prompt at the end of the transcript turned out
	// to be a local command. It must be forgotten. What was cut off the transcript is not.
	Retracted string
	// Abandoned are the ids of emitted turns that turned out to be off the path
	// to the last entry after they were emitted unmarked. Rare; to have them marked,
	// cut again from the same Start with Start.Abandoned set to this.
	Abandoned []string
}

// Begin is the Start at the beginning of the transcript that info describes.
func Begin(info sources.Info) Start {
	return Start{
		Lane:    info.Lane,
		Session: Session{ID: info.Session, Source: info.Source, Path: info.Path, Lane: info.Lane, Parent: info.Parent},
	}
}

// Whole is Begin for a transcript that was read before as far as start tells.
func Whole(info sources.Info, start Start) Start {
	s := Begin(info)
	s.Last = start.Last
	return s
}
