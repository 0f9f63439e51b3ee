package rank

import "slices"

// A Top keeps the best of many. Set Most and Better before use.
type Top[T any] struct {
	Most   int               // how many are kept; 0 or less: all
	Better func(a, b *T) int // negative when a comes before b; a total order
	items  []T               // a heap, the worst at its root, once there are Most
	next   T                 // what is being added, where Better can see it without an allocation
}

// Full reports whether something must be better than Worst to be kept.
func (t *Top[T]) Full() bool { return t.Most > 0 && len(t.items) >= t.Most }

// Worst is the last that is kept, once Full.
func (t *Top[T]) Worst() *T { return &t.items[0] }

// Add keeps x if it is among the best so far.
func (t *Top[T]) Add(x T) {
	if !t.Full() {
		t.items = append(t.items, x)
		if t.Full() {
			for i := len(t.items)/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
		return
	}
	if t.next = x; t.Better(&t.next, &t.items[0]) < 0 {
		t.items[0] = x
		t.sink(0)
	}
}

func (t *Top[T]) sink(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.items); child++ {
			if t.Better(&t.items[child], &t.items[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.items[i], t.items[worst] = t.items[worst], t.items[i]
		i = worst
	}
}

// Sorted returns what was kept, the best first. The Top is used up.
func (t *Top[T]) Sorted() []T {
	slices.SortFunc(t.items, func(a, b T) int { return t.Better(&a, &b) })
	return t.items
}
