package postings

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSet invents numbers with many neighbours and some far away.
func drawSet(t *rapid.T) map[uint32]bool {
	m := map[uint32]bool{}
	for range rapid.IntRange(0, 8).Draw(t, "runs") {
		first := rapid.Uint32Range(0, 200_000).Draw(t, "first")
		step := rapid.Uint32Range(1, 9).Draw(t, "step")
		for i := range rapid.Uint32Range(0, 7000).Draw(t, "length") {
			m[first+i*step] = true
		}
	}
	return m
}

func TestSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSet(t), drawSet(t)
		x, y := FromSlice(slices.Collect(maps.Keys(a))), FromSlice(slices.Collect(maps.Keys(b)))
		want := func(keep func(in uint32) bool) []uint32 {
			docs := []uint32{}
			for _, m := range []map[uint32]bool{a, b} {
				for d := range m {
					if keep(d) {
						docs = append(docs, d)
					}
				}
			}
			slices.Sort(docs)
			return slices.Compact(docs)
		}
		same := func(what string, got *Set, want []uint32) {
			if !slices.Equal(got.Slice(), want) || got.Len() != len(want) || got.Empty() != (len(want) == 0) {
				t.Fatalf("%s: %d documents, want %d", what, got.Len(), len(want))
			}
		}
		both := want(func(d uint32) bool { return a[d] && b[d] })
		same("and", And(x, y), both)
		same("or", Or(x, y), want(func(d uint32) bool { return true }))
		same("and not", AndNot(x, y), want(func(d uint32) bool { return a[d] && !b[d] }))
		if x.AndLen(y) != len(both) {
			t.Fatalf("and length %d, want %d", x.AndLen(y), len(both))
		}
		for op, in := range map[string]func(s *Set){"and": func(s *Set) { s.And(y) }, "or": func(s *Set) { s.Or(y) }} {
			s := x.Clone()
			in(s)
			same(op+" in place", s, map[string]*Set{"and": And(x, y), "or": Or(x, y)}[op].Slice())
		}
		same("unchanged", x, want(func(d uint32) bool { return a[d] }))
		back, err := Parse(x.Bytes())
		if err != nil || !back.Equal(x) {
			t.Fatalf("stored and read: %v", err)
		}
		var many []uint32
		buf := make([]uint32, 100)
		for it := x.Many(); ; {
			n := it.Next(buf)
			if n == 0 {
				break
			}
			many = append(many, buf[:n]...)
		}
		if !slices.Equal(many, slices.Collect(x.All())) || len(many) != len(a) {
			t.Fatal("iterators differ")
		}
	})
}

func TestEmptySet(t *testing.T) {
	full := Range(3, 6)
	for name, s := range map[string]*Set{"nil": nil, "zero": {}, "new": New()} {
		if s.Len() != 0 || !s.Empty() || s.Contains(0) || len(s.Slice()) != 0 || s.AndLen(full) != 0 || full.AndLen(s) != 0 {
			t.Errorf("%s set is not empty", name)
		}
		if _, ok := s.Max(); ok {
			t.Errorf("%s set has a largest number", name)
		}
		s.Remove(1)
		s.And(full)
		if !And(s, full).Empty() || !Or(full, s).Equal(full) || !Or(s, full).Equal(full) || !AndNot(full, s).Equal(full) || !AndNot(s, full).Empty() {
			t.Errorf("%s set does not combine as an empty set", name)
		}
		if back, err := Parse(s.Bytes()); err != nil || !back.Empty() {
			t.Errorf("%s set, stored and read: %v", name, err)
		}
		other := full.Clone()
		other.Or(s)
		if !other.Equal(full) {
			t.Errorf("%s set changes another", name)
		}
		other.And(s)
		if !other.Empty() || s.Many().Next(make([]uint32, 1)) != 0 || s.Clone().Len() != 0 || !s.Equal(nil) || s.Equal(full) {
			t.Errorf("%s set is not empty", name)
		}
	}
}

// A set that was read can be changed without changing the bytes it is from.
func TestParseOwnsItsBytes(t *testing.T) {
	b := Range(0, 5000).Bytes()
	c := slices.Clone(b)
	s, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(5000) {
		s.Remove(i)
		s.Add(i + 70_000)
	}
	clear(b)
	if s.Len() != 5000 || !s.Contains(70_001) || s.Contains(1) {
		t.Error("the set changed with the bytes")
	}
	if _, err := Parse(c); err != nil {
		t.Error(err)
	}
}

