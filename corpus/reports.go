package corpus

import "github.com/hansard-search/hansard/surfaces"

// What runs and checks did and found, and what there is. Their JSON is frozen, as that
// of answers is; docs/json.md says what each field means.

// Report says what a Sync did.
type Report struct {
	Preset         string           `json:"preset"`
	Sessions       int              `json:"sessions"`  // in the corpus now
	Turns          int              `json:"turns"`     // in the corpus now
	Records        int              `json:"records"`   // of sessions: titles and summaries; in the corpus now
	Added          int              `json:"added"`     // turns, in this run
	Changed        int              `json:"changed"`   // turns, in this run
	Unchanged      int              `json:"unchanged"` // the other turns of the corpus
	Removed        int              `json:"removed"`   // turns, in this run
	RecordsAdded   int              `json:"recordsAdded"`
	RecordsChanged int              `json:"recordsChanged"`
	Transcripts    TranscriptCounts `json:"transcripts"`
	BytesRead      int64            `json:"bytesRead"`    // of transcripts
	BytesWritten   int64            `json:"bytesWritten"` // of the index
	ElapsedMs      int64            `json:"elapsedMs"`
	Skipped        []SkippedLine    `json:"skipped"` // the first 100
	SkippedTotal   int              `json:"skippedTotal"`
	LedgerOpened   bool             `json:"ledgerOpened"` // whether it was needed
}

// Changes is how many turns and session records the run added, changed or removed.
func (r *Report) Changes() int {
	return r.Added + r.Changed + r.Removed + r.RecordsAdded + r.RecordsChanged
}

// TranscriptCounts counts transcripts in one run.
type TranscriptCounts struct {
	Seen   int `json:"seen"`
	Opened int `json:"opened"` // those that changed
	Gone   int `json:"gone"`   // known, and not there any more
}

// A SkippedLine is a line or file that could not be used.
type SkippedLine struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"` // counted from 1; 0: all of it
	Reason string `json:"reason"`
}

// Status describes a corpus at rest.
type Status struct {
	Preset    string          `json:"preset"`
	DataDir   string          `json:"dataDir"`
	Sessions  int             `json:"sessions"`
	Turns     int             `json:"turns"`
	Records   int             `json:"records"` // of sessions: titles and summaries
	Documents DocumentCounts  `json:"documents"`
	Surfaces  []SurfaceStatus `json:"surfaces"`
	Shards    int             `json:"shards"` // index files
	Bytes     ByteCounts      `json:"bytes"`
	Oldest    Time            `json:"oldest,omitzero"`    // first event of all
	Newest    Time            `json:"newest,omitzero"`    // last event of all
	IndexedAt Time            `json:"indexedAt,omitzero"` // last change of the index
	Sources   []SourceStatus  `json:"sources"`
	Missing   int             `json:"sourceMissingTurns"` // turns whose transcript is gone
	Redacted  map[string]int  `json:"redacted"`           // secrets that were replaced, by kind
	Writer    *WriterStatus   `json:"writer"`             // nil: nobody writes
	Damaged   []string        `json:"damaged,omitempty"`  // what had to be left out
}

// DocumentCounts counts live documents and those awaiting a merge.
type DocumentCounts struct {
	Live int `json:"live"`
	Gone int `json:"gone"`
}

// SurfaceStatus counts what one surface holds.
type SurfaceStatus struct {
	Name      surfaces.Name `json:"name"`
	Documents int           `json:"documents"` // that have it
	Terms     int           `json:"terms"`     // different ones, summed over index files
}

// ByteCounts are sizes on disk.
type ByteCounts struct {
	Shards      int64 `json:"shards"`
	Ledger      int64 `json:"ledger"`
	Transcripts int64 `json:"transcripts"`
	Manifest    int64 `json:"manifest"`
}

// SourceStatus counts the transcripts of one root.
type SourceStatus struct {
	Name        string `json:"name"` // kind of agent
	Root        string `json:"root"` // folder
	Transcripts int    `json:"transcripts"`
	Gone        int    `json:"gone"` // indexed, and not there any more
}

// WriterStatus says who is writing now.
type WriterStatus struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Since   Time   `json:"since"`
}

// CheckReport is the result of verifying a corpus.
type CheckReport struct {
	OK       bool        `json:"ok"`
	Checked  CheckCounts `json:"checked"`
	Problems []Problem   `json:"problems"`
}

// CheckCounts says how much a check looked at.
type CheckCounts struct {
	Shards    int `json:"shards"`
	Documents int `json:"documents"`
	Postings  int `json:"postings"` // lists of them: a term of a surface has one in each shard
}

// A Problem is one broken invariant.
type Problem struct {
	File   string `json:"file"` // below the corpus's folder
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	Repair string `json:"repair,omitempty"` // command that mends it
}
