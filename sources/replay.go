package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"iter"
)

// Replay reads on in a transcript of which a part cannot be read alone: a file that is
// one object and written anew each time, the rows of a database. read tells all of its
// events, From and Span of which Replay fills in; it is called once, when reading
// begins, and Replay owns what it returns. The Carry of positions is not used.
//
// Positions and spans count events instead of bytes, and the Tail of a position is a hash
// of all events before it, so that it is ErrRewritten where any of them is another than it
// was. Info.Size, of a transcript that is no file, must be at least their number, and
// another when it grew. An error of read is yielded as it is.
func Replay(ctx context.Context, from Position, read func() ([]Event, error)) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		err := ctx.Err()
		var events []Event
		if err == nil {
			events, err = read()
		}
		if err == nil && (from.Offset < 0 || from.Offset > int64(len(events))) {
			err = ErrRewritten
		}
		if err != nil {
			yield(Event{}, err)
			return
		}
		sum := uint64(0)
		for i := int64(0); ; i++ {
			if i == from.Offset && sum != from.Tail {
				yield(Event{}, ErrRewritten)
				return
			}
			if i == int64(len(events)) {
				return
			}
			if e := &events[i]; i >= from.Offset && !yieldAt(ctx, e, i, sum, yield) {
				return
			}
			sum = sumAfter(sum, events[i])
		}
	}
}

// yieldAt yields the event that stands behind i others, sum being the hash of those;
// false means stop.
func yieldAt(ctx context.Context, e *Event, i int64, sum uint64, yield func(Event, error) bool) bool {
	if err := ctx.Err(); err != nil {
		yield(Event{}, err)
		return false
	}
	e.From, e.Span = Position{}, Span{Offset: i, Length: 1}
	if e.Kind == Prompt {
		e.From = Position{Offset: i, Line: int(i), Tail: sum}
	}
	return yield(*e, nil)
}

// sumAfter is the hash of all events up to e, sum being that of those before it; never 0.
func sumAfter(sum uint64, e Event) uint64 {
	e.From, e.Span = Position{}, Span{}
	h := fnv.New64a()
	b, err := json.Marshal(e)
	if err != nil { // a time outside of the years 0 to 9999
		b = fmt.Append(b, e)
	}
	fmt.Fprintf(h, "%d %s", sum, b)
	return max(1, h.Sum64())
}
