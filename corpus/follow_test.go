package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// wantLedger makes the corpus one that needed a ledger before: one whose files
// are gone is made anew.
func (b *bench) wantLedger() {
	if err := os.MkdirAll(filepath.Join(b.dir, ledgerDir), 0o700); err != nil {
		b.t.Fatal(err)
	}
}

// TestLedgerOnDemand: however much is indexed, no ledger is made before one is
// needed; from then on bulks are noted, and it knows what was there before.
func TestLedgerOnDemand(t *testing.T) {
	b := newBench(t)
	grow := func(session string, turns int) *Report {
		for i := range turns {
			b.src.AppendRecords(session, pair(fmt.Sprintf("%s-%d", session, i), "why", "because", i))
		}
		return b.sync()
	}
	if rep := grow("many", 2*ledgerNotes); rep.LedgerOpened || !absent(filepath.Join(b.dir, ledgerDir)) {
		t.Error("a first index made a ledger")
	}
	b.wantLedger()
	if rep := grow("few", ledgerNotes-1); rep.LedgerOpened {
		t.Error("opened for little")
	}
	if rep := grow("more", ledgerNotes); !rep.LedgerOpened {
		t.Error("a bulk was not noted")
	}
	if rep := grow("again", ledgerNotes); !rep.LedgerOpened || rep.Added != ledgerNotes {
		t.Errorf("%+v", rep)
	}
}
