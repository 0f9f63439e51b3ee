package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// promptID is the id of a prompt to which its transcript gives none that lasts:
// when it was sent, and a hash of its words.
func promptID(sent time.Time, words string) string {
	sum := sha256.Sum256([]byte(words))
	return strconv.FormatInt(sent.UnixMilli(), 10) + "-" + hex.EncodeToString(sum[:4])
}

// name gives a prompt an id where its line has none, as lines of other writers:
// turns without one would be taken for places of one turn.
func (e *Event) name() {
	if e.ID == "" {
		e.ID = promptID(e.Time, e.Text)
	}
}
