package sources

import (
	"slices"
	"strconv"
	"strings"
)

// claudeQueueMax bounds the queue that is carried; nobody types so far ahead.
const claudeQueueMax = 100

// queue follows what was typed while the agent worked. Nothing but the
// "enqueue" line holds a text that was then removed, which means delivered in
// mid-turn, in versions before 2.1.100; later ones write an attachment.
//
// The program's own items (JSON of tasks, notifications, commands) are not kept:
// it takes them out of their turn, tasks all at once, so that a "remove" which may
// be a human's is taken for one. Where it was not, the text comes again as the
// next prompt, and Queued says that it is void then.
func (r *claudeReader) queue(l *claudeLine) {
	text := claudeStrip(claudeContentOf(l.content).text)
	q := &r.state
	switch string(l.operation.Raw()) {
	case "enqueue":
		if !claudeTyped(text) {
			return
		}
		if len(q.Queue) >= claudeQueueMax {
			q.Queue = q.Queue[1:]
		}
		q.Queue = append(q.Queue, text)
	case "dequeue":
		q.Dequeued = true
	case "remove":
		i := 0
		if text != "" {
			i = slices.Index(q.Queue, text)
		}
		if i < 0 || i >= len(q.Queue) {
			return
		}
		text = r.take(i)
		if claudeQueueOnly(q.Version) {
			r.emit(Steering, text).Flags |= Queued
		}
	case "popAll":
		q.Queue = nil
	}
	r.dirty = true
}

// dequeued takes a prompt out of the queue if it came from there: the same
// words, or, behind a "dequeue", the oldest ones, which may have been expanded.
func (r *claudeReader) dequeued(text string) {
	q := &r.state
	if i := slices.Index(q.Queue, text); i >= 0 {
		r.take(i)
	} else if q.Dequeued && len(q.Queue) > 0 {
		r.take(0)
	}
	r.answered()
}

// answered ends the wait for the line that a "dequeue" announced.
func (r *claudeReader) answered() {
	if r.state.Dequeued {
		r.state.Dequeued, r.dirty = false, true
	}
}

// take takes out one message.
func (r *claudeReader) take(i int) string {
	text := r.state.Queue[i]
	r.state.Queue = slices.Delete(slices.Clone(r.state.Queue), i, i+1)
	r.dirty = true
	return text
}

// claudeTyped tells words from what the program enqueues: JSON, tags, commands.
func claudeTyped(text string) bool {
	return text != "" && !strings.ContainsRune("{</", rune(text[0])) && claudeHuman(text)
}

// claudeQueueOnly tells the versions that leave no other trace of a removed
// message: before 2.1.100, and where no version is known.
func claudeQueueOnly(version string) bool {
	first := [3]int{2, 1, 100}
	for i, part := range strings.SplitN(version, ".", 3) {
		digits := strings.IndexFunc(part, func(c rune) bool { return c < '0' || c > '9' })
		if digits >= 0 {
			part = part[:digits]
		}
		if n, _ := strconv.Atoi(part); n != first[i] {
			return n < first[i]
		}
	}
	return version == ""
}