func TestParseRefuses(t *testing.T) {
	good := Range(10, 90_000).Bytes()
	for n := range good {
		if _, err := Parse(good[:n]); !errors.Is(err, ErrMalformed) {
			t.Fatalf("%d bytes of %d: %v", n, len(good), err)
		}
	}
	if _, err := Parse(append(slices.Clone(good), 0)); !errors.Is(err, ErrMalformed) {
		t.Errorf("a byte more: %v", err)
	}
}

func TestView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := slices.Sorted(maps.Keys(drawSet(t)))
		others := slices.Sorted(maps.Keys(drawSet(t)))
		limit := uint32(1)
		if len(docs) > 0 {
			limit = docs[len(docs)-1] + 1
		}
		b := Pack([]byte("before"), docs)[6:]
		v, err := NewView(b, limit)
		if err != nil || v.Len() != len(docs) {
			t.Fatalf("%d of %d numbers, %v", v.Len(), len(docs), err)
		}
		if len(docs) > 0 {
			if _, err := NewView(b, limit-1); !errors.Is(err, ErrMalformed) {
				t.Fatalf("a number at the limit: %v", err)
			}
		}
		if s, err := Parse(b); err != nil || !slices.Equal(s.Slice(), docs) {
			t.Fatalf("roaring reads %d of %d numbers, %v", s.Len(), len(docs), err)
		}
		if got := decodeAll(&v); !slices.Equal(got, docs) {
			t.Fatalf("decoded %d of %d numbers", len(got), len(docs))
		}
		u, err := NewView(Pack(nil, others), 1<<31)
		if err != nil {
			t.Fatal(err)
		}
		both := And(FromSlice(docs), FromSlice(others)).Len()
		if v.AndLen(&u) != both || u.AndLen(&v) != both {
			t.Fatalf("and length %d and %d, want %d", v.AndLen(&u), u.AndLen(&v), both)
		}
		for _, doc := range append(others, docs...)[:min(500, len(docs)+len(others))] {
			if _, want := slices.BinarySearch(docs, doc); v.Contains(doc) != want {
				t.Fatalf("contains %d: %v", doc, !want)
			}
		}
	})
}

// decodeAll decodes a view range by range, and checks what is below each number.
func decodeAll(v *View) (docs []uint32) {
	var buf [RangeLen]uint32
	for i := range v.Containers() {
		c := v.Container(i)
		start := 0
		for r := range uint32(16) {
			first := uint32(c.Key)<<16 | r<<RangeShift
			want := 0
			for low := range uint32(RangeLen) {
				if c.Contains(uint16(first + low)) {
					if c.Below(uint16(first+low), start) != want {
						return nil
					}
					want++
				}
			}
			n := c.Decode(&buf, first>>RangeShift, start, want)
			docs = append(docs, buf[:n]...)
			start += n
		}
	}
	return docs
}

// FuzzView feeds bytes that may be anything: errors or numbers, no panic.
func FuzzView(f *testing.F) {
	f.Add(Pack(nil, []uint32{1, 2, 70_000}))
	f.Add(Pack(nil, Range(0, 5000).Slice()))
	f.Add(Range(0, 70_000).Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := Parse(b); err == nil {
			s.Slice()
			s.Add(7)
			s.And(Range(5, 100_000))
		}
		v, err := NewView(b, 1<<20)
		if err != nil {
			return
		}
		var buf [RangeLen]uint32
		for i := range v.Containers() {
			c := v.Container(i)
			for block := range uint32(16) {
				n := c.Decode(&buf, uint32(c.Key)<<4|block, int(block)*100, RangeLen)
				for _, doc := range buf[:n] {
					if doc>>RangeShift != uint32(c.Key)<<4|block {
						t.Fatalf("%d is not in block %d", doc, block)
					}
				}
				c.Below(uint16(block<<RangeShift|77), 3)
			}
		}
		v.AndLen(&v)
		v.Contains(77)
	})
}

func BenchmarkDecode(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for name, every := range map[string]int{"array": 50, "bitmap": 5} {
		var docs []uint32
		for doc := range uint32(1 << 16) {
			if rnd.IntN(every) == 0 {
				docs = append(docs, doc)
			}
		}
		v, err := NewView(Pack(nil, docs), 1<<16)
		if err != nil {
			b.Fatal(err)
		}
		var counts [16]int
		for _, doc := range docs {
			counts[doc>>RangeShift]++
		}
		b.Run(name, func(b *testing.B) {
			var buf [RangeLen]uint32
			for b.Loop() {
				c, start := v.Container(0), 0
				for block, n := range counts {
					start += c.Decode(&buf, uint32(block), start, n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(docs)), "ns/doc")
		})
	}
}
