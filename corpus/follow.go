package corpus

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// The ledger is opened only where a bulk of turns has to be looked up or noted.
// Below these bounds the id tables of the shards answer as well, without the
// 7 to 18 ms that opening a database costs; the ledger then lags and catches up
// the next time.
const (
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
	return again >= ledgerLookups && !r.opts.Small
}

// openLedger opens the ledger and brings it up to the published state. A ledger
// that follows another index, or cannot be read, begins anew: the shards are
// the truth.
func (r *run) openLedger() error {
	l, err := ledger.Open(filepath.Join(r.ix.cfg.Dir, "ledger"))
	if err != nil {
		return fmt.Errorf("opening the ledger: %w", err)
	}
	r.ledger = l
	r.report.LedgerOpened = true
	seen, err := l.Seen()
	if err != nil {
		return fmt.Errorf("reading the ledger: %w", err)
	}
	if len(seen) == 0 || seen[0] != r.base.man.Index {
		if err := l.Reset(); err != nil {
			return fmt.Errorf("emptying the ledger: %w", err)
		}
		seen = nil
	}
	for _, v := range r.base.views {
		if !slices.Contains(seen, v.name) {
			if err := r.replay(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// replay notes the live turns of a shard that the ledger has not seen.
func (r *run) replay(v *view) error {
	n := uint32(v.Len(shard.Turn))
	entries := make([]ledger.Entry, 0, min(n, 4096))
	for doc := range n {
		if !v.live(shard.Turn, doc) {
			continue
		}
		h, err := v.Head(shard.Turn, doc)
		if err != nil {
			return damage(v.name, err)
		}
		m, err := docRef{v, doc}.turnMeta()
		if err != nil {
			return err
		}
		entries = append(entries, ledger.Entry{Turn: h.Key, Content: ledgerSignal(h.Hash, m.Places)})
		if len(entries) == cap(entries) {
			if err := r.ledger.Put(entries); err != nil {
				return fmt.Errorf("writing the ledger: %w", err)
			}
			entries = entries[:0]
		}
	}
	return r.ledger.Put(entries)
}

// writeLedger notes what the run wrote, after it was published. A run that
// wrote little leaves it for later.
func (r *run) writeLedger() error {
	if r.ledger == nil && (len(r.entries) < ledgerNotes || r.opts.Small) {
		return nil
	}
	if r.ledger == nil {
		if err := r.openLedger(); err != nil {
			return err
		}
	}
	if err := r.ledger.Put(r.entries); err != nil {
		return fmt.Errorf("writing the ledger: %w", err)
	}
	seen := []string{r.ix.snap.man.Index}
	for _, s := range r.ix.snap.man.Shards {
		seen = append(seen, s.Name)
	}
	return r.ledger.SetSeen(seen)
}
