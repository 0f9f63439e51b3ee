// Package ledger is the exact change signal: for every turn of a corpus the
// hash of what was indexed of it. It is the only door to Badger.
//
// It is a cache of the shards, opened by the holder of the writer lock only,
// and only when a turn other than a transcript's last must be looked up. It
// knows neither turns nor shards: keys and values are hashes.
package ledger

import (
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// An Entry is what was indexed of one turn.
type Entry struct {
	Turn    signal.Hash // signal.Of the turn's id
	Content signal.Hash // content hash; in Put the zero hash removes the entry
}

// A Store is what Ledger and Memory both are. One goroutine at a time.
type Store interface {
	// Get returns the content hash of a turn; ok is false when it is unknown.
	Get(turn signal.Hash) (content signal.Hash, ok bool, err error)
	// GetMany is Get for a list: the zero hash where a turn is unknown.
	GetMany(turns []signal.Hash) ([]signal.Hash, error)
	// Put adds, replaces and removes entries, the later of two of one turn
	// last. They are durable after SetSeen or Close.
	Put(entries []Entry) error
	// Seen lists what SetSeen was told last, nil before.
	Seen() ([]string, error)
	// SetSeen notes up to where the ledger follows the corpus (epoch, shards), as
	// the caller spells it, after everything that was Put before is durable.
	SetSeen(seen []string) error
	// Reset removes everything, what was seen included.
	Reset() error
	// Close ends the use of the store, and makes it durable.
	Close() error
}
