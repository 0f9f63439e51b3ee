package corpus

import (
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// claims are the documents of an unsealed shard. A first index has a hundred
// thousand of them at a time, so they hold no pointers: the garbage collector would
// follow them all again and again.
type claims struct {
	numbers map[signal.Hash]uint32    // by key: index of list
	list    []slot                    // by document
	spots   []spot                    // of transcripts, in the order in which they were met
	several map[uint32][]stored.Place // of documents that have not just one place
}

// A slot is a document of an unsealed shard.
type slot struct {
	doc   uint32
	hash  signal.Hash
	gone  bool // it is in the shard for nothing
	place slotPlace
}

// A slotPlace is the only place of a document.
type slotPlace struct {
	spot            uint32 // index and one; 0: see claims.several
	complete        bool
	first, messages int
}

// A spot is what the places in a transcript have in common.
type spot struct {
	session, path string
	began         int64
}

// claim gives the next number to a document.
func (s *claims) claim(key, hash signal.Hash, places []stored.Place) {
	if s.numbers == nil {
		s.numbers = make(map[signal.Hash]uint32)
	}
	doc := uint32(len(s.list))
	s.numbers[key] = doc
	s.list = append(s.list, slot{doc: doc, hash: hash})
	s.move(&s.list[doc], places)
}

// move gives a document other places.
func (s *claims) move(of *slot, places []stored.Place) {
	of.place = slotPlace{}
	switch len(places) {
	case 0:
	case 1:
		p := &places[0]
		of.place = slotPlace{s.spot(spot{p.Session, p.Path, p.Began}), p.Complete, p.First, p.Messages}
	default:
		if s.several == nil {
			s.several = make(map[uint32][]stored.Place)
		}
		s.several[of.doc] = places
	}
}

// spot is the number of a spot: mostly that of the turn before.
func (s *claims) spot(at spot) uint32 {
	if n := len(s.spots); n == 0 || s.spots[n-1] != at {
		s.spots = append(s.spots, at)
	}
	return uint32(len(s.spots))
}

// of is the document of a key, nil where there is none. It is good until the next
// claim.
func (s *claims) of(key signal.Hash) *slot {
	if i, ok := s.numbers[key]; ok {
		return &s.list[i]
	}
	return nil
}

// places are those of a document.
func (s *claims) places(of *slot) []stored.Place {
	p := &of.place
	if p.spot == 0 {
		return s.several[of.doc]
	}
	at := &s.spots[p.spot-1]
	return []stored.Place{{Session: at.session, Path: at.path, Began: at.began, First: p.first, Messages: p.messages, Complete: p.complete}}
}

// clear begins another shard, in the same memory.
func (s *claims) clear() {
	clear(s.numbers)
	clear(s.spots)
	s.list, s.spots, s.several = s.list[:0], s.spots[:0], nil
}
