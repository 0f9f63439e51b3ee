package sources

import (
	"context"
	"iter"
)

// Claude reads the transcripts of Claude Code.
//
// The zero value of Caps is the default. Methods may be called concurrently.
type Claude struct {
	Root string // the folder "projects", absolute; "", and one that does not exist, hold none
	Caps Caps
}

// Name is "claude".
func (c Claude) Name() string { return "claude" }

// Transcripts finds main and sub-agent transcripts below Root; see Source.
// Folders are read on a few goroutines, and what they hold is yielded on the
// caller's.
func (c Claude) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		if c.Root == "" {
			return
		}
		for _, found := range claudeFind(ctx, c.Root, c.Caps) {
			for _, err := range found.errs {
				if !yield(nil, err) {
					return
				}
			}
			for i := range found.transcripts {
				if !yield(&found.transcripts[i], nil) {
					return
				}
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(nil, err)
		}
	}
}

// claudeTranscript is one file.
type claudeTranscript struct {
	File
	caps Caps
}
