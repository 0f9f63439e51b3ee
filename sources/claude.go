package sources

import (
	"context"
	"iter"
)

// Claude reads the transcripts of Claude Code. The zero value has no Root and
// finds nothing.
type Claude struct {
	Root string // the folder "projects"; absolute
	Caps Caps
}

// Name is "claude".
func (c Claude) Name() string { return "claude" }

// Transcripts finds main and sub-agent transcripts below Root; see Source.
func (c Claude) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {}
}
