package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// The ledger is opened only where a bulk of turns has to be looked up, or noted
// in one that was made for that. Below these bounds the id tables of the shards
// answer as well, without the 7 to 18 ms that opening a database costs; the ledger
// then lags and catches up the next time. So a first index makes none.
const (
	ledgerDir     = "ledger"
	ledgerLookups = 4 << 20 // bytes of known transcripts to be read again from the beginning
	ledgerNotes   = 256     // turns written
)

// wantsLedger reports whether the run reads so much again that the ledger pays.
func (r *run) wantsLedger(jobs []job) bool {
	var again int64
	for i := range jobs {
		if j := &jobs[i]; j.row != nil && j.whole {
			again += j.info.Size
		}
	}
	return again >= max(ledgerLookups, r.toCatchUp()) && !r.opts.Small
}

// hasLedger reports whether a ledger was made.
func (r *run) hasLedger() bool { return !absent(filepath.Join(r.ix.cfg.Dir, ledgerDir)) }

// toCatchUp is how many bytes of shards a ledger that was never made has to be
// made of, which must not be more than it saves reading.
func (r *run) toCatchUp() int64 {
	if r.hasLedger() {
		return 0
	}
	return sizeOf(r.base.Manifest.Shards)
}

// openLedger opens the ledger and brings it up to the published state. It is a
// cache: where it cannot be used, the disk being full for one, the run goes on
// without it and asks the shards.
func (r *run) openLedger() {
	l, err := ledger.Open(filepath.Join(r.ix.cfg.Dir, ledgerDir))
	if err != nil {
		return
	}
	r.ledger, r.notes = l, true
	r.report.LedgerOpened = true
	if r.catchUp() != nil {
		r.dropLedger()
	}
}

// dropLedger closes the ledger. One that cannot be closed well is made anew the
// next time.
func (r *run) dropLedger() {
	if r.ledger != nil {
		_ = r.ledger.Close()
		r.ledger = nil
	}
}

// removeLedger removes the ledger before something is published that it would
// contradict: it is made again from the shards.
func (ix *Indexer) removeLedger() error {
	if err := os.RemoveAll(filepath.Join(ix.cfg.Dir, ledgerDir)); err != nil {
		return fmt.Errorf("removing the ledger: %w", err)
	}
	return nil
}

// catchUp notes what was published since the ledger was open last. A ledger
// that follows another index begins anew: the shards are the truth.
func (r *run) catchUp() error {
	seen, err := r.ledger.Seen()
	if err != nil {
		return err
	}
	if len(seen) == 0 || seen[0] != r.base.Manifest.Index {
		if err := r.ledger.Reset(); err != nil {
			return err
		}
		seen = nil
	}
	for _, v := range r.base.Views {
		if !slices.Contains(seen, v.Name) {
			if err := r.replay(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// replay notes the live turns of a shard that the ledger has not seen.
func (r *run) replay(v *published.View) error {
	n := uint32(v.Len(shard.Turn))
	entries := make([]ledger.Entry, 0, min(n, 4096))
	for doc := range n {
		if !v.Live(shard.Turn, doc) {
			continue
		}
		h, err := v.Head(shard.Turn, doc)
		if err != nil {
			return published.Damage(v.Name, err)
		}
		m, err := published.Ref{View: v, Doc: doc}.Turn()
		if err != nil {
			return err
		}
		entries = append(entries, ledger.Entry{Turn: h.Key, Content: ledgerSignal(h.Hash, m.Places)})
		if len(entries) == cap(entries) {
			if err := r.ledger.Put(entries); err != nil {
				return err
			}
			entries = entries[:0]
		}
	}
	return r.ledger.Put(entries)
}

// writeLedger notes what the run wrote, after it was published, if there is a
// ledger. A run that wrote little leaves it for later.
func (r *run) writeLedger() {
	if r.ledger == nil && len(r.entries) >= ledgerNotes && !r.opts.Small && r.hasLedger() {
		r.openLedger()
	}
	if r.ledger == nil {
		return
	}
	seen := []string{r.ix.snap.Manifest.Index}
	for _, s := range r.ix.snap.Manifest.Shards {
		seen = append(seen, s.Name)
	}
	if r.ledger.Put(r.entries) != nil || r.ledger.SetSeen(seen) != nil {
		r.dropLedger()
	}
}
