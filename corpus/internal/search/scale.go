package search

import (
	"math"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A Scale says from what sizes on a search goes its faster ways.
type Scale struct {
	Skip   int     // turns from which some are left out: below, there is little to leave out
	Share  uint32  // blocks that a goroutine takes at a time
	Few    int     // sessions whose titles and summaries may say more than the floor of turns allows for
	All    int     // turns that match and are scored one after the other, where sessions are asked for
	AtOnce int     // turns that are scored as fast as they are told apart
	Spare  int     // rows beyond those that are shown, some of which may be held back
	Batch  int     // turns of sessions that are completed together
	Long   int     // turns of a session of which a text is read sooner than it is completed
	Crowd  int     // occurrences in a block from which on it is faster to make rough scores first
	Level  float64 // share of the floor down to which turns of sessions are looked for at first

	Sampled int    // blocks of many from which the floor of sessions is guessed
	Plain   uint32 // rows of a shard whose texts are unpacked: what is known of its words is pages of memory that one search does not make up for
}

var usual = Scale{Skip: 2 * shard.BlockDocs, Share: 4, Few: 64, All: 8 * shard.BlockDocs, AtOnce: 4 * shard.BlockDocs, Spare: 3, Batch: shard.BlockDocs, Long: 128,
	Crowd: crowd(), Level: 0.3, Sampled: 16, Plain: 256}

func crowd() int {
	if rank.RoughFast {
		return shard.BlockDocs / 4
	}
	return math.MaxInt
}
