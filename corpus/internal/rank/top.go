package rank

import "slices"

// A Top keeps the best of many. Set Most and Better before use.
type Top[T any] struct {
	Most   int               // how many are kept; 0 or less: all
	Better func(a, b *T) int // negative when a comes before b; a total order
	items  []T
	order  []int32 // of items: a heap, the worst at its root, once there are Most
	next   T       // what is being added, where Better can see it without an allocation
}

// atOnce is for how many items a Top makes room at once: more are asked for when
// more are there.
const atOnce = 256

// Full reports whether something must be better than Worst to be kept.
func (t *Top[T]) Full() bool { return t.Most > 0 && len(t.items) >= t.Most }

// Worst is the last that is kept, once Full.
func (t *Top[T]) Worst() *T { return &t.items[t.order[0]] }

// Add keeps x if it is among the best so far.
func (t *Top[T]) Add(x T) {
	if t.Full() {
		if t.next = x; t.Better(&t.next, t.Worst()) < 0 {
			*t.Worst() = x
			t.sink(0)
		}
		return
	}
	if t.items == nil && t.Most > 0 {
		room := min(t.Most, atOnce)
		t.items, t.order = make([]T, 0, room), make([]int32, 0, room)
	}
	t.order = append(t.order, int32(len(t.items)))
	t.items = append(t.items, x)
	if t.Full() {
		for i := len(t.order)/2 - 1; i >= 0; i-- {
			t.sink(i)
		}
	}
}

// compare compares two items by their places in order. Items may be large: only
// their numbers are moved.
func (t *Top[T]) compare(i, j int) int { return t.Better(&t.items[t.order[i]], &t.items[t.order[j]]) }

func (t *Top[T]) sink(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.order); child++ {
			if t.compare(child, worst) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.order[i], t.order[worst] = t.order[worst], t.order[i]
		i = worst
	}
}

// Sorted returns what was kept, the best first. The Top is used up.
func (t *Top[T]) Sorted() []T {
	slices.SortFunc(t.order, func(a, b int32) int { return t.Better(&t.items[a], &t.items[b]) })
	sorted := make([]T, len(t.items))
	for i, at := range t.order {
		sorted[i] = t.items[at]
	}
	return sorted
}
