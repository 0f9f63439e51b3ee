package sources

import (
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// blockList is a list of blocks, or a string, which is one block of text.
// Anything else has no blocks.
type blockList jsonl.Node

// blocks calls f for each block of a list; kind is its type, undecoded.
func (c blockList) blocks(f func(kind []byte, b jsonl.Node)) {
	jsonl.Node(c).Elements(func(b jsonl.Node) bool {
		f(b.Get("type").Raw(), b)
		return true
	})
}

// text joins the blocks of text, and tells whether there is an image too. Of
// blocks much longer than limit only the ends are read; limit 0 means no limit.
func (c blockList) text(limit int) (text string, image bool) {
	if jsonl.Node(c).Kind() == '"' {
		return upTo(jsonl.Node(c), limit), false
	}
	var parts []string
	c.blocks(func(kind []byte, b jsonl.Node) {
		switch string(kind) {
		case "text":
			if s := upTo(b.Get("text"), limit); s != "" {
				parts = append(parts, s)
			}
		case "image":
			image = true
		}
	})
	return strings.Join(parts, "\n"), image
}

func upTo(v jsonl.Node, limit int) string {
	if limit > 0 {
		return v.Ends(limit)
	}
	return v.String()
}
