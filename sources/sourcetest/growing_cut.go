package sourcetest

import "strings"

// usualCuts is how many states are made of one transcript.
const usualCuts = 64

// cuts are the states of text to which lines are added: it ends behind a line, within
// one, and just before a line's newline. About n of them, spread evenly, the whole last.
func cuts(text string, n int) (states []string) {
	if n <= 0 {
		n = usualCuts
	}
	var at []int
	for from := 0; from < len(text); {
		end := lineEnd(text, from)
		at = append(at, from+(end-from)/2, max(from, end-1), end)
		from = end
	}
	for _, i := range spread(at, n) {
		states = append(states, text[:i])
	}
	return append(states, text)
}

// lineEnd is where the line ends that begins at from, behind its newline.
func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(text)
}

// lineStart is where the last line of text begins; its length where that is finished.
func lineStart(text string) int { return strings.LastIndexByte(text, '\n') + 1 }

// rotated is text of the same length in which all lines stand elsewhere.
func rotated(text string) string {
	half := lineEnd(text, len(text)/2)
	return text[half:] + text[:half]
}

// damaged is text with a byte in the middle of each line that no text has.
func damaged(text string) string {
	b := []byte(text)
	for from := 0; from < len(text); {
		end := lineEnd(text, from)
		if mid := from + (end-from)/2; text[mid] != '\n' {
			b[mid] = 0xff
		}
		from = end
	}
	return string(b)
}
