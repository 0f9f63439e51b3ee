package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// Keys are 16 bytes, a turn's hash, and hold 16 bytes, its content's; but for
// seenKey, which no turn's can be, as it is shorter. It holds a JSON list of strings.
var seenKey = []byte("seen")

// schema is checked by Badger when it opens a folder; a folder of another
// schema counts as unreadable. History: 1, the first.
const schema = 1

// ErrInUse says that another process, or this one, has the ledger open.
var ErrInUse = errors.New("ledger is in use")

// Ledger is the database in a folder. Open makes one; it is for one goroutine at a
// time.
type Ledger struct {
	db    *badger.DB
	dir   string
	owner *lock.Lock
	known seal // sums of the files that were there when it was opened

	// Recreated says that the folder was not as a Close left it, and was made
	// anew, empty: the caller replays the shards, as it does for a new one.
	Recreated bool
}

// tuned returns options for a database of small entries that must not cost
// the memory which an index run has for itself.
func tuned(dir string) badger.Options {
	return badger.DefaultOptions(dir).
		WithLogger(nil). // the default writes to stderr
		WithMetricsEnabled(false).
		WithExternalMagic(schema).
		WithMemTableSize(2 << 20). // a bulk load's heap follows this and the next: a third less than with 8 and 1 MB, as fast
		WithBaseTableSize(512 << 10).
		WithNumMemtables(2).
		WithNumCompactors(2). // the least it takes
		WithNumGoroutines(1).
		WithCompression(options.None). // hashes do not compress
		WithBlockCacheSize(0).         // only compressed tables need one
		WithIndexCacheSize(1 << 20).
		WithValueLogFileSize(1 << 20). // holds nothing, as no value is above the threshold; preallocated twice over
		WithValueThreshold(64 << 10).
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false). // one writer
		WithSyncWrites(false).      // survives the process; SetSeen and Close sync
		WithVerifyValueChecksum(true).
		WithChecksumVerificationMode(options.OnBlockRead)
}

// Open opens the ledger in the folder dir, which it makes when absent. A
// folder that cannot be trusted is made anew, see Recreated; ErrInUse when
// somebody has it open. Files get mode 0600, folders 0700.
func Open(dir string) (*Ledger, error) {
	l := &Ledger{dir: dir}
	if err := l.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger %s: %w", dir, err), l.owner.Release())
	}
	return l, nil
}

func (l *Ledger) open() error {
	err := private(l.dir)
	if err != nil {
		return err
	}
	// The time is of no use to anybody here: nobody waits for this lock.
	if l.owner, err = lock.Try(filepath.Join(l.dir, ownerName), "ledger", time.Time{}); err != nil {
		return busy(err)
	}
	s, known, err := inspect(l.dir)
	if err != nil {
		return err
	}
	if s == sound {
		l.known = known
		if err := os.Remove(filepath.Join(l.dir, sealName)); err != nil {
			return err
		}
		if l.db, err = openDB(l.dir); err == nil {
			return nil
		}
		s = broken // another version's, say
	}
	l.Recreated = s == broken
	return l.create()
}

// create makes an empty database in the place of whatever is there.
func (l *Ledger) create() (err error) {
	l.known = nil
	if err := wipe(l.dir); err != nil {
		return err
	}
	l.db, err = openDB(l.dir)
	return err
}

// openDB turns the panics that Badger raises in this goroutine into errors.
func openDB(dir string) (db *badger.DB, err error) {
	defer func() {
		if p := recover(); p != nil {
			db, err = nil, fmt.Errorf("open: %v", p)
		}
	}()
	return badger.Open(tuned(dir))
}

// Get returns the content hash of a turn; ok is false when it is unknown.
func (l *Ledger) Get(turn signal.Hash) (content signal.Hash, ok bool, err error) {
	err = l.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(turn[:])
		if err != nil {
			return err
		}
		return item.Value(func(v []byte) error { return copyHash(&content, v) })
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return signal.Hash{}, false, nil
	}
	if err != nil {
		return signal.Hash{}, false, fmt.Errorf("ledger: %w", err)
	}
	return content, true, nil
}

func copyHash(h *signal.Hash, v []byte) error {
	if len(v) != len(h) {
		return fmt.Errorf("value of %d bytes", len(v))
	}
	copy(h[:], v)
	return nil
}

// Put adds, replaces and removes entries, the later of two of one turn last. They
// are durable after SetSeen or Close.
func (l *Ledger) Put(entries []Entry) error {
	batch := l.db.NewWriteBatch()
	defer batch.Cancel()
	for _, e := range entries {
		var err error
		if e.Content.IsZero() {
			err = batch.Delete(append([]byte(nil), e.Turn[:]...))
		} else {
			pair := append(append(make([]byte, 0, 32), e.Turn[:]...), e.Content[:]...) // the batch keeps both
			err = batch.Set(pair[:16:16], pair[16:])
		}
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	if err := batch.Flush(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// Seen lists what SetSeen was told last, nil before.
func (l *Ledger) Seen() (seen []string, err error) {
	err = l.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(seenKey)
		if err != nil {
			return err
		}
		return item.Value(func(v []byte) error { return json.Unmarshal(v, &seen) })
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return seen, nil
}

// SetSeen notes up to where the ledger follows the corpus, as the caller spells it,
// after everything that was Put before is durable.
func (l *Ledger) SetSeen(seen []string) error {
	v, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	if err := l.db.Sync(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	err = l.db.Update(func(txn *badger.Txn) error { return txn.Set(seenKey, v) })
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// Reset removes everything, what was seen included. It makes the database anew,
// which costs less than telling Badger to drop everything.
func (l *Ledger) Reset() error {
	if err := errors.Join(l.db.Close(), l.create()); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

// Close ends the use of the ledger, and makes it durable. After an error the next
// Open makes it anew.
func (l *Ledger) Close() error {
	err := l.db.Close()
	if err == nil {
		err = l.seal()
	}
	if err := errors.Join(err, l.owner.Release()); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}

func (l *Ledger) seal() error {
	if err := private(l.dir); err != nil {
		return err
	}
	s, err := reseal(l.dir, l.known)
	if err != nil {
		return err
	}
	return writeSeal(l.dir, s)
}
