package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// put takes a turn that was read at a place into the corpus: it writes what is
// new, replaces what changed, and leaves alone what is the same. A turn that
// stands in several sessions is one turn; its content is taken from the best of
// its places, whatever the order in which they are read.
func (r *run) put(b *builder, d *draft) error {
	id := signal.Of(d.turn.ID)
	places, err := r.decide(b, id, d)
	if err != nil || places == nil {
		return err
	}
	c := d.content()
	return b.add(b.author.document(&c, places))
}

// decide returns the places with which the draft has to be written, nil when
// it need not be. A written turn is claimed in b before the mutex is let go.
func (r *run) decide(b *builder, id signal.Hash, d *draft) ([]stored.Place, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.proven(id, d) {
		return nil, nil
	}
	e, err := r.known(id)
	if err != nil {
		return nil, err
	}
	if e == nil {
		if err := r.replace(b, shard.Turn, id, nil); err != nil {
			return nil, err
		}
		d.only = [1]stored.Place{d.place}
		places := d.only[:]
		r.claim(b, id, d.hash, places)
		r.report.Added++
		return places, nil
	}
	places, moved := withPlace(e.places, d.place, func(path string) bool { return r.vanished[path] })
	ours := places[0] == d.place
	if !moved && (!ours || e.hash == d.hash) {
		return nil, nil
	}
	if r.asPublished(id, e) {
		r.report.Changed++
	}
	if !ours || e.hash == d.hash {
		r.moved[id] = places // the content stays; see moved.go
		return nil, nil
	}
	if err := r.replace(b, shard.Turn, id, e); err != nil {
		return nil, err
	}
	delete(r.moved, id)
	r.claim(b, id, d.hash, places)
	return places, nil
}

// replace takes a document out of the corpus, if it is there, because b will hold
// it anew. A shard holds a key once, so a shard of b that had it is finished first.
// Holds mu.
func (r *run) replace(b *builder, k shard.Kind, id signal.Hash, e *sighting) error {
	if b.slots[k].of(id) != nil {
		if err := r.sealLocked(b); err != nil {
			return err
		}
		var err error
		if e, err = r.locate(k, id); err != nil {
			return err
		}
	}
	if e != nil {
		r.retire(k, id, e)
	}
	return nil
}

// asPublished reports whether the turn is as it was before the run: one that the
// run wrote or marked is in the report already. Holds mu.
func (r *run) asPublished(id signal.Hash, e *sighting) bool {
	_, marked := r.moved[id]
	return !marked && e.slot == nil && !slices.Contains(r.sealed, e.ref.View)
}

// claim gives the turn its document and notes it for the ledger. Holds mu.
func (r *run) claim(b *builder, id, hash signal.Hash, places []stored.Place) {
	b.claim(shard.Turn, id, hash, places)
	r.note(id, hash, places)
}

// note notes the turn for the ledger. Holds mu.
func (r *run) note(id, hash signal.Hash, places []stored.Place) {
	if r.notes {
		r.entries = append(r.entries, ledger.Entry{Turn: id, Content: ledgerSignal(hash, places)})
	}
}

// proven asks the ledger, when it is open, whether the turn is just what was
// indexed before. Only a turn with one place can be proven so; others are looked
// at more closely. Holds mu.
func (r *run) proven(id signal.Hash, d *draft) bool {
	if r.ledger == nil {
		return false
	}
	was, ok, err := r.ledger.Get(id)
	if err != nil {
		r.dropLedger() // a cache: the shards tell as well
		return false
	}
	return ok && was == ledgerSignal(d.hash, []stored.Place{d.place})
}

// ledgerSignal is what the ledger keeps of a turn: its content hash together
// with its places, so that one look-up proves both unchanged.
func ledgerSignal(hash signal.Hash, places []stored.Place) signal.Hash {
	var s signal.Sum
	s.String(string(hash[:]))
	for _, p := range places {
		s.String(p.Session)
		s.String(p.Path)
		s.Int(p.Began)
		s.Int(int64(p.First))
		s.Int(int64(p.Messages))
		if p.Complete {
			s.Int(1)
		}
	}
	return s.Hash()
}
