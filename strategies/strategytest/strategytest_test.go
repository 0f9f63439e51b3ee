package strategytest

import (
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

type bent struct {
	strategies.ClaudeTurn
	passages func(segment.Turn, func(surfaces.Name, string) bool)
}

func (b bent) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) { b.passages(t, yield) }
}

func TestCheckFindsBrokenPromises(t *testing.T) {
	var calls atomic.Int32
	tests := []struct {
		name, want string
		passages   func(segment.Turn, func(surfaces.Name, string) bool)
	}{
		{"sound", "", func(segment.Turn, func(surfaces.Name, string) bool) {}},
		{"unknown", "is unknown", func(_ segment.Turn, y func(surfaces.Name, string) bool) { y("mood", "x") }},
		{"not declared", "not among the declared", func(_ segment.Turn, y func(surfaces.Name, string) bool) { y(surfaces.ToolCalls, "x") }},
		{"of a session", "not a surface of it", func(_ segment.Turn, y func(surfaces.Name, string) bool) { y(surfaces.SessionTitle, "x") }},
		{"empty", "is empty", func(_ segment.Turn, y func(surfaces.Name, string) bool) { y(surfaces.UserPrompt, "") }},
		{"two", "two passages", func(_ segment.Turn, y func(surfaces.Name, string) bool) {
			_ = y(surfaces.UserPrompt, "x") && y(surfaces.UserPrompt, "y")
		}},
		{"no end", "does not end there", func(_ segment.Turn, y func(surfaces.Name, string) bool) {
			for y(surfaces.UserPrompt, "x") {
			}
		}},
		{"not the same twice", "and then", func(_ segment.Turn, y func(surfaces.Name, string) bool) {
			y(surfaces.UserPrompt, strings.Repeat("x", int(calls.Add(1))))
		}},
		{"cut within a character", "not valid UTF-8", func(turn segment.Turn, y func(surfaces.Name, string) bool) {
			if turn.Prompt != "" {
				y(surfaces.UserPrompt, turn.Prompt[:min(len(turn.Prompt), 1000)])
			}
		}},
		{"changes its input", "was changed", func(turn segment.Turn, _ func(surfaces.Name, string) bool) {
			if len(turn.Texts) > 0 && turn.Texts[0] != "" {
				turn.Texts[0] = ""
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, err := range Check(bent{passages: tt.passages}, []segment.Turn{{ID: "1", Texts: []string{"a"}}}) {
				got = append(got, err.Error())
			}
			all := strings.Join(got, "\n")
			if tt.want == "" && all != "" || !strings.Contains(all, tt.want) {
				t.Errorf("want %q in:\n%s", tt.want, all)
			}
		})
	}
}

// annotator is a strategy that adds to sessions.
type annotator struct {
	strategies.ClaudeTurn
	add func(segment.Session) segment.Session
}

func (a annotator) Annotate(s segment.Session) segment.Session { return a.add(s) }

func TestCheckFindsBrokenAnnotators(t *testing.T) {
	calls := 0
	for want, add := range map[string]func(segment.Session) segment.Session{
		"": func(s segment.Session) segment.Session { s.Titles[4] = "x"; return s },
		"was changed by annotating": func(s segment.Session) segment.Session {
			s.Summaries[0].Text += "x"
			return s
		},
		"and then": func(s segment.Session) segment.Session {
			calls++
			s.Titles[4] = strings.Repeat("x", calls)
			return s
		},
		"is another one":  func(s segment.Session) segment.Session { s.ID = "y"; return s },
		"not valid UTF-8": func(s segment.Session) segment.Session { s.Titles[4] = "\xff"; return s },
	} {
		var all []string
		for _, err := range Check(annotator{add: add}, nil, segment.Session{ID: "s", Summaries: []segment.Summary{{Text: "a"}}}) {
			all = append(all, err.Error())
		}
		got := strings.Join(all, "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("want %q in:\n%s", want, got)
		}
	}
}
