package search

// leaders are the numbers of the sessions with the best scores so far, as many
// as are wanted. Scores only rise.
type leaders struct {
	most  int
	which int // of a hit's places
	hits  []sessionHit
	heap  []leader // the worst first; a hit's place tells where it is
}

// A leader is a session with its score, which stands in its hit as well: those lie far
// from each other.
type leader struct {
	score  float64
	number uint32
}

// least is the worst of their scores, 0 while there are fewer than are wanted.
func (l *leaders) least() float64 {
	if len(l.heap) < l.most {
		return 0
	}
	return l.heap[0].score
}

// rose gives a session a higher score.
func (l *leaders) rose(number uint32, score float64) {
	h, risen := &l.hits[number], leader{score, number}
	h.score = score
	switch at := h.place[l.which]; {
	case at > 0:
		l.sink(int(at)-1, risen)
	case len(l.heap) < l.most:
		l.heap = append(l.heap, risen)
		l.swim(len(l.heap)-1, risen)
	case score > l.least():
		l.hits[l.heap[0].number].place[l.which] = 0
		l.sink(0, risen)
	}
}

// put puts a leader at a place.
func (l *leaders) put(i int, x leader) {
	l.heap[i] = x
	l.hits[x.number].place[l.which] = uint32(i + 1)
}

// swim puts a leader at a place or where it belongs above it.
func (l *leaders) swim(i int, x leader) {
	for up := (i - 1) / 2; i > 0 && x.score < l.heap[up].score; i, up = up, (up-1)/2 {
		l.put(i, l.heap[up])
	}
	l.put(i, x)
}

// sink puts a leader at a place or where it belongs below it.
func (l *leaders) sink(i int, x leader) {
	for {
		child := 2*i + 1
		if child >= len(l.heap) {
			break
		}
		if child+1 < len(l.heap) && l.heap[child+1].score < l.heap[child].score {
			child++
		}
		if l.heap[child].score >= x.score {
			break
		}
		l.put(i, l.heap[child])
		i = child
	}
	l.put(i, x)
}
