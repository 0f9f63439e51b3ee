package corpus

import (
	"time"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
)

// A Config says where a corpus is kept and what it is made of. Dir is required;
// the zero value of everything else works.
type Config struct {
	Dir      string              // folder of this corpus, made when it is not there
	Name     string              // preset, as reports print it
	Sources  []sources.Source    // what Sync reads
	Strategy strategies.Strategy // nil: strategies.ClaudeTurn{}
	Bounds   Bounds
	Holder   string           // command line that the lock file names
	Wait     time.Duration    // how long to wait for the writer lock; 0: not at all
	Reader   *Corpus          // open on the same folder: its files are shared, not opened again; may be nil
	Now      func() time.Time // nil: time.Now
	Progress func(Progress)   // nil: nobody looks; called from one goroutine at a time
}

// Bounds limit what a Sync looks at. Nothing leaves the index because it
// left them. The zero Bounds let in every session of the main lane.
type Bounds struct {
	Since       time.Time      // sessions whose last activity is older are not read; zero: all
	Projects    []string       // whole paths or last components; empty: all
	MaxSessions int            // the newest; 0: all
	Lanes       []sources.Lane // beside Main, which is always in
}

// Params are the parameters under which an index was built, as they were
// spelled. They are kept in the corpus, and a refresh uses them again.
type Params struct {
	Since       string   `json:"since"` // "90d", "2026-01-01", "all"
	Projects    []string `json:"projects"`
	MaxSessions int      `json:"maxSessions"`
	Include     []string `json:"include"` // see IncludeFull and the others
	Roots       []Root   `json:"roots"`
	Config      string   `json:"config,omitempty"` // what the config file said when they were taken from it
}

// A Root is a folder of transcripts of one kind of source.
type Root struct {
	Kind    string `json:"kind"`
	Dir     string `json:"dir"`
	Default bool   `json:"default,omitempty"` // the kind's usual place, looked up again at each run
}

// Progress is how far a Sync has come.
type Progress struct {
	Done, Total           int   // transcripts
	BytesDone, BytesTotal int64 // of the transcripts to read
}

// SyncOptions are the choices of one run. The zero value reads what changed.
type SyncOptions struct {
	Full   bool     // read every transcript again; what is gone is carried over
	Params Params   // only stored, for who refreshes the index next; this run goes by the Config
	Reread []string // ids of sessions whose transcripts are read again though they did not change
	Small  bool     // a refresh inside a search: merge little, leave the ledger for later
}
