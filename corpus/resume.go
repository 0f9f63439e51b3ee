package corpus

import (
	"encoding/json"

	"github.com/hansard-search/hansard/corpus/internal/redact"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// stateOf packs what reading on from next needs, but for what the row of the
// transcript says too. Words are redacted here as well: names, and what was typed
// ahead and waits in a queue. Of a queue with a secret nothing can be kept, as it is
// compared with what follows; that transcript is read from the beginning again,
// until the queue is empty.
func stateOf(next segment.Start, row *transcripts.Row) (state []byte, from sources.Position, err error) {
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
	from = next.From
	if own := &next.Session; own.Source == row.Source && own.Path == row.Path && own.ID == row.Session {
		next.From, own.Source, own.Path, own.ID = sources.Position{}, "", "", ""
	}
	state, err = json.Marshal(next)
	return state, from, err
}

// startOf is where reading on begins by a row that has a state.
func startOf(row *transcripts.Row) (start segment.Start, err error) {
	err = json.Unmarshal(row.State, &start)
	if own := &start.Session; own.Path == "" {
		start.From, own.Source, own.Path, own.ID = row.From, row.Source, row.Path, row.Session
	}
	return start, err
}
