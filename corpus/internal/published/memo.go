package published

import "sync"

// A Memo holds what one other package works out of a shard or a snapshot, which never
// change, so that it is there as long as they are. The zero value is empty.
type Memo struct {
	once sync.Once
	kept any
}

// Of returns what work returned when it was called first, by whichever goroutine.
func (m *Memo) Of(work func() any) any {
	m.once.Do(func() { m.kept = work() })
	return m.kept
}
