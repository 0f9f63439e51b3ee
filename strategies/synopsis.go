package strategies

import (
	"time"

	"github.com/hansard-search/hansard/segment"
)

// An Annotator, found by type assertion, adds to a session what its transcript
// does not say, before SessionPassages is asked.
type Annotator interface {
	Annotate(segment.Session) segment.Session
}

// SynopsisKind is the Kind of a segment.Summary that no transcript holds: where
// it comes from is kept with it.
const SynopsisKind = "synopsis"

// A Synopsis is what somebody else wrote about a session.
type Synopsis struct {
	Text  string
	Time  time.Time // when it was written
	After string    // id of the last turn that it covers
}

// WithSynopsis is s with synopses by the ids of their sessions, which are searched
// as summaries are. The passages of turns and the name stay those of s, since no
// turn changes by it. A corpus keeps a synopsis that it was given once, so the
// wrapper is needed only to add some.
func WithSynopsis(s Strategy, of map[string]Synopsis) Strategy { return synopsis{Wrapper{s}, of} }

type synopsis struct {
	Wrapper
	of map[string]Synopsis
}

// Annotate puts the session's synopsis in the place of an earlier one.
func (y synopsis) Annotate(s segment.Session) segment.Session {
	s = y.Wrapper.Annotate(s)
	add, ok := y.of[s.ID]
	if !ok {
		return s
	}
	var kept []segment.Summary
	for _, v := range s.Summaries {
		if v.Kind != SynopsisKind {
			kept = append(kept, v)
		}
	}
	s.Summaries = append(kept, segment.Summary{
		Kind: SynopsisKind, Text: add.Text, Time: add.Time, After: add.After, Offset: -1, // it stands nowhere in the transcript
	})
	return s
}
