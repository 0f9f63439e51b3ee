package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// searched indexes sessions in the notation of golden files.
func searched(t *testing.T, text string) *Corpus {
	t.Helper()
	b := newBench(t)
	readSessions(t, b, text)
	b.sync()
	return b.open()
}

func ask1(t *testing.T, c *Corpus, q Query) *Answer {
	t.Helper()
	ans, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Text, err)
	}
	if ans.ResultCount != len(ans.Results) || ans.Total < ans.ResultCount {
		t.Errorf("%q: %d results, count %d, total %d", q.Text, len(ans.Results), ans.ResultCount, ans.Total)
	}
	return ans
}

func found(ans *Answer) string {
	var ids []string
	for _, h := range ans.Results {
		ids = append(ids, h.TurnID)
	}
	return strings.Join(ids, " ")
}

const garden = `
# beans
> plant beans beside the fence, the tall beans
! Bash
< The beans stand beside the fence.
> water the beans
< Watered.
# roses The rose bed
@ 2026-10-05
> cut the roses back
! Edit
< The roses are short now.
# pond
@ 2026-10-09
> the pond leaks beside the beans
< It is sealed, and "winter ready" too.
`

func TestSearchLanguage(t *testing.T) {
	c := searched(t, garden)
	for _, test := range []struct {
		query, want string
		group       Group
	}{
		{"beans", "beans/1 pond/1", BySession},
		{"beans", "beans/1 beans/2 pond/1", ByTurn},
		{"beans -fence", "beans/2 pond/1", BySession},
		{"+pond beans", "pond/1", BySession},
		{"+pond +roses", "", BySession},
		{`"beside the fence"`, "beans/1", BySession},
		{`"fence beside"`, "", BySession},
		{`-"tall beans" beans`, "beans/2 pond/1", BySession},
		{"beans -fen*", "beans/2 pond/1", BySession},
		{"beans -fnece~", "beans/2 pond/1", BySession},
		{"-fence", "pond/1 roses/1 beans/2", ByTurn},
		{"* -fence -ros*", "pond/1 beans/2", BySession},
		{"-fence before:2026-10-08", "roses/1 beans/2", BySession},
		{"ros*", "roses/1", BySession},
		{"+wat*", "beans/2", BySession},
		{"rosse~", "roses/1", BySession},
		{"tool:bash beans", "beans/1", BySession},
		{"beans session:pond", "pond/1", BySession},
		{"beans -session:beans", "pond/1", BySession},
		{"beans after:2026-10-08", "pond/1", BySession},
		{"beans before:2026-10-04", "beans/1", BySession},
		{"beans surface:assistant_summary", "beans/1", BySession},
		{"*", "pond/1 roses/1 beans/2", BySession},
		{"*", "pond/1 roses/1 beans/2 beans/1", ByTurn},
		{"", "pond/1 roses/1 beans/2", BySession},
		{"before:2026-10-08", "roses/1 beans/2", BySession},
		{"roses/1", "roses/1", BySession},
		{"???", "", BySession},
		{"- -- + \"\" ~", "", BySession},
	} {
		ans := ask1(t, c, Query{Text: test.query, Group: test.group})
		if got := found(ans); got != test.want {
			t.Errorf("%s by %s: %s, want %s", test.query, test.group, got, test.want)
		}
	}
}

// TestSpellings: what people write in two ways is found by either, also where a clause
// has to match.
func TestSpellings(t *testing.T) {
	c := searched(t, `
# a
> the upgrade to go1.26.8 don't panic
< It didn’t.
# b
> pin 1.26 and dont panic
< It didnt.
# c
> version 1.27.1, a panic at 11.26.8
< Yes, 26.8 too.
`)
	for query, want := range map[string]string{
		`+1.26`: "a/1 b/1", `"1.26"`: "a/1 b/1", `+1.26.8`: "a/1", `1.26*`: "a/1 b/1", `"upgrade to 1.26"`: "a/1",
		`"upgrade to go1.26"`: "a/1", `-1.26 panic`: "c/1", `+26`: "",
		`"dont panic"`: "a/1 b/1", `"don't panic"`: "a/1 b/1", `"don’t panic"`: "a/1 b/1", `+didnt`: "a/1 b/1",
		`+don't`: "a/1 b/1", `-dont panic`: "c/1", `don't*`: "a/1 b/1", `re:don't`: "a/1", `re:dont`: "b/1",
		`re:don.?t panic`: "a/1 b/1", `re:1\.26`: "a/1 b/1 c/1", `re:o1\.26\.8`: "a/1",
	} {
		text, regexp := strings.CutPrefix(query, "re:")
		got := strings.Fields(found(ask1(t, c, Query{Text: text, Regexp: regexp})))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s finds %q, not %q", query, got, want)
		}
	}
}

