package shard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// turnsIn is a shard of turns, of the session that each number names.
func turnsIn(t *testing.T, sessions []int) []byte {
	t.Helper()
	var docs []Doc
	for i, s := range sessions {
		docs = append(docs, Doc{Key: fmt.Sprintf("t%d", i), Session: fmt.Sprintf("s%d", s)})
	}
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStretches: stretches are those of the sessions of all turns, kept or not.
func TestStretches(t *testing.T) {
	rows := func(n, long int) (sessions []int) {
		for i := range n {
			sessions = append(sessions, i/long%40)
		}
		return sessions
	}
	for _, c := range []struct {
		name     string
		sessions []int
		kept     bool
	}{
		{"none", nil, false},
		{"few", rows(BlockDocs-1, 100), false},
		{"many", rows(BlockDocs, 100), true},
		{"again and again", rows(3*BlockDocs, 50), true},
		{"short", rows(BlockDocs, 3), false},
	} {
		r, err := OpenBytes(turnsIn(t, c.sessions))
		if err != nil {
			t.Fatal(err)
		}
		if kept := r.stretches.len > 0; kept != c.kept {
			t.Errorf("%s: kept is %v", c.name, kept)
		}
		got, err := r.Stretches()
		if err != nil {
			t.Fatal(err)
		}
		var back []uint32
		for _, s := range got {
			for uint32(len(back)) < s.End {
				back = append(back, s.Session)
			}
		}
		ords, _ := r.SessionOrds(Turn)
		for doc := range uint32(ords.Len()) {
			if back[doc] != ords.At(doc) {
				t.Fatalf("%s: turn %d is of session %d, not %d", c.name, doc, back[doc], ords.At(doc))
			}
		}
		if len(back) != len(c.sessions) {
			t.Errorf("%s: stretches of %d turns", c.name, len(back))
		}
		verify(t, r)
	}
}

// TestForgedStretches: what cannot be is refused, what is not so is found by Verify.
func TestForgedStretches(t *testing.T) {
	var sessions []int
	for i := range BlockDocs {
		sessions = append(sessions, i/512)
	}
	good := turnsIn(t, sessions)
	forge := func(row, at int, v uint32) *Reader {
		b := slices.Clone(good)
		r, err := OpenBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(b[r.stretches.off+int64(row*stretchSize+at):], v)
		reseal(b)
		if r, err = OpenBytes(b); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		row, at int
		v       uint32
	}{{7, 0, BlockDocs + 1}, {7, 0, 1}, {3, 0, 4000}, {2, 4, 8}} {
		if _, err := forge(c.row, c.at, c.v).Stretches(); err == nil {
			t.Errorf("row %d says %d, and is believed", c.row, c.v)
		}
	}
	for _, r := range []*Reader{forge(3, 0, 2000), forge(3, 4, 2)} {
		found := false
		r.Verify(func(Problem) { found = true })
		if !found {
			t.Error("wrong stretches pass for right ones")
		}
	}
	if b := turnsIn(t, sessions); !bytes.Equal(b, good) {
		t.Error("the same turns give other bytes")
	}
}
