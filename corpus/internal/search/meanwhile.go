package search

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"
)

// A meanwhile reads texts of rows while their sessions are completed, which keeps
// one processor busy where most turns are in one shard: these rows come next, and
// most of their texts are read anyway. The reader is its own for so long.
type meanwhile struct {
	near *nearReader
	rows []*contender // the one that can score most first
	stop atomic.Bool
	done beside
}

// meanwhile begins to read texts of rows, whose scores are not to be written
// before it has ended.
func (o *opened) meanwhile(rows []*contender) *meanwhile {
	m := &meanwhile{near: o.near}
	if runtime.GOMAXPROCS(0) == 1 || len(rows) == 0 {
		return m
	}
	m.rows = slices.Clone(rows)
	slices.SortFunc(m.rows, func(a, b *contender) int { return cmp.Compare(b.most, a.most) })
	m.done.start(func() {
		for _, c := range m.rows {
			if m.stop.Load() || c.bounded && !c.read && !m.read(o.q.snap, c) {
				return
			}
		}
	})
	return m
}

// read reads the text of a row. Nobody may need it: what is wrong with it is told
// when it has to be read, once more.
func (m *meanwhile) read(s *snapshot, c *contender) (ok bool) {
	if err := s.Protected(func() error { return m.near.read(c) }); err != nil {
		c.read = false
		return false
	}
	c.most = c.unrepeated
	return true
}

// end waits for the text that is read, if any is.
func (m *meanwhile) end() {
	m.stop.Store(true)
	m.done.end()
}
