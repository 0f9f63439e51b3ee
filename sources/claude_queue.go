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
func (r *claudeReader) queue(l *claudeLine) {
	text := claudeContentOf(l.content).text
	switch string(l.operation.Raw()) {
	case "enqueue":
		if len(r.state.Queue) >= claudeQueueMax {
			r.state.Queue = r.state.Queue[1:]
		}
		if text = claudeStrip(text); !claudeTyped(text) {
			text = ""
		}
		r.state.Queue = append(r.state.Queue, text)
	case "dequeue":
		r.take("")
	case "remove":
		if text := r.take(claudeStrip(text)); text != "" && claudeQueueOnly(r.state.Version) {
			r.emit(Steering, text).Flags |= Queued
		}
	case "popAll":
		r.state.Queue = nil
	default:
		return
	}
	r.dirty = true
}

// take takes out the message that is named, else the oldest.
func (r *claudeReader) take(named string) (text string) {
	if len(r.state.Queue) == 0 {
		return ""
	}
	i := 0
	if named != "" && claudeTyped(named) {
		i = max(0, slices.Index(r.state.Queue, named))
	}
	text = r.state.Queue[i]
	r.state.Queue = slices.Delete(slices.Clone(r.state.Queue), i, i+1)
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
