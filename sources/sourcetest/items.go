package sourcetest

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"github.com/hansard-search/hansard/sources"
)

// item is what a read yields: an event, or a skipped line.
type item struct {
	event   sources.Event
	text    string // a copy of the event's, made when it was yielded
	skipped sources.Skipped
}

func (it item) overwritten() bool { return it.text != it.event.Text }

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
// size is that of the transcript, which cannot hold more events than bytes.
func drain(seq iter.Seq2[sources.Event, error], size int64) (items []item, last error) {
	for e, err := range seq {
		if int64(len(items)) > size {
			return items, fmt.Errorf("%d events of %d bytes: it does not end", len(items), size)
		}
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
			items = append(items, item{event: e, text: strings.Clone(e.Text)})
		}
	}
	return items, last
}
