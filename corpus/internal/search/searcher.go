package search

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
	"github.com/hansard-search/hansard/corpus/internal/query"
)

// A Searcher keeps what searches write on between them. The zero value is ready, and
// may be used from any goroutine.
type Searcher struct {
	Depth int    // rows that the second stage puts in order; 0: rank.Depth. For tests
	Scale *Scale // nil: usual. For tests; set it, as Depth, before the first search

	texts     query.Texts
	scratches sync.Pool // of *scratch, all zero
	ranks     sync.Pool // of *rankedTop, empty
	rooms     sync.Pool // of *orderRoom, empty
	forecasts sync.Pool // of *forecast
	hits      sync.Pool // of *findings, of which nothing is found
	sets      sync.Pool // of *bits, of large views
	skippers  sync.Pool // of *skipper, with nothing but room
	skippings sync.Pool // of *skipping, likewise
}

// pooledSet is how many words a set has, 64 turns each, that is worth keeping.
// Room is a multiple of it, so that the sets of views of about a size can take
// each other's place.
const pooledSet = 1 << 7

// set returns an empty set of n words.
func (p *Searcher) set(n int) bits {
	if n >= pooledSet {
		if kept, _ := p.sets.Get().(*bits); kept != nil && cap(*kept) >= n {
			set := (*kept)[:n]
			clear(set)
			return set
		}
	}
	if n < pooledSet {
		return make(bits, n)
	}
	return make(bits, (n+pooledSet-1)&^(pooledSet-1))[:n]
}

// keepSet takes a set back.
func (p *Searcher) keepSet(set bits) {
	if cap(set) >= pooledSet {
		p.sets.Put(&set)
	}
}

// findings returns some in which nothing is found yet.
func (p *Searcher) findings(n *numbering) findings {
	f, _ := p.hits.Get().(*findings)
	if f == nil || cap(f.hits) < n.len() {
		f = &findings{hits: prefetch.Written(make([]sessionHit, n.len()))}
	}
	return findings{numbering: n, hits: f.hits[:n.len()], touched: f.touched}
}

// keep takes back what f is made of.
func (p *Searcher) keep(f *findings) {
	for _, number := range f.touched {
		f.hits[number] = sessionHit{}
	}
	p.hits.Put(&findings{hits: f.hits, touched: f.touched[:0]})
	*f = findings{}
}
