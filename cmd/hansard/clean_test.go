package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]safe{
		"plain":                                "plain",
		"naïve 日本 🚀 é":                         "naïve 日本 🚀 é",
		"\x1b[31mred\x1b[0m":                   "red",
		"\x1b]0;title\x07text":                 "text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\a": "link",
		"\x1b[2J\x1b[Hgone":                    "gone",
		"a\x1bPq#0\x1b\\b":                     "ab",
		"c1 \u009b31m csi":                     "c1  csi",
		"half \x1b]0;title\nnext":              "half 0;title\nnext",
		"end \x1b":                             "end ",
		"end \x1b[":                            "end ",
		"end \x1b[31":                          "end 31",
		"keypad \x1b= charset \x1b(B.":         "keypad  charset .",
		"osc8 \u009d0;x\u009ctext":             "osc8 text",
		"bell\a back\b del\x7f nul\x00":        "bell back del nul",
		"over\rwrite":                          "over\nwrite",
		"dos\r\nline":                          "dos\nline",
		"tab\there":                            "tab    here",
		"bad \xff byte":                        "bad \ufffd byte",
		"evil \u202egnp.exe":                   "evil gnp.exe",
		"isolate \u2066x\u2069":                "isolate x",
		"mark \u200f\u061c":                    "mark ",
		"tag \U000e0041\U000e007f":             "tag ",
		"sep\u2028next":                        "sep\nnext",
		"family 👨\u200d👩\u200d👧":               "family 👨\u200d👩\u200d👧",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := line(" a\n\tb \x1b[1m c\r\n"); got != "a b c" {
		t.Errorf("line: %q", got)
	}
}

// harmless fails when s holds anything that a terminal obeys, newlines apart.
func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not text: %q", s)
	}
	for _, r := range s {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%q in %q", r, s)
			return
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31m", "\x9b1m", "\u009b", "\u202e", "a\x1b", "\x1b]8;;", "\x1b\x1b[[", "\xc2", "\U000e0001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		harmless(t, string(clean(s)))
		if l := string(line(s)); strings.Contains(l, "\n") {
			t.Errorf("two lines: %q", l)
		}
		spans := [][2]int{{len(s) / 3, len(s) / 2}}
		harmless(t, string(marked(&screen{}, s, spans)))
		b, err := encode(map[string]string{"x": s})
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, string(b))
	})
}

// TestEveryPageIsClean: whatever field of an answer holds an escape sequence,
// none reaches the terminal.
func TestEveryPageIsClean(t *testing.T) {
	const evil = "x\x1b[31m\u202ey\x07"
	missing := pageTypes(t)
	for _, p := range evilPages(evil) {
		missing = slices.DeleteFunc(missing, func(name string) bool { return strings.TrimPrefix(fmt.Sprintf("%T", p), "main.") == name })
		s := &screen{width: 80, now: now}
		p.text(s)
		if !strings.Contains(s.buf.String(), "x") {
			t.Errorf("%T shows nothing", p)
		}
		harmless(t, s.buf.String())
		b, err := encode(p.data())
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, string(b))
	}
	if len(missing) > 0 {
		t.Errorf("nobody looks at %v", missing)
	}
}

func evilPages(e string) []page {
	session := corpus.SessionRecord{SessionID: e, Source: e, Lane: e, Path: e, Project: e, Name: e, Summary: e}
	hit := corpus.Hit{SessionID: e, TurnID: e, Source: e, Lane: e, Path: e, Project: e, Branch: e, Name: e, Surface: e, Score: 1,
		Prompt: e, Summary: e, Snippet: e, Spans: [][2]int{{0, 3}}, Tools: []string{e}, Model: e, State: e, Copies: []string{e},
		Window: []corpus.WindowItem{{Role: e, Snippet: e, ToolName: e}}, Explain: []corpus.Part{{What: e}}}
	scope := corpus.Scope{Preset: e, Filters: map[string]any{e: []string{e}}, UnknownWords: []string{e}, Repaired: map[string]string{e: e},
		Loosen: []string{e}, Damaged: []string{e}, Surfaces: nil}
	turn := corpus.TurnRecord{TurnID: e, SessionID: e, Places: []string{e}, Path: e, Project: e, Branch: e, Name: e, Model: e, Prompt: e, Summary: e,
		Paths: []string{e}}
	return []page{
		answerPage{Answer: &corpus.Answer{Query: e, ResultCount: 1, Total: 1, Results: []corpus.Hit{hit}, Scope: scope}, explain: true},
		answerPage{Answer: &corpus.Answer{Query: e, Scope: scope}},
		turnPage{&turn, true},
		sessionPage{&corpus.SessionPage{Session: session, Total: 9, Messages: []corpus.MessageRecord{{Role: e, Tool: e, Text: e}}}},
		sessionsPage{&corpus.SessionList{Total: 9, Sessions: []corpus.SessionRecord{session}}},
		reportPage{&corpus.Report{SkippedTotal: 1, Skipped: []corpus.SkippedLine{{Path: e, Line: 1, Reason: e}}}},
		statusPage{&corpus.Status{Preset: e, DataDir: e, Redacted: map[string]int{e: 1}, Writer: &corpus.WriterStatus{Command: e},
			Sources: []corpus.SourceStatus{{Name: e, Root: e}}}, corpus.Params{Since: e, Projects: []string{e}, Include: []string{e}}},
		presetsPage{Presets: []presetRow{{Name: e, About: e, Sources: []string{e}, Projects: []string{e}, Since: e}}, file: e},
		evalPage{&corpus.Evaluation{Kinds: []corpus.Scored{{Kind: e}}, Misses: []corpus.Miss{{ID: e, Kind: e, Query: e}}}},
		checkPage{&corpus.CheckReport{Problems: []corpus.Problem{{File: e, Kind: e, Detail: e}}}},
		backupPage{&corpus.BackedUp{Preset: e, Path: e}, "backed up"},
		removalPage{&corpus.Removal{Preset: e, Sessions: []corpus.RemovedSession{{SessionID: e, Project: e, Lane: e}}}},
		repairPage{&corpus.Repaired{Preset: e, Problems: []corpus.Problem{{File: e, Kind: e, Detail: e}}}, &corpus.Report{Preset: e}},
		maintainPage{Corpora: []upkeep{{Preset: e, Failed: e}}},
		maintainPage{DryRun: true, Corpora: []upkeep{{Preset: e, Refresh: e, Due: true, Synopses: &synopses{
			Due: 1, Window: e, Failures: []synopsisFailed{{e, e}}}}}},
		installPage{Agent: e, DryRun: true, Backups: e, Changes: []changeRow{{Path: e, About: e, Action: "change", Diff: []string{"+ " + e}}}},
		recentPageOf(e),
		&resumePage{SessionID: e, Source: e, Dir: e, Argv: []string{e}, Command: e},
		eventPage{watchEvent{Event: e, Path: e}},
	}
}

func recentPageOf(e string) page {
	p := recentPage{Cwd: e, Budget: 100, Sessions: []recentSession{
		{SessionRecord: corpus.SessionRecord{SessionID: e, Project: e, Name: e}, Asked: e, Concluded: e}}}
	p.Text = p.words(&screen{now: now})
	return p
}

// pageTypes are the types of all pages: those with a method data.
func pageTypes(t *testing.T) (names []string) {
	t.Helper()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func \(\w+ (\*?\w+)\) data\(\) any`).FindAllSubmatch(b, -1) {
			names = append(names, strings.Replace(string(m[1]), "*", "*main.", 1))
		}
	}
	return names
}
