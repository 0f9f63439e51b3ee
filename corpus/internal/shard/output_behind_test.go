package shard

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// limited takes so many writes.
type limited struct {
	bytes.Buffer
	left int
}

var errFull = errors.New("full")

func (l *limited) Write(b []byte) (int, error) {
	if l.left--; l.left < 0 {
		return 0, errFull
	}
	return l.Buffer.Write(b)
}

// TestBehind: written behind or not, the bytes are the same, and an error is told.
func TestBehind(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, outputBuffer - 1, outputBuffer, 9*outputBuffer + 77} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		write := func(to *limited, aside bool) (int64, error) {
			o := output{w: to}
			if aside {
				o.writeBehind()
				defer o.endBehind()
			}
			for rest := data; len(rest) > 0; {
				n := min(len(rest), 1+rnd.IntN(20_000))
				o.write(rest[:n])
				rest = rest[n:]
			}
			if o.pos() != int64(size) {
				t.Fatalf("at %d of %d", o.pos(), size)
			}
			o.pad()
			return o.finish([]byte("toc"))
		}
		var want, got limited
		want.left, got.left = 100, 100
		n, err := write(&want, false)
		m, err2 := write(&got, true)
		if err != nil || err2 != nil || n != m || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes: %d and %d written, %v, %v", size, n, m, err, err2)
		}
		for left := range 100 - want.left {
			if _, err := write(&limited{left: left}, true); !errors.Is(err, errFull) {
				t.Errorf("%d bytes, full after %d writes: %v", size, left, err)
			}
		}
	}
}
