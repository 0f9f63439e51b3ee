package search

import (
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// Index brings the corpus in dir up to date with what src tells; see TestMain.
var Index func(t testing.TB, dir string, src sources.Source, now time.Time)

// began is the moment at which invented sessions begin.
var began = time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)

// bench is a corpus under test with the source that feeds it.
type bench struct {
	t   testing.TB
	dir string
	src *sources.Memory
}

func newBench(t testing.TB) *bench { return &bench{t, t.TempDir(), new(sources.Memory)} }

// sync indexes once.
func (b *bench) sync() {
	b.t.Helper()
	Index(b.t, b.dir, b.src, began.AddDate(0, 1, 0))
}

// open opens what is published, until the test ends.
func (b *bench) open() *snapshot {
	b.t.Helper()
	s, err := published.Load(b.dir, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(s.Release)
	return snapshotOf(s)
}

// scored begins a search for turns and scores what it finds.
func scored(t testing.TB, p *Searcher, s *snapshot, text string) *Search {
	t.Helper()
	q := p.Begin(s.Snapshot, Question{Clauses: clausesOf(text), Surfaces: surfaces.Defaults(), Pass: make([]*postings.Set, len(s.views)), ByTurn: true, Limit: 10})
	if err := q.Score(t.Context()); err != nil {
		t.Fatal(err)
	}
	return q
}

// clausesOf are words, and beginnings of words that end in a star.
func clausesOf(text string) (list []query.Clause) {
	for _, word := range strings.Fields(text) {
		c := query.Clause{Text: word}
		if start, ok := strings.CutSuffix(word, "*"); ok {
			c = query.Clause{Kind: query.Prefix, Text: start}
		}
		list = append(list, c)
	}
	return list
}

// invented is the n-th word of a language of syllables.
func invented(n uint64) string {
	const consonants, vowels = "bdfgklmnprst", "aeiou"
	var s strings.Builder
	for {
		s.WriteByte(consonants[n%12])
		s.WriteByte(vowels[n/12%5])
		if n /= 60; n == 0 {
			return s.String()
		}
	}
}
