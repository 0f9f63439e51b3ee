package ledger

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// Memory is a Store that keeps nothing. The zero value is empty and ready.
type Memory struct {
	entries map[signal.Hash]signal.Hash
	seen    []string
}

var _ Store = (*Memory)(nil)

// Get implements Store.
func (m *Memory) Get(turn signal.Hash) (signal.Hash, bool, error) {
	content, ok := m.entries[turn]
	return content, ok, nil
}

// GetMany implements Store.
func (m *Memory) GetMany(turns []signal.Hash) ([]signal.Hash, error) {
	contents := make([]signal.Hash, len(turns))
	for i, turn := range turns {
		contents[i] = m.entries[turn]
	}
	return contents, nil
}

// Put implements Store.
func (m *Memory) Put(entries []Entry) error {
	if m.entries == nil {
		m.entries = map[signal.Hash]signal.Hash{}
	}
	for _, e := range entries {
		if e.Content.IsZero() {
			delete(m.entries, e.Turn)
		} else {
			m.entries[e.Turn] = e.Content
		}
	}
	return nil
}

// Seen implements Store.
func (m *Memory) Seen() ([]string, error) { return slices.Clone(m.seen), nil }

// SetSeen implements Store.
func (m *Memory) SetSeen(seen []string) error {
	m.seen = slices.Clone(seen)
	return nil
}

// Reset implements Store.
func (m *Memory) Reset() error {
	*m = Memory{}
	return nil
}

// Close implements Store. The entries stay.
func (m *Memory) Close() error { return nil }
