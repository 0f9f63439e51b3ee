package corpus

// An orderRoom is what the second stage of a search writes on, kept between
// searches: half of what it would allocate otherwise. The zero value is ready.
type orderRoom struct {
	all    []contender
	heap   []*contender
	at     [][]int  // places by word
	docs   []uint32 // of lists of few documents
	folded []byte
}

// orderRoom is the room of the search's second stage.
func (q *search) orderRoom() *orderRoom {
	if q.room == nil {
		if q.room, _ = q.pools.rooms.Get().(*orderRoom); q.room == nil {
			q.room = new(orderRoom)
		}
	}
	return q.room
}

// contenders returns n of them, all zero. They stay where they are.
func (r *orderRoom) contenders(n int) []contender {
	from := len(r.all)
	if cap(r.all)-from < n {
		r.all, from = make([]contender, 0, max(n, 2*cap(r.all))), 0
	}
	r.all = r.all[:from+n]
	return r.all[from:]
}

// empty forgets what was written.
func (r *orderRoom) empty() {
	if cap(r.all) > pooledRows {
		r.all, r.heap = nil, nil
	}
	clear(r.all)
	clear(r.heap)
	r.all, r.heap, r.docs = r.all[:0], r.heap[:0], r.docs[:0]
}
