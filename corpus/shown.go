package corpus

import (
	"sync/atomic"
	"weak"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// shownTurns remembers what was read of turns beside their texts: to unpack and
// parse that of ten turns takes a sixth of a search of few turns, and of those the
// same are found again and again. The zero value is empty.
type shownTurns [1 << 11]atomic.Pointer[shownTurn]

// A shownTurn is for all who show the turn: nobody changes it. It keeps no shard that
// is closed, and what that holds, in memory.
type shownTurn struct {
	shard weak.Pointer[shard.Reader]
	doc   uint32
	meta  *stored.Turn
}

// shownBytes is of how many bytes what is remembered was made at most.
const shownBytes = 1 << 11

// meta is the meta of a turn that is shown.
func (s *shownTurns) meta(ref published.Ref) (*stored.Turn, error) {
	const odd = 0x9E3779B1 // turns of a shard go apart, and those with a number in several shards
	at := &s[(ref.Doc^uint32(ref.View.Len(shard.Turn))*odd)*odd>>21]
	of := weak.Make(ref.View.Reader)
	if t := at.Load(); t != nil && t.shard == of && t.doc == ref.Doc {
		return t.meta, nil
	}
	m, size, err := ref.SizedTurn()
	if err == nil && size <= shownBytes {
		at.Store(&shownTurn{of, ref.Doc, m})
	}
	return m, err
}
