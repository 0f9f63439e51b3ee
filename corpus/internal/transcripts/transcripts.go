// Package transcripts is the table TRANSCRIPTS: one row a transcript, with the
// cheap signals that tell whether it must be opened at all.
//
// It is a cache. When it is lost or damaged transcripts are read again and
// found unchanged. It knows neither formats of transcripts nor turns; a row's
// State is its caller's.
package transcripts

import (
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/sources"
)

// Flags mark rows.
type Flags uint32

// The flags.
const (
	Gone        Flags = 1 << iota // the file vanished; what was indexed of it stays
	OutOfScope                    // outside since, projects, lanes or max_sessions when last looked at
	Provisional                   // modified within 2 s of the scan: the same stat does not prove it unchanged
	Unreadable                    // the last attempt to read it failed
	StandIn                       // known from elsewhere than its session's transcript, which is gone
)

// A Row is what is known of one transcript. A row that Get or All returned is the
// table's: it stays valid when the table is closed, and nobody writes to it.
type Row struct {
	Source, Path string           // the key
	Size         int64            // bytes
	ModTime      int64            // Unix nanoseconds
	Inode        uint64           // 0 where the system has none
	End          uint64           // hash of its last bytes when Provisional, else 0
	From         sources.Position // where the last turn starts
	LastTurn     string           // id of the last turn, "" when there is none
	LastHash     signal.Hash      // its content hash
	LastEntry    string           // native id of the last entry of the chain
	Params       string           // short hash of the parameters it was read under
	State        []byte           // opaque: what reading on needs
	Session      string           // native id
	Parent       string           // session that spawned this one, or ""
	Lane         sources.Lane
	Project      string
	Created      int64 // Unix milliseconds, of the first turn
	Updated      int64 // Unix milliseconds, last activity
	Turns        int
	Links        []string // other sessions of the family
	Flags        Flags
}

// A Ref names a table and how much of its file counts. The zero Ref is an
// empty table without a file.
type Ref struct {
	Name   string
	Length int64
	Rows   int    // in the file
	Late   string // records that came after those of the file
}

// A DamageError says that a table is missing or not what was published. The
// caller goes on with an empty Table and reads transcripts again.
type DamageError struct {
	Path   string
	Offset int64 // of the record that cannot be used
	Err    error
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s: damaged at byte %d: %v", e.Path, e.Offset, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }
