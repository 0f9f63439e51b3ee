package main

import (
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus"
)

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func at(t time.Time) corpus.Time { return corpus.Time{Time: t} }

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]safe{
		-time.Hour: "in the future", 0: "just now", 59 * time.Second: "just now", time.Minute: "1 min ago", 90 * time.Minute: "1 h ago",
		24 * time.Hour: "yesterday", 3 * 24 * time.Hour: "3 days ago", 14 * 24 * time.Hour: "2 weeks ago", 90 * 24 * time.Hour: "3 months ago",
		800 * 24 * time.Hour: "2 years ago",
	} {
		if got := ago(now, now.Add(-d)); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]safe{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := num(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if c := count(1, "match") + count(2, "match") + count(0, "turn"); c != "1 match2 matches0 turns" {
		t.Error(c)
	}
	for n, want := range map[int64]safe{5: "5 bytes", 1500: "1.5 KB", 2_000_000: "2.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestBytesOf(t *testing.T) {
	for typed, want := range map[string]int64{"500MB": 500e6, "2 gb": 2e9, "1.5k": 1500, "7": 7, "1TB": 1e12} {
		if got, err := bytesOf(typed); got != want || err != nil {
			t.Errorf("%s: %d, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"", "MB", "-1", "0", "0.1", "NaN", "inf", "1e30", "1MK", "5KM"} {
		if got, err := bytesOf(typed); err == nil {
			t.Errorf("%q is read as %d", typed, got)
		}
	}
}

func TestPara(t *testing.T) {
	s := &screen{width: 24}
	s.para(4, "one two three four five\nsix")
	s.item(0, "> ", "a  table  stays\n  1f0e1c2d-3b4a-4f6e-8d7c-9a8b7c6d5e4f")
	want := "    one two three four\n    five\n    six\n> a  table  stays\n  1f0e1c2d-3b4a-4f6e-8d7c-9a8b7c6d5e4f\n"
	if d := cmp.Diff(want, s.buf.String()); d != "" {
		t.Error(d)
	}
}

func TestMarked(t *testing.T) {
	s := &screen{color: true}
	const on, off = "\x1b[1;33m", "\x1b[0m"
	for _, test := range []struct {
		snippet string
		spans   [][2]int
		want    string
	}{
		{"the key changed", [][2]int{{4, 7}}, "the " + on + "key" + off + " changed"},
		{"the **key** changed", [][2]int{{6, 9}}, "the " + on + "key" + off + " changed"},
		{"**a** **b**", [][2]int{{2, 3}, {8, 9}}, on + "a" + off + " " + on + "b" + off},
		{"some **bold** text", nil, "some **bold** text"},
		{"x\ny", [][2]int{{0, 1}}, on + "x" + off + " y"},
		{"out", [][2]int{{2, 9}, {1, 1}}, "out"},
	} {
		if got := string(marked(s, test.snippet, test.spans)); got != test.want {
			t.Errorf("%q: %q, want %q", test.snippet, got, test.want)
		}
	}
}

// TestAnswer is what a person sees.
func TestAnswer(t *testing.T) {
	a := &corpus.Answer{
		Query: "why did the deploy fail", ResultCount: 2, Total: 3,
		Results: []corpus.Hit{
			{SessionID: "s1", TurnID: "t1", Lane: "main", Project: "/home/u/api", Branch: "main", Name: "Cache key migration",
				Surface: "assistant_summary", Score: 8, Created: at(now.AddDate(0, 0, -3)), Prompt: "the deploy fails since the cache moved",
				Summary: "no", Snippet: "It failed because the **cache** key gained the lockfile hash, so that every runner missed it.", Spans: [][2]int{{24, 29}},
				State: "final", Copies: []string{"s9"}},
			{SessionID: "s2", TurnID: "t2", Lane: "headless", Surface: "user_prompt", Score: 4, Created: at(now.Add(-time.Hour)),
				Prompt: "why", Snippet: "why did it", Summary: "because", State: "open", Missing: true},
		},
		Scope: corpus.Scope{Preset: "sessions", Sessions: 1200, Turns: 5000, UnknownWords: []string{"did"}, Repaired: map[string]string{"depoly": "deploy"},
			Refresh: "locked"},
	}
	s := &screen{width: 60, now: now}
	answerPage{Answer: a, group: corpus.BySession}.text(s)
	want := `3 of 1,200 sessions match why did the deploy fail, the best 2:
read depoly as deploy
nowhere in the index: did
another process is indexing, so the newest turns may be missing

 1  Cache key migration
    api · main · 3 days ago (2026-03-07 12:00) · 1.00 ·
    assistant_summary
    ? the deploy fails since the cache moved
    > It failed because the cache key gained the lockfile
      hash, so that every runner missed it.
    hansard show t1 · session s1 · also in s9

 2  why
    1 h ago (2026-03-10 11:00) · 0.50 · user_prompt · open ·
    headless · transcript gone
    ? why did it
    > because
    hansard show t2 · session s2
`
	if d := cmp.Diff(want, s.buf.String()); d != "" {
		t.Error(d)
	}
}

// TestNothing: an empty answer says what was searched and what to loosen.
func TestNothing(t *testing.T) {
	a := &corpus.Answer{Query: "foobarish", Scope: corpus.Scope{
		Preset: "sessions", Surfaces: nil, Filters: map[string]any{"projects": []string{"api"}}, Sessions: 114, Turns: 507, RemovedByFilters: 5,
		UnknownWords: []string{"foobarish"}, IndexedAt: at(now.Add(-2 * time.Hour)), Refresh: "done", Loosen: []string{"leave out --project"},
	}}
	s := &screen{width: 100, now: now}
	answerPage{Answer: a}.text(s)
	for _, want := range []string{"Nothing found for foobarish", "507 turns of 114 sessions in sessions", "projects api, which removed 5 matches",
		"brought up to date for this search, last change 2 h ago (2026-03-10 10:00)", "leave out --project", "nowhere in the index: foobarish"} {
		if !strings.Contains(s.buf.String(), want) {
			t.Errorf("no %q in\n%s", want, s.buf.String())
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("sand ", 40) + "gold" + strings.Repeat(" sand", 40)
	at := strings.Index(long, "gold")
	got, spans := excerpt(long, [][2]int{{at, at + 4}}, 40)
	if want := "… sand sand gold sand sand sand sand sand sand …"; got != want || got[spans[0][0]:spans[0][1]] != "gold" {
		t.Errorf("%q %v", got, spans)
	}
	if got, _ := excerpt(long, [][2]int{{0, 4}, {at, at + 4}, {at + 5, at + 9}}, 20); got != "… sand gold sand sand sand …" {
		t.Errorf("two are better than one: %q", got)
	}
	if got, _ := excerpt(long, nil, 12); got != "sand sand sand …" {
		t.Errorf("no match: %q", got)
	}
	if got, spans := excerpt("gold", [][2]int{{0, 4}}, 12); got != "gold" || len(spans) != 1 {
		t.Errorf("short: %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		got, spans := excerpt(text, [][2]int{{from, to}}, rapid.IntRange(1, 40).Draw(t, "room"))
		if len(spans) == 1 && got[spans[0][0]:spans[0][1]] != text[from:to] {
			t.Fatalf("%q: the match became %q", got, got[spans[0][0]:spans[0][1]])
		}
	})
}

// TestPlain: what is taken for plain text is what the slower ways make of it too.
func TestPlain(t *testing.T) {
	for c := range 256 {
		text := "a" + string([]byte{byte(c)}) + "b c"
		if !plain(text) {
			continue
		}
		if w := (displaywidth.Options{ControlSequences: true}).String(text); width(text) != w {
			t.Errorf("%q: width %d, want %d", text, width(text), w)
		}
		if strings.ContainsFunc(text, hostile) || strip(text) != text {
			t.Errorf("%q is not plain", text)
		}
	}
}

// TestWrapWithoutSpaces: what is written without spaces is broken between its
// characters, and neither a path nor a row's closing sign is.
func TestWrapWithoutSpaces(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"環境變數沒有設定", []string{"環境變數沒", "有設定"}},
		{"a 環境變數沒有設定 b", []string{"a 環境變數", "沒有設定 b"}},
		{"環境變數沒。有設定了", []string{"環境變數沒。", "有設定了"}},
		{"\x1b[1m環境變數\x1b[0m沒有設定", []string{"\x1b[1m環境變數\x1b[0m沒", "有設定"}},
		{"see /home/u/環/a/long/path", []string{"see", "/home/u/環/a/long/path"}},
		{"one two three", []string{"one two", "three"}},
	} {
		if d := cmp.Diff(test.want, wrap(test.text, 10)); d != "" {
			t.Errorf("%q: %s", test.text, d)
		}
	}
}
