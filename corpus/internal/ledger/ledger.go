// Package ledger is the exact change signal: for every turn of a corpus the
// hash of what was indexed of it. It is the only door to Badger.
//
// It is a cache of the shards, opened by the holder of the writer lock only,
// and only when a turn other than a transcript's last must be looked up. It
// knows neither turns nor shards: keys and values are hashes.
package ledger

import "github.com/hansard-search/hansard/corpus/internal/signal"

// An Entry is what was indexed of one turn.
type Entry struct {
	Turn    signal.Hash // signal.Of the turn's id
	Content signal.Hash // content hash; in Put the zero hash removes the entry
}
