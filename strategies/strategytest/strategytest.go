// Package strategytest checks that a strategy keeps the promises of the
// interfaces in package strategies. Who writes a strategy runs it over turns of
// the kind it is meant for:
//
//	func TestStrategy(t *testing.T) {
//		strategytest.Run(t, mine.Strategy{}, turns, session)
//	}
//
// It does not judge which text is worth finding.
package strategytest

import (
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// Run reports each promise that Check finds broken as an error of t.
func Run(t *testing.T, s strategies.Strategy, turns []segment.Turn, sessions ...segment.Session) {
	t.Helper()
	for _, err := range Check(s, turns, sessions...) {
		t.Error(err)
	}
}

// Check returns the broken promises, none when the strategy keeps them all. An
// empty turn and an empty session are tried besides those given, and long texts in
// characters of several bytes, which must not be cut within one. Run it with -race:
// passages are taken on several goroutines at once.
func Check(s strategies.Strategy, turns []segment.Turn, sessions ...segment.Session) []error {
	c := &checker{name: s.Name(), declared: s.Surfaces()}
	if c.name == "" {
		c.failf("the strategy has no name")
	}
	if c.declared == 0 {
		c.failf("no surface is declared")
	}
	for i, turn := range append(append([]segment.Turn{{}}, turns...), longTurns()...) {
		c.twice(fmt.Sprintf("turn %d (%s)", i-1, turn.ID), false, func() string { return fmt.Sprintf("%#v", turn) },
			func() iter.Seq2[surfaces.Name, string] { return s.Passages(turn) })
	}
	all := append([]segment.Session{{}}, sessions...)
	if an, ok := s.(strategies.Annotator); ok {
		for i := range sessions {
			all = append(all, c.annotated(an, sessions[i]))
		}
	}
	if of, ok := s.(strategies.SessionStrategy); ok {
		for i, session := range all {
			c.twice(fmt.Sprintf("session %d (%s)", i-1, session.ID), true, func() string { return fmt.Sprintf("%#v", session) },
				func() iter.Seq2[surfaces.Name, string] { return of.SessionPassages(session) })
		}
	}
	if s.Name() != c.name || s.Surfaces() != c.declared {
		c.failf("name and surfaces changed from %s [%s] to %s [%s]", c.name, c.declared, s.Name(), s.Surfaces())
	}
	return c.broken
}

type checker struct {
	name     string
	declared surfaces.Set
	broken   []error
}

func (c *checker) failf(format string, args ...any) {
	c.broken = append(c.broken, fmt.Errorf("%s: %w", c.name, fmt.Errorf(format, args...)))
}

// twice takes the passages of one input two times and looks at the input
// before and after; state prints all of it.
func (c *checker) twice(what string, session bool, state func() string, passages func() iter.Seq2[surfaces.Name, string]) {
	before := state()
	first := c.collect(what, session, passages())
	for range passages() {
		break
	}
	var again [2][]passage
	var together sync.WaitGroup
	for i := range again {
		together.Go(func() { again[i] = c.collect("", session, passages()) })
	}
	together.Wait()
	for _, then := range again {
		if !slices.Equal(first, then) {
			c.failf("%s: gives\n  %q\nand then\n  %q", what, first, then)
			break
		}
	}
	if state() != before {
		c.failf("%s: was changed by taking its passages", what)
	}
}

// manyPassages is more than any session has.
const manyPassages = 10_000

type passage struct {
	Name surfaces.Name
	Text string
}

// collect gathers passages and, where what is given, checks each.
func (c *checker) collect(what string, session bool, seq iter.Seq2[surfaces.Name, string]) (all []passage) {
	seen := map[surfaces.Name]bool{}
	most := len(surfaces.All()) + 1
	if session {
		most = manyPassages
	}
	for name, text := range seq {
		all = append(all, passage{name, text})
		if len(all) == most {
			break
		}
		if what == "" {
			continue
		}
		surface, known := surfaces.Lookup(name)
		switch {
		case !known:
			c.failf("%s: surface %q is unknown", what, name)
		case !c.declared.Has(name):
			c.failf("%s: surface %s is not among the declared [%s]", what, name, c.declared)
		case surface.Session != session:
			c.failf("%s: %s is not a surface of it", what, name)
		case seen[name] && !session:
			c.failf("%s: two passages for %s", what, name)
		case text == "":
			c.failf("%s: the passage for %s is empty", what, name)
		case !utf8.ValidString(text):
			c.failf("%s: the passage for %s is not valid UTF-8: %.40q", what, name, text)
		}
		seen[name] = true
	}
	if what != "" && len(all) == most {
		c.failf("%s: gives %d passages, and does not end there", what, most)
	}
	return all
}
