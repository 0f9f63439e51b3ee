package search

import "slices"

// A rankedTop keeps the first rows of a stage, as a rank.Top would, but knows that
// they are compared by their scores first. Some hundred turns of a search come among
// them before others take their place: scores stand beside each other, and rows are
// looked at only where two score the same.
type rankedTop struct {
	most int // how many are kept; 0 or less: all
	rows []ranked
	heap []placed // the last row at its root, once there are as many as are kept
	next ranked   // what is being added, where it can be compared
}

// A placed is a row's score and its place in rows.
type placed struct {
	score float64
	at    int32
}

// Full reports whether something must be better than Worst to be kept.
func (t *rankedTop) Full() bool { return t.most > 0 && len(t.rows) >= t.most }

// Worst is the last that is kept, once Full.
func (t *rankedTop) Worst() *ranked { return &t.rows[t.heap[0].at] }

// Add keeps a row if it is among the first so far.
func (t *rankedTop) Add(r ranked) {
	if !t.Full() {
		t.heap = append(t.heap, placed{r.score, int32(len(t.rows))})
		t.rows = append(t.rows, r)
		if t.Full() {
			for i := len(t.heap)/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
		return
	}
	root := &t.heap[0]
	if r.score < root.score {
		return
	}
	if t.next = r; r.score == root.score && compareRanked(&t.next, &t.rows[root.at]) >= 0 {
		return
	}
	root.score, t.rows[root.at] = r.score, t.next // with what was looked up of it
	t.sink(0)
}

// after reports whether a comes after b.
func (t *rankedTop) after(a, b placed) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return compareRanked(&t.rows[a.at], &t.rows[b.at]) > 0
}

func (t *rankedTop) sink(i int) {
	p := t.heap[i]
	for {
		child := 2*i + 1
		if child >= len(t.heap) {
			break
		}
		if child+1 < len(t.heap) && t.after(t.heap[child+1], t.heap[child]) {
			child++
		}
		if !t.after(t.heap[child], p) {
			break
		}
		t.heap[i] = t.heap[child]
		i = child
	}
	t.heap[i] = p
}

// Kept returns what was kept, in no order. It is good until the next call.
func (t *rankedTop) Kept() []ranked { return t.rows }

// Sorted returns what was kept, the first one first.
func (t *rankedTop) Sorted() []ranked {
	sorted := slices.Clone(t.rows)
	slices.SortFunc(sorted, func(a, b ranked) int { return compareRanked(&a, &b) })
	return sorted
}

// Empty forgets what was kept, not the room for it.
func (t *rankedTop) Empty() {
	clear(t.rows)
	t.rows, t.heap, t.next = t.rows[:0], t.heap[:0], ranked{}
}

// top keeps the first rows of a stage; keepTop takes it back.
func (p *Searcher) top(most int) *rankedTop {
	t, _ := p.ranks.Get().(*rankedTop)
	if t == nil {
		t = new(rankedTop)
	}
	t.most = most
	return t
}

func (p *Searcher) keepTop(t *rankedTop) {
	if t != nil && len(t.rows) <= pooledRows {
		t.Empty()
		p.ranks.Put(t)
	}
}

// pooledRows is up to how many rows the room for them is kept: who asks for all
// rows of a large corpus is not to leave it behind.
const pooledRows = 1 << 10
