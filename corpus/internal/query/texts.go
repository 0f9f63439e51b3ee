package query

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// A Texts keeps what texts are read with between questions. The zero value is ready,
// and may be used from any goroutine.
type Texts struct {
	analyzers sync.Pool // of *terms.Analyzer, which remember words
	pieces    sync.Pool // of *shard.Pieces, with nothing but room
}

// Analyzer returns one that nobody else uses until it is kept.
func (t *Texts) Analyzer() *terms.Analyzer {
	if a, _ := t.analyzers.Get().(*terms.Analyzer); a != nil {
		return a
	}
	return new(terms.Analyzer)
}

// KeepAnalyzer takes one back.
func (t *Texts) KeepAnalyzer(a *terms.Analyzer) { t.analyzers.Put(a) }

// Pieces returns what reads packed texts of a shard for a matcher, and for what else
// is asked; it is for one goroutine, until it is kept.
func (t *Texts) Pieces(r *shard.Reader, m *terms.Matcher, asked shard.Asked) *shard.Pieces {
	ps, _ := t.pieces.Get().(*shard.Pieces)
	if ps == nil {
		ps = new(shard.Pieces)
	}
	asked.Known, asked.Pairs, asked.Code, asked.Misses = terms.Piece, m.Pairs(), m.Code, m.Misses
	ps.Begin(r, asked)
	return ps
}

// KeepPieces takes one back, which may be nil.
func (t *Texts) KeepPieces(ps *shard.Pieces) {
	if ps != nil {
		ps.End()
		t.pieces.Put(ps)
	}
}
