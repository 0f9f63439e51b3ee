package snippet

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// look finds the words of query in text; each weighs as much as it is long.
func look(text, query string) []Mark {
	var a terms.Analyzer
	var targets []terms.Target
	var word []int
	var weight []float64
	for _, k := range a.Tokens(query) {
		targets = append(targets, terms.Target{Term: k.Term, Exact: k.Exact})
		word = append(word, len(weight))
		weight = append(weight, float64(len(k.Term)))
	}
	return Marks(nil, terms.NewMatcher(&a, targets), text, word, weight)
}

func TestBestPassage(t *testing.T) {
	filler := strings.Repeat("lorem ipsum dolor sit amet ", 100) // 2,700 bytes
	tests := []struct {
		name, text, query string
		limit             int
		want              string
	}{
		{"whole", "the cache keys changed", "cache key", 100, "the **cache** **keys** changed"},
		{"no match", "short text", "absent", 100, "short text"},
		{"no match, cut", "one two three four five six seven", "absent", 28, "one two three four ..."},
		{"middle", "one two three four five six seven eight nine", "five", 30, "... four **five** six ..."},
		{"end", "one two three four five six seven", "seven", 25, "... five six **seven**"},
		{"start", "one two three four five six seven", "one", 25, "**one** two three ..."},
		{"far away", filler + "the needle is here. " + filler, "needle", 60, "... dolor sit amet the **needle** is here. lorem ipsum ..."},
		{"both words rather than one twice", "cache cache cache " + filler + "cache of keys", "cache keys", 40, "... dolor sit amet **cache** of **keys**"},
		{"close rather than apart", "cache " + filler[:20] + " keys " + filler + "cache keys", "cache keys", 50, "... amet lorem ipsum dolor sit amet **cache** **keys**"},
		{"heavier word", "ab " + filler + "infrastructure", "ab infrastructure", 40, "... dolor sit amet **infrastructure**"},
		{"compound once", "run parseHTTPRequest now", "parseHTTPRequest", 100, "run **parseHTTPRequest** now"},
		{"parts of a compound", "a dry-run here", "dry run", 100, "a **dry**-**run** here"},
		{"no blanks", strings.Repeat("é", 40) + " x " + strings.Repeat("é", 40), "x", 32, "... ééééé **x** ééééé ..."},
	}
	for _, tt := range tests {
		s := Best(tt.text, look(tt.text, tt.query), tt.limit)
		if got := s.Marked(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if s.Truncated == (s.Text == tt.text) {
			t.Errorf("%s: truncated is %v", tt.name, s.Truncated)
		}
		holds(t, tt.text, s, tt.limit)
	}
}

// holds checks what is true of every snippet.
func holds(t interface {
	Helper()
	Errorf(string, ...any)
}, text string, s Snippet, limit int) {
	t.Helper()
	if len(s.Text) > limit {
		t.Errorf("%q: %d bytes of at most %d", s.Text, len(s.Text), limit)
	}
	if utf8.ValidString(text) && !utf8.ValidString(s.Text) {
		t.Errorf("%q divides a character", s.Text)
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(s.Text, ellipsis+" "), " "+ellipsis)
	if s.Truncated && !strings.Contains(text, inner) {
		t.Errorf("%q is not of the text", s.Text)
	}
	last := 0
	for _, span := range s.Spans {
		if span[0] < last || span[1] <= span[0] || span[1] > len(s.Text) {
			t.Errorf("%q: spans %v", s.Text, s.Spans)
		}
		last = span[1]
	}
}

func TestSnippetShowsALateMatch(t *testing.T) {
	text := strings.Repeat("word ", 500) + "needle " + strings.Repeat("word ", 100)
	s := Best(text, look(text, "needle"), 1024)
	if !strings.Contains(s.Marked(), "**needle**") || !s.Truncated || len(s.Text) < 1024-2*nearby {
		t.Errorf("%d bytes: %q", len(s.Text), s.Text)
	}
}

func TestSnippetHolds(t *testing.T) {
	pieces := []string{"needle", "hay ", " ", "\n", "é", "e\u0301", "👩\u200D💻", "猫", "\xff", "**", "x-needle_y ", strings.Repeat("z", 50), "pin "}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "text"), "")
		limit := rapid.IntRange(0, 200).Draw(t, "limit")
		marks := look(text, "needle pin")
		s := Best(text, marks, limit)
		holds(t, text, s, limit)
		if len(marks) > 0 && limit > 60 && len(s.Spans) == 0 {
			t.Errorf("%q: nothing of %v shown in %q", text, marks, s.Text)
		}
	})
}

func TestBeginning(t *testing.T) {
	tests := []struct {
		text  string
		limit int
		want  string
		cut   bool
	}{
		{"", 0, "", false},
		{"abc", 3, "abc", false},
		{"abc", 2, "ab", true},
		{"aé", 2, "a", true},
		{"a猫", 3, "a", true},
		{"a猫b", 4, "a猫", true},
		{"👩", 3, "", true},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80", true},
		{"abc", -1, "", true},
	}
	for _, tt := range tests {
		if got, cut := Beginning(tt.text, tt.limit); got != tt.want || cut != tt.cut {
			t.Errorf("Beginning(%q, %d) = %q, %v", tt.text, tt.limit, got, cut)
		}
	}
}
