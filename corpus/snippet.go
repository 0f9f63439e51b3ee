package corpus

// SnippetBytes is the most bytes a snippet may have, marks not counted: what
// an agent can afford to read of one message among sixteen.
const SnippetBytes = 1024

// A Snippet is the passage of a text that answers a query best.
type Snippet struct {
	Text      string   // at most SnippetBytes bytes, "..." included where the text was cut
	Truncated bool     // the text holds more than is shown
	Spans     [][2]int // byte ranges of matched words in Text, in order, apart from each other
}
