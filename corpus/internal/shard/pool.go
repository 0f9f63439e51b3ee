package shard

import (
	"encoding/binary"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// A pool holds many byte sequences that grow at the same time, as chunks that
// double in size, each ending with the place of the next (the byte block pool
// of Lucene). Places are below 4 GB.
type pool struct {
	pages [][]byte
	used  int // of the last page
}

const (
	poolPage   = 32 << 10 // 2^15, so that a place is page and offset
	poolShift  = 15
	chunkFirst = 12 // bytes: holds about five postings, which most terms do not reach
	chunkLevel = 8  // doublings after which chunks stop growing: 3,072 bytes
	linkSize   = 4
)

func chunkBytes(level uint8) int { return chunkFirst << level }

func (p *pool) size() int64 { return int64(len(p.pages)) * poolPage }

// chunk makes a chunk of a level and returns its place, twice, and its room.
func (p *pool) chunk(level uint8) (head, tail uint32, room uint16) {
	n := chunkBytes(level) + linkSize
	if len(p.pages) == 0 || p.used+n > len(p.pages[len(p.pages)-1]) {
		// The first page is small, for shards of one turn.
		size := poolPage
		if len(p.pages) == 0 {
			size = poolPage / 16
		}
		p.page(max(n, size))
	}
	at := uint32(len(p.pages)-1)<<poolShift | uint32(p.used)
	p.used += n
	return at, at, uint16(n - linkSize)
}

// page begins a page: one of before renew, if it is large enough.
func (p *pool) page(size int) {
	n := len(p.pages)
	p.pages, p.used = slices.Grow(p.pages, 1)[:n+1], 0
	if len(p.pages[n]) < size {
		p.pages[n] = make([]byte, size)
	}
}

// renew empties the pool. The pages that were used stay.
func (p *pool) renew() {
	p.drop()
	p.pages, p.used = p.pages[:0], 0
}

// drop gives up the pages that are not in use, and spare is how many bytes they take.
func (p *pool) drop() { clear(p.pages[len(p.pages):cap(p.pages)]) }

func (p *pool) spare() (n int64) {
	for _, page := range p.pages[len(p.pages):cap(p.pages)] {
		n += int64(len(page))
	}
	return n
}

// append writes bytes at the end of a term's sequence.
func (p *pool) append(r *termRow, b []byte) {
	for len(b) > 0 {
		if r.room == 0 {
			r.level = min(r.level+1, chunkLevel)
			next, _, room := p.chunk(r.level)
			page := p.pages[r.tail>>poolShift]
			binary.LittleEndian.PutUint32(page[r.tail%poolPage:], next)
			r.tail, r.room = next, room
		}
		n := copy(p.pages[r.tail>>poolShift][r.tail%poolPage:][:r.room], b)
		r.tail += uint32(n)
		r.room -= uint16(n)
		b = b[n:]
	}
}

// A chained is a chunk and the level of the last of its sequence.
type chained struct {
	at   uint32
	last uint8
}

// fetchLevels is of how many chunks of a sequence the processor is asked for; those
// behind them are so long that it foresees most of what is read.
const fetchLevels = 5

// fetch brings sequences into the processor's cache, given by their first chunks, at
// most extendAtOnce. It changes in.
func (p *pool) fetch(in []chained) {
	var bytes [extendAtOnce]*byte
	for level := uint8(0); level < fetchLevels && len(in) > 0; level++ {
		for i, c := range in {
			bytes[i] = &p.pages[c.at>>poolShift][c.at%poolPage]
		}
		prefetch.Bytes(bytes[:len(in)])
		n := 0
		for _, c := range in {
			if c.last > level {
				link := p.pages[c.at>>poolShift][c.at%poolPage+uint32(chunkBytes(level)):]
				in[n] = chained{binary.LittleEndian.Uint32(link), c.last}
				n++
			}
		}
		in = in[:n]
	}
}

// appendAll appends a term's sequence to b.
func (p *pool) appendAll(b []byte, r *termRow) []byte {
	at := r.head
	for level := uint8(0); ; level = min(level+1, chunkLevel) {
		n := uint32(chunkBytes(level))
		chunk := p.pages[at>>poolShift][at%poolPage:]
		if r.tail >= at && r.tail-at <= n {
			return append(b, chunk[:r.tail-at]...)
		}
		b = append(b, chunk[:n]...)
		at = binary.LittleEndian.Uint32(chunk[n:])
	}
}
