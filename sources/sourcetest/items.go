package sourcetest

import (
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/hansard-search/hansard/sources"
)

// item is what a read yields: an event, or a skipped line.
type item struct {
	event   sources.Event
	skipped sources.Skipped
}

func (it item) String() string {
	if it.skipped.Line > 0 {
		return it.skipped.Error()
	}
	s := fmt.Sprintf("%+v", it.event)
	if len(s) > 1000 {
		s = s[:1000] + "..."
	}
	return s
}

// same compares two items; the same moment in two time zones is the same.
func (it item) same(other item) bool {
	a, b := it.event, other.event
	if !a.Time.Equal(b.Time) {
		return false
	}
	a.Time = b.Time
	return reflect.DeepEqual(a, b) && it.skipped == other.skipped
}

// drain reads to the end. A *Skipped is an item; any other error must be last.
func drain(seq iter.Seq2[sources.Event, error]) (items []item, last error) {
	for e, err := range seq {
		if last != nil {
			return items, fmt.Errorf("something follows the error %w", last)
		}
		skipped := (*sources.Skipped)(nil)
		switch {
		case errors.As(err, &skipped):
			items = append(items, item{skipped: *skipped})
		case err != nil:
			last = err
		default:
			items = append(items, item{event: e})
		}
	}
	return items, last
}
