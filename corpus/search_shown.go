package corpus

import (
	"sync/atomic"
	"weak"

	"github.com/hansard-search/hansard/corpus/internal/shard"
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
	meta  *turnMeta
}

// shownBytes is of how many bytes what is remembered was made at most.
const shownBytes = 1 << 11

// meta is turnMeta of a turn that is shown.
func (s *shownTurns) meta(ref docRef) (*turnMeta, error) {
	const odd = 0x9E3779B1 // turns of a shard go apart, and those with a number in several shards
	at := &s[(ref.doc^uint32(ref.view.Len(shard.Turn))*odd)*odd>>21]
	of := weak.Make(ref.view.Reader)
	if t := at.Load(); t != nil && t.shard == of && t.doc == ref.doc {
		return t.meta, nil
	}
	m, size, err := ref.sizedMeta()
	if err == nil && size <= shownBytes {
		at.Store(&shownTurn{of, ref.doc, m})
	}
	return m, err
}
