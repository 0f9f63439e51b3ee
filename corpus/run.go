package corpus

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// A run is one pass of the writer, from the published state to the next. Its
// workers read and analyse side by side; what they decide is decided under mu.
type run struct {
	ix   *Indexer
	opts SyncOptions
	base *published.Snapshot // published when the run began
	man  *manifest.Manifest  // what will be published
	key  string              // parameters under which transcripts are read now
	next atomic.Uint64       // number of the next shard or table

	walks   *walks          // nil: to be started
	started time.Time       // by the indexer's clock; what is newer may be written still
	newest  map[string]bool // paths within max_sessions; nil: no such bound
	tombs   map[string]bool // tombstones; changed under mu

	mu        sync.Mutex
	builders  []*builder
	holds     bool                                // small shards stay in memory until fold
	sealed    []*published.View                   // shards of this run
	keys      map[*published.View]*[2]keySet      // of sealed shards
	folded    []*published.View                   // shards of the base that went into one of this run
	gone      map[*published.View]*published.Gone // documents that this run replaced, in sealed shards and the base's
	moved     map[signal.Hash][]stored.Place      // turns of which only the places changed
	ledger    *ledger.Ledger                      // nil: not opened in this run
	entries   []ledger.Entry                      // for the ledger, if there is one
	notes     bool                                // whether there is
	rows      []*transcripts.Row                  // to be put into the table
	vanished  map[string]bool                     // paths of transcripts that are gone
	newlyGone []*transcripts.Row                  // of those that vanished since the last run
	readWhole []*transcripts.Row                  // of transcripts that were read from the beginning while others are gone
	report    Report
}

// A sighting is what is known of a turn or session that was met before: where its
// live document is, and what it says.
type sighting struct {
	hash   signal.Hash
	places []stored.Place
	slot   *slot         // in an unsealed shard of builder, or
	in     *builder      //
	ref    published.Ref // in a sealed one
}

// known looks a turn up: in this run's unsealed shards, its sealed ones, the
// published ones. It returns nil for a turn that was never met. Holds mu.
func (r *run) known(id signal.Hash) (*sighting, error) {
	e, err := r.locate(shard.Turn, id)
	if e == nil || err != nil {
		return nil, err
	}
	if places, ok := r.moved[id]; ok {
		e.places = places
		return e, nil
	}
	if e.slot != nil {
		e.places = e.in.slots[shard.Turn].places(e.slot)
		return e, nil
	}
	m, err := e.ref.Turn()
	if err != nil {
		return nil, err
	}
	e.places = m.Places
	return e, nil
}

// locate finds the live document of a key, nil when there is none. Holds mu.
func (r *run) locate(k shard.Kind, id signal.Hash) (*sighting, error) {
	for _, b := range r.builders {
		if s := b.slots[k].of(id); s != nil && !s.gone {
			return &sighting{hash: s.hash, slot: s, in: b}, nil
		}
	}
	for _, views := range [][]*published.View{r.sealed, r.base.Views} {
		for _, v := range slices.Backward(views) {
			if keys := r.keys[v]; keys != nil && !keys[k].mayHave(id) {
				continue
			}
			doc, ok, err := v.FindHash(k, id)
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			if !ok || !v.Live(k, doc) || r.isGone(v, k, doc) {
				continue
			}
			h, err := v.Head(k, doc)
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			return &sighting{hash: h.Hash, ref: published.Ref{View: v, Doc: doc}}, nil
		}
	}
	return nil, nil
}

func (r *run) isGone(v *published.View, k shard.Kind, doc uint32) bool {
	g := r.gone[v]
	return g != nil && g[k].Contains(doc)
}

// retire takes a document out of the corpus. Holds mu.
func (r *run) retire(k shard.Kind, id signal.Hash, e *sighting) {
	if e.slot != nil {
		e.in.gone.Add(k, e.slot.doc)
		e.slot.gone = true
		return
	}
	g := r.gone[e.ref.View]
	if g == nil {
		g = new(published.Gone)
		r.gone[e.ref.View] = g
	}
	g.Add(k, e.ref.Doc)
}
