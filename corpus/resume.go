package corpus

import (
	"encoding/json"

	"github.com/hansard-search/hansard/corpus/internal/redact"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// stateOf packs what reading on from next needs. Words are redacted here too:
// names, and what was typed ahead and waits in a queue. Of a queue with a secret
// nothing can be kept, as it is compared with what follows; that transcript is
// read from the beginning again, until the queue is empty.
func stateOf(next segment.Start) (state []byte, from sources.Position, err error) {
	var r redact.Redactor
	if r.Text(next.From.Carry) != next.From.Carry {
		return nil, sources.Position{}, nil
	}
	next.Session.Project = r.Text(next.Session.Project)
	for i, title := range next.Session.Titles {
		next.Session.Titles[i] = r.Text(title)
	}
	leaves := make([]segment.Leaf, len(next.Leaves))
	for i, leaf := range next.Leaves {
		leaf.Text = r.Text(leaf.Text)
		leaves[i] = leaf
	}
	next.Leaves = leaves
	state, err = json.Marshal(next)
	return state, next.From, err
}
