package corpus

// leaders are the numbers of the sessions with the best scores so far, as many
// as are wanted. Scores only rise.
type leaders struct {
	most  int
	which int // of a hit's places
	hits  []sessionHit
	heap  []uint32 // the worst first; a hit's place tells where it is
}

// least is the worst of their scores, 0 while there are fewer than are wanted.
func (l *leaders) least() float64 {
	if len(l.heap) < l.most {
		return 0
	}
	return l.at(0)
}

func (l *leaders) at(i int) float64 { return l.hits[l.heap[i]].score }

// rose gives a session a higher score.
func (l *leaders) rose(number uint32, score float64) {
	h := &l.hits[number]
	h.score = score
	switch {
	case h.place[l.which] > 0:
		l.sink(int(h.place[l.which]) - 1)
	case len(l.heap) < l.most:
		l.heap = append(l.heap, number)
		h.place[l.which] = uint32(len(l.heap))
		l.swim(len(l.heap) - 1)
	case score > l.at(0):
		l.hits[l.heap[0]].place[l.which] = 0
		l.heap[0], h.place[l.which] = number, 1
		l.sink(0)
	}
}

func (l *leaders) swap(i, j int) {
	l.heap[i], l.heap[j] = l.heap[j], l.heap[i]
	l.hits[l.heap[i]].place[l.which], l.hits[l.heap[j]].place[l.which] = uint32(i+1), uint32(j+1)
}

func (l *leaders) swim(i int) {
	for up := (i - 1) / 2; i > 0 && l.at(i) < l.at(up); i, up = up, (up-1)/2 {
		l.swap(i, up)
	}
}

func (l *leaders) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(l.heap); child++ {
			if l.at(child) < l.at(least) {
				least = child
			}
		}
		if least == i {
			return
		}
		l.swap(i, least)
		i = least
	}
}
