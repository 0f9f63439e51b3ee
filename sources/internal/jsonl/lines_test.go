package jsonl

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*block)
	for _, test := range []struct {
		name, text string
		max        int
		want       []string
	}{
		{"empty", "", 0, nil},
		{"one", "a\n", 0, []string{"a"}},
		{"not ended", "a\nb", 0, []string{"a", "b..."}},
		{"blank", "\n\na\n", 0, []string{"", "", "a"}},
		{"longer than a block", "a\n" + long + "\nb\n", 0, []string{"a", long, "b"}},
		{"too long", "a\n" + long + "\nb\n", 2 * block, []string{"a", "too long", "b"}},
		{"too long at the end", "a\n" + long, 2 * block, []string{"a", "too long..."}},
		{"a little too long", "a\n1234567\nb\n", 6, []string{"a", "too long", "b"}},
		{"as long as may be", "123456\n", 6, []string{"123456"}},
	} {
		r := NewReader(strings.NewReader(test.text), 0, 0)
		if test.max > 0 {
			r.max = test.max
		}
		got, at := readAll(t, r)
		if strings.Join(got, "|") != strings.Join(test.want, "|") || at != int64(len(test.text)) {
			t.Errorf("%s: %.99q, %d bytes; want %.99q", test.name, got, at, test.want)
		}
		r.Close()
		r.Close()
	}
}

// readAll is every line, and where the last one ends; it checks offsets.
func readAll(t testing.TB, r *Reader) (all []string, at int64) {
	for n := 0; ; n++ {
		l, err := r.Next()
		if err == io.EOF {
			return all, at
		}
		if err != nil {
			t.Fatal(err)
		}
		if l.Offset != at || l.Number != n {
			t.Fatalf("line %d at %d, want %d at %d", l.Number, l.Offset, n, at)
		}
		at += l.Length
		s := string(l.Bytes)
		if l.TooLong {
			s = "too long"
		}
		if !l.Ended {
			s += "..."
		}
		all = append(all, s)
	}
}

func TestLinesAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.StringMatching(`[ab\n]{0,9}`)).Draw(t, "text")
		text := strings.Join(parts, strings.Repeat("z", rapid.IntRange(0, block).Draw(t, "gap")))
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		r := NewReader(strings.NewReader(text), int64(from), 7)
		defer r.Close()
		var got []byte
		for {
			l, err := r.Next()
			if err == io.EOF {
				break
			}
			got = append(got, l.Bytes...)
			if l.Ended {
				got = append(got, '\n')
			}
		}
		if string(got) != text[from:] {
			t.Fatalf("read %d bytes, want %d", len(got), len(text)-from)
		}
	})
}

// A file that becomes shorter while it is read ends where it now ends.
func TestShrinking(t *testing.T) {
	in := &shrinking{text: bytes.Repeat([]byte("123456789\n"), block/5)}
	r := NewReader(in, 0, 0)
	defer r.Close()
	r.buf = make([]byte, block) // a used one may be larger
	n := 0
	for {
		_, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
		in.text = in.text[:block/2]
	}
	if want := block/10 + 1; n != want {
		t.Errorf("%d lines, want the %d of the first block", n, want)
	}
}

type shrinking struct{ text []byte }

func (s *shrinking) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(s.text).ReadAt(p, at)
}

func TestTail(t *testing.T) {
	in := strings.NewReader(strings.Repeat("a", 300) + "b" + strings.Repeat("c", 300))
	sum := func(at int64) uint64 {
		h, err := Tail(in, at)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	if sum(0) != 0 {
		t.Error("a tail before the beginning")
	}
	if sum(270) != sum(290) || sum(301) == sum(300) || sum(600) != sum(590) {
		t.Error("the tail is not of the 256 bytes before the offset")
	}
	if _, err := Tail(in, 602); err != io.ErrUnexpectedEOF {
		t.Error("behind the end:", err)
	}
}

// What a reader says of the bytes before an offset is what the file says, whether or
// not they are still in its buffer.
func TestReaderTail(t *testing.T) {
	var text bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&text, "%d %s\n", i, strings.Repeat("x", i*i%(block/400)))
	}
	in := &counted{ReaderAt: bytes.NewReader(text.Bytes())}
	r := NewReader(in, 0, 0)
	defer r.Close()
	for {
		l, err := r.Next()
		if err == io.EOF {
			break
		}
		for _, at := range []int64{0, 1, l.Offset / 2, l.Offset - 1, l.Offset, l.Offset + l.Length/2, l.Offset + l.Length} {
			before := in.reads
			got, err := r.Tail(at)
			if again := in.reads > before; again && at == l.Offset {
				t.Fatalf("what stands before line %d was read again", l.Number)
			}
			want, wantErr := Tail(in, at)
			if got != want || err != wantErr {
				t.Fatalf("line %d at %d: before %d is %x, %v, want %x, %v", l.Number, l.Offset, at, got, err, want, wantErr)
			}
		}
	}
	if _, err := r.Tail(int64(text.Len()) + 1); err != io.ErrUnexpectedEOF {
		t.Error("behind the end:", err)
	}
}

type counted struct {
	io.ReaderAt
	reads int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.reads++
	return c.ReaderAt.ReadAt(b, at)
}

// TestLongLineTakesItsLength: a line of megabytes takes little more memory than its
// length, also where another follows, the file ends, or it is longer than may be.
func TestLongLineTakesItsLength(t *testing.T) {
	long := strings.Repeat("x", 3*keep+12345)
	for _, text := range []string{long, long + "\n", "short\n" + long + "\nshort\n" + long[:keep] + "\n"} {
		r := NewReader(strings.NewReader(text), 0, 0)
		got, at := readAll(t, r)
		if at != int64(len(text)) || !strings.Contains(strings.Join(got, "|"), long) {
			t.Errorf("%d lines, %d bytes of %d", len(got), at, len(text))
		}
		if n := len(r.buf); n > len(long)+3*block {
			t.Errorf("%d bytes for a line of %d", n, len(long))
		}
		r.Close()
	}
	r := NewReader(strings.NewReader(long), 0, 0)
	defer r.Close()
	r.max = keep
	if l, err := r.Next(); err != nil || !l.TooLong || len(r.buf) > r.max+4*block {
		t.Errorf("a line that is too long: %v, %v, %d bytes", l.TooLong, err, len(r.buf))
	}
}
