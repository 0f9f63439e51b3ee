// Package manifest is the file MANIFEST: what a corpus consists of right now.
// Replacing it by a rename is what publishes an index, so a reader sees one
// state or the next, whole.
//
// It does not know what shards, transcripts or postings look like inside.
package manifest

import (
	"errors"
	"fmt"

	"github.com/hansard-search/hansard/surfaces"
)

// Name is the name of the file in a corpus's folder.
const Name = "MANIFEST"

// A Manifest is one published state of a corpus. Times are Unix milliseconds.
type Manifest struct {
	Format      int            `json:"format"`               // format of the whole folder, see Format
	Index       string         `json:"index"`                // random id of the index, given once
	Counter     uint64         `json:"counter"`              // 1 for the first published state, then one more each
	Previous    string         `json:"previous"`             // Hash of the state before, "" for the first
	IndexedAt   int64          `json:"indexedAt"`            // when this state was made
	Next        uint64         `json:"next"`                 // number for the next shard or TRANSCRIPTS file
	Transcripts TranscriptsRef `json:"transcripts"`          // Name is "" when there is none yet
	Params      Params         `json:"params"`               // what the index was made with
	Sources     []SourceCount  `json:"sources"`              // what each kind of source held when it was made
	Redacted    map[string]int `json:"redacted,omitempty"`   // secrets replaced, by kind, over the index's life
	Tombstones  []string       `json:"tombstones,omitempty"` // hashes of forgotten sessions and projects, never to come back
	Shards      []Shard        `json:"-"`                    // oldest first; one line each in the file

	hash string // of the bytes it was read from or published as
}

// A TranscriptsRef names the table of transcripts and how much of it counts.
type TranscriptsRef struct {
	Name   string `json:"name"`
	Length int64  `json:"length"`         // bytes; what follows in the file is not part of it
	Rows   int    `json:"rows"`           // transcripts, in these
	Late   []byte `json:"late,omitempty"` // what follows these bytes and is not in the file
}

// A Shard is one live shard.
type Shard struct {
	Name         string                         `json:"name"`                   // in the folder shards
	Size         int64                          `json:"size"`                   // bytes
	Turns        int                            `json:"turns"`                  // documents, gone ones included
	Sessions     int                            `json:"sessions"`               // the same of session records
	GoneTurns    []byte                         `json:"goneTurns,omitempty"`    // serialised set of document numbers, nil = none
	GoneSessions []byte                         `json:"goneSessions,omitempty"` // the same of session records
	Surfaces     map[surfaces.Name]SurfaceStats `json:"surfaces"`               // of live documents
}

// SurfaceStats are what BM25 needs of one surface.
type SurfaceStats struct {
	Docs   int   `json:"docs"`   // live documents with a text there
	Length int64 `json:"length"` // sum of their lengths in terms
}

// Params are what an index was made with. Rows and documents made under others
// are read again when they change.
type Params struct {
	Strategy    string   `json:"strategy"`          // name of the strategy, version and switches included
	Include     []string `json:"include,omitempty"` // as given to --include, sorted
	Since       string   `json:"since,omitempty"`   // as given ("90d", "2026-01-01", "all")
	Projects    []string `json:"projects,omitempty"`
	MaxSessions int      `json:"maxSessions,omitempty"` // 0 = no limit
	Sources     []Root   `json:"sources"`
	Config      string   `json:"config,omitempty"` // what the config file said when they were taken from it
	Redaction   string   `json:"redaction"`        // version of the rules
	Terms       string   `json:"terms"`            // version of the analysis
}

// A Root is a folder in which transcripts of one kind are looked for.
type Root struct {
	Kind    string `json:"kind"`
	Root    string `json:"root"`
	Default bool   `json:"default,omitempty"` // the kind's usual place, looked up again at each run
}

// A SourceCount tells what the sources of one kind held.
type SourceCount struct {
	Name        string `json:"name"` // the kind
	Transcripts int    `json:"transcripts"`
	Gone        int    `json:"gone"` // indexed, and no longer there
}

// What Read returns when there is nothing to return.
var (
	// ErrNone says that the folder holds no manifest: nothing was published yet.
	ErrNone = errors.New("no index here yet")
	// ErrNewer says that a newer version of the program made the index.
	ErrNewer = errors.New("index was made by a newer version")
)

// A DamageError says that a manifest is not what was published.
type DamageError struct {
	Path   string
	Reason string
}

func (e *DamageError) Error() string { return fmt.Sprintf("%s: damaged: %s", e.Path, e.Reason) }

// New returns the state before anything was published, for an index with the
// given random id: Counter 0, no shards. Publish its Successor.
func New(index string) *Manifest {
	return &Manifest{Format: Format, Index: index, Next: 1, Sources: []SourceCount{}}
}

// Hash identifies the published state, "" before it is published.
func (m *Manifest) Hash() string { return m.hash }
