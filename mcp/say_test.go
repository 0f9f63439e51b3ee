package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus"
)

// TestAsidesHaveAnOrder: the same answer reads the same each time.
func TestAsidesHaveAnOrder(t *testing.T) {
	a := &corpus.Answer{Scope: corpus.Scope{Repaired: map[string]string{}}}
	for i := range 10 {
		a.Scope.Repaired[fmt.Sprintf("wrd%d", i)] = "word"
	}
	var b strings.Builder
	sayAsides(&b, a)
	if lines := strings.Fields(b.String()); len(lines) != 40 || !slices.IsSorted(slices.Collect(strings.Lines(b.String()))) {
		t.Error(b.String())
	}
}