func TestSearchByID(t *testing.T) {
	b := newBench(t)
	const session, turn = "60b4b528-6230-4d6b-a9dd-cdc76f4abcf5", "71b7117f-ca1c-40de-8568-13f90d557d57"
	b.src.AppendRecords(session, pair(turn, "first", "one", 1), pair("0fe553fc-e62a-4c1e-8ccc-9e67ef72c414", "second", "two", 2))
	b.src.AppendRecords("60b4b529-0000-4d6b-a9dd-cdc76f4abcf5", pair("aaaaaaaa-ca1c-40de-8568-13f90d557d57", "see 71b7117f-ca1c", "three", 3))
	b.sync()
	c := b.open()
	for query, want := range map[string]string{
		session: turn, "60b4b528": turn, turn: turn, "0fe553fc-e62a": "0fe553fc-e62a-4c1e-8ccc-9e67ef72c414",
		"60b4b52": "", "60b4b52a": "", turn + " session:60b4b529-0000-4d6b-a9dd-cdc76f4abcf5": "",
	} {
		if got := found(ask1(t, c, Query{Text: query})); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestSearchErrors(t *testing.T) {
	c := searched(t, garden)
	var bad *QueryError
	for _, q := range []Query{{Text: "after:someday"}, {Text: "surface:nowhere"}, {Text: "(", Regexp: true}} {
		if _, err := c.Search(t.Context(), q); !errors.As(err, &bad) {
			t.Errorf("%q: %v, want a QueryError", q.Text, err)
		}
	}
}

func TestRegexp(t *testing.T) {
	c := searched(t, garden)
	for query, want := range map[string]string{
		`be\w+s beside`: "beans/1", "(?i)THE (pond|roses)": "pond/1 roses/1", "^water": "beans/2", "zzz": "",
	} {
		ans := ask1(t, c, Query{Text: query, Regexp: true})
		if got := found(ans); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		if len(ans.Results) > 0 && !strings.Contains(ans.Results[0].Snippet, "**") {
			t.Errorf("%s: nothing marked in %q", query, ans.Results[0].Snippet)
		}
	}
}

func TestScope(t *testing.T) {
	c := searched(t, garden)
	ans := ask1(t, c, Query{Text: "beans zebra", Filter: Filter{Session: "roses"}})
	sc := ans.Scope
	if len(ans.Results) != 0 || sc.RemovedByFilters != 2 || sc.Sessions != 3 || sc.Turns != 4 ||
		!slices.Equal(sc.UnknownWords, []string{"zebra"}) || len(sc.Loosen) == 0 || sc.Filters["session"] != "roses" || sc.IndexedAt.IsZero() {
		t.Errorf("scope of an empty answer: %s", asJSON(t, sc))
	}
	raw := asJSON(t, ask1(t, c, Query{Text: "roses"}))
	for _, want := range []string{`"unknownWords":[]`, `"repaired":{}`, `"filters":{}`, `"removedByFilters":0`, `"copies":[]`, `"tools":["Edit"]`, `"name":"The rose bed"`} {
		if !strings.Contains(raw, want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
	if strings.Contains(raw, "null") {
		t.Errorf("null in %s", raw)
	}
	if !json.Valid([]byte(raw)) {
		t.Errorf("not JSON: %s", raw)
	}
}

func TestExcludeLeavesOutTheFamily(t *testing.T) {
	b := newBench(t)
	first := pair("t1", "plant beans", "planted", 1)
	b.src.AppendRecords("old", first)
	b.src.AppendRecords("fork", first, pair("t2", "more beans", "planted too", 2))
	b.src.AppendRecords("far", pair("t3", "beans elsewhere", "yes", 3))
	b.sync()
	c := b.open()
	ans := ask1(t, c, Query{Text: "beans", Filter: Filter{Exclude: []string{"old"}}})
	if got := found(ans); got != "t3" || ans.Scope.RemovedByFilters == 0 {
		t.Errorf("found %s, removed %d", got, ans.Scope.RemovedByFilters)
	}
}

// chat is a session of ten turns of two messages, the sixth turn's prompt of
// which holds the word.
func chat(t *testing.T, at int, text string) *Corpus {
	t.Helper()
	b := newBench(t)
	for i := range 10 {
		prompt := fmt.Sprintf("question %d", i)
		if i == at {
			prompt = text
		}
		b.src.AppendRecords("chat", pair(fmt.Sprintf("t%d", i), prompt, fmt.Sprintf("answer %d", i), i))
	}
	b.sync()
	return b.open()
}

func TestWindow(t *testing.T) {
	for _, test := range []struct {
		turn, before, after int
		from, to            int // messages, to excluded
	}{
		{0, 0, 0, 0, 1}, {0, 4, 4, 0, 5}, {5, 0, 0, 10, 11}, {5, 4, 4, 6, 15}, {5, 16, 16, 3, 19},
		{9, 4, 4, 14, 20}, {9, 16, 0, 3, 19}, {0, 0, 16, 0, 16}, {5, -3, 99, 10, 20},
	} {
		c := chat(t, test.turn, "where is the lighthouse")
		ans := ask1(t, c, Query{Text: "lighthouse", Window: true, Before: test.before, After: test.after})
		if len(ans.Results) != 1 {
			t.Fatalf("%+v: %d hits", test, len(ans.Results))
		}
		w := ans.Results[0].Window
		if len(w) != test.to-test.from || w[0].MsgIdx != test.from || len(w) > MaxWindow {
			t.Errorf("%+v: %d items from %d", test, len(w), w[0].MsgIdx)
		}
		inside := slices.ContainsFunc(w, func(i WindowItem) bool { return strings.Contains(i.Snippet, "lighthouse") && i.MsgIdx == 2*test.turn })
		if !inside {
			t.Errorf("%+v: the match is not in its window", test)
		}
	}
}

func TestWindowOfAnAnswer(t *testing.T) {
	b := newBench(t)
	r := pair("t1", "look for it", "the lighthouse is at the cape", 1)
	call := sources.Event{Kind: sources.ToolCall, Time: r.Time, Group: "c", Tool: sources.Tool{Name: "Bash", Command: "ls"}}
	b.src.Append(sources.Info{Session: "s"}, slices.Insert(r.Events(), 1, call)...)
	b.sync()
	h := ask1(t, b.open(), Query{Text: "lighthouse", Window: true, Before: 1}).Results[0]
	if len(h.Window) != 2 || h.Window[0].ToolName != "Bash" || !strings.Contains(h.Window[1].Snippet, "lighthouse") || h.Surface != "assistant_summary" {
		t.Errorf("window %s, surface %s", asJSON(t, h.Window), h.Surface)
	}
}

func TestSnippetShowsTheMatch(t *testing.T) {
	filler := strings.Repeat("🌊 wave after wave ", 200)
	long := filler[:2500] + " the lighthouse stands " + filler[:500]
	c := chat(t, 3, strings.ToValidUTF8(long, ""))
	h := ask1(t, c, Query{Text: "lighthouse", Window: true, Before: 16, After: 16}).Results[0]
	plain := strings.ReplaceAll(h.Snippet, "**", "")
	if !strings.Contains(h.Snippet, "**lighthouse**") || len(plain) > SnippetBytes || !utf8.ValidString(h.Snippet) {
		t.Errorf("%d bytes: %q", len(plain), h.Snippet)
	}
	for _, span := range h.Spans {
		if got := h.Snippet[span[0]:span[1]]; got != "lighthouse" {
			t.Errorf("span of %q", got)
		}
	}
	for _, item := range h.Window {
		if len(item.Snippet) > SnippetBytes || !utf8.ValidString(item.Snippet) {
			t.Errorf("item %d: %d bytes", item.MsgIdx, len(item.Snippet))
		}
		if item.MsgIdx == 6 && (!item.Truncated || !strings.Contains(item.Snippet, "lighthouse")) {
			t.Errorf("the match is not in %q", item.Snippet)
		}
	}
	if len(h.Prompt) > SnippetBytes || !utf8.ValidString(h.Prompt) {
		t.Errorf("prompt of %d bytes", len(h.Prompt))
	}
}

func TestAtMostTwentyWindows(t *testing.T) {
	b := newBench(t)
	for i := range 25 {
		b.src.AppendRecords(fmt.Sprintf("s%d", i), pair(fmt.Sprintf("t%d", i), "the lighthouse", "yes", i))
	}
	b.sync()
	c := b.open()
	for limit, want := range map[int]int{0: 10, 5: 5, 25: 20, -1: 20} {
		if ans := ask1(t, c, Query{Text: "lighthouse", Window: true, Limit: limit}); ans.ResultCount != want || ans.Total != 25 {
			t.Errorf("limit %d: %d of %d", limit, ans.ResultCount, ans.Total)
		}
	}
	if ans := ask1(t, c, Query{Text: "lighthouse", Limit: -1}); ans.ResultCount != 25 {
		t.Errorf("no limit: %d", ans.ResultCount)
	}
}

// TestSearchOfTheTail: what Add took is found before it is written.
func TestSearchOfTheTail(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "plant beans", "planted", 1))
	b.sync()
	ix, err := OpenIndexer(t.Context(), b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	at := began.Add(time.Hour)
	turn := segment.Turn{ID: "t2", Session: "s2", Source: "memory", Prompt: "the beans are ripe", Created: at, Updated: at, State: segment.NoReply}
	if err := ix.Add(t.Context(), segment.Session{ID: "s2", Source: "memory", Created: at}, turn); err != nil {
		t.Fatal(err)
	}
	c, err := ix.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := found(ask1(t, c, Query{Text: "ripe beans"})); got != "t2 t1" {
		t.Errorf("found %s", got)
	}
}

// TestSearchesAtOnce: searches share what they write on, one after the other.
func TestSearchesAtOnce(t *testing.T) {
	c := searched(t, garden)
	want := found(ask1(t, c, Query{Text: "beans beside the fence"}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				ans, err := c.Search(t.Context(), Query{Text: "beans beside the fence", Window: true, Explain: true})
				if err != nil || found(ans) != want {
					t.Errorf("%v %v", ans, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
