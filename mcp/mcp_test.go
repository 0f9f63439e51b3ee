package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hansard-search/hansard/corpus"
)

// TestTools: the client sees every tool, with words that bring it to mind and
// schemas that say what it takes and gives.
func TestTools(t *testing.T) {
	c := newMachine(t).connect()
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tool := range list.Tools {
		got = append(got, tool.Name)
		if !tool.Annotations.ReadOnlyHint || tool.OutputSchema == nil || tool.Title == "" {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
	want := []string{"get_session_meta", "list_messages", "list_sessions", "search_memory", "search_sessions", "status"}
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, phrase := range []string{"what did I/we decide", "when did I work on", "have we seen this error", "last time", "previous session"} {
		if i := slices.IndexFunc(list.Tools, func(tool *sdk.Tool) bool { return strings.Contains(tool.Description, phrase) }); i < 0 {
			t.Errorf("no tool is for %q", phrase)
		}
	}
	if !strings.Contains(c.InitializeResult().Instructions, "search_sessions") {
		t.Error("no instructions")
	}
}

// TestBadArguments: each mistake is answered by the tool, and in words that say
// what to write instead.
func TestBadArguments(t *testing.T) {
	m := newMachine(t)
	m.say(turn{session: "aaaa1111", ask: "why a gopher?", say: "It digs."})
	c := m.connect()
	for _, test := range []struct{ tool, args, want string }{
		{"search_sessions", `{}`, `query is missing: what to look for`},
		{"search_sessions", `{"query": "  "}`, `query is missing`},
		{"search_sessions", `{"query": 7}`, `query must be a text, not 7: what to look for`},
		{"search_sessions", `{"query": "x", "limit": "many"}`, `limit must be a whole number, not "many": at most`},
		{"search_sessions", `{"query": "x", "limit": 2.5}`, `limit must be a whole number, not 2.5`},
		{"search_sessions", `{"query": "x", "limit": 0}`, `limit must be above 0: 5 is usual`},
		{"search_sessions", `{"query": "x", "limit": -1}`, `limit must be 0 or more, not -1`},
		{"search_sessions", `{"query": "x", "context_before": -3}`, `context_before must be 0 or more`},
		{"search_sessions", `{"query": "x", "surfaces": ["titles"]}`, `surfaces: unknown "titles": use one of user_prompt, assistant_summary`},
		{"search_sessions", `{"query": "x", "surfaces": {}}`, `surfaces must be a list of texts`},
		{"search_sessions", `{"query": "x", "group": "day"}`, `group: unknown "day": use one of session, turn`},
		{"search_sessions", `{"query": "x", "colour": "red"}`, `search_sessions has no argument "colour": it takes query, context_before`},
		{"search_sessions", `{"query": "x", "include_current": "yes"}`, `include_current must be true or false`},
		{"search_sessions", `{"query": "x", "filters": "project:api"}`, `the arguments of search_sessions.filters must be an object`},
		{"search_sessions", `{"query": "x", "filters": {"colour": 1}}`, `search_sessions.filters has no argument "colour": it takes project`},
		{"search_sessions", `{"query": "x", "filters": {"lane": "fast"}}`, `lane: unknown "fast": use one of main, subagent, headless, cron`},
		{"search_sessions", `{"query": "x", "filters": {"agent": "vim"}}`, `agent: unknown "vim": use one of claude, `},
		{"search_sessions", `{"query": "x", "filters": {"after": "someday"}}`, `after: "someday" is no date: use 7d, 2w`},
		{"search_sessions", `{"query": "x", "filters": {"before": "32-13-2026"}}`, `before: "32-13-2026" is no date`},
		{"search_sessions", `{"query": "x after:someday"}`, `"someday" is no date`},
		{"list_sessions", `{"query": "x"}`, `list_sessions has no argument "query": it takes filters`},
		{"list_sessions", `{"limit": 0}`, `limit must be above 0: 20 is usual`},
		{"list_messages", `{}`, `id is missing: id of a session or a turn`},
		{"list_messages", `{"id": "cccc3333"}`, `no id is "cccc3333" or begins so; search_sessions and list_sessions print ids`},
		{"list_messages", `{"id": "a"}`, `no id is "a", and it takes 8 characters`},
		{"list_messages", `{"id": "aaaa1111", "offset": -1}`, `offset must be 0 or more, not -1`},
		{"list_messages", `{"id": "aaaa1111", "limit": 0}`, `limit must be above 0`},
		{"get_session_meta", `{"id": "cccc3333-0000"}`, `no id is "cccc3333-0000" or begins so; search_sessions`},
		{"get_session_meta", `{"session": "aaaa1111"}`, `get_session_meta has no argument "session": it takes id`},
		{"search_memory", `{}`, `query is missing`},
		{"status", `{"verbose": true}`, `status has no argument "verbose"`},
	} {
		text, isError := call(t, c, test.tool, json.RawMessage(test.args), nil)
		if !isError || !strings.Contains(text, test.want) || strings.Contains(text, "\n") {
			t.Errorf("%s %s: %v %q, want %q", test.tool, test.args, isError, text, test.want)
		}
	}
	if _, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "read_session"}); err == nil {
		t.Error("there is a tool that loads a whole session")
	}
}

// TestReading: search, then page through what was found; every message comes once.
func TestReading(t *testing.T) {
	m := newMachine(t)
	for i := range 30 {
		m.say(turn{session: "aaaa1111", ask: fmt.Sprintf("question %d about gophers", i), say: fmt.Sprintf("answer %d", i), tool: "Bash",
			command: "dig " + strings.Repeat("deep ", 100), ago: time.Duration(40-i) * time.Minute})
	}
	m.say(turn{session: "aaaa1111", ask: "and the wombat?", say: "It digs too. " + strings.Repeat("Long text. ", 4000), ago: time.Minute})
	c := m.connect()
	var a corpus.Answer
	text, _ := call(t, c, "search_sessions", map[string]any{"query": "wombat"}, &a)
	if a.ResultCount != 1 || a.Results[0].SessionID != id("aaaa1111") || !strings.HasPrefix(text, "1 of 1 sessions match") || !strings.Contains(text, "Concluded: It digs too.") {
		t.Fatalf("%s\n%+v", text, a)
	}
	var seen []corpus.MessageRecord
	for offset, pages := 0, 0; ; pages++ {
		var p struct {
			corpus.SessionPage
			NextOffset int
		}
		call(t, c, "list_messages", map[string]any{"id": a.Results[0].SessionID, "offset": offset, "limit": 7}, &p)
		if len(p.Messages) == 0 || len(p.Messages) > 7 || p.Offset != offset || pages > 30 {
			t.Fatalf("page %d: %d messages from %d", pages, len(p.Messages), p.Offset)
		}
		seen = append(seen, p.Messages...)
		if offset = p.NextOffset; offset == 0 {
			if len(seen) != p.Total {
				t.Errorf("%d messages of %d", len(seen), p.Total)
			}
			break
		}
	}
	for i, msg := range seen {
		if msg.MsgIdx != i {
			t.Fatalf("message %d at %d", msg.MsgIdx, i)
		}
	}
	var p corpus.SessionPage
	call(t, c, "list_messages", map[string]any{"id": a.Results[0].TurnID}, &p)
	if len(p.Messages) == 0 || p.Messages[0].TurnID != a.Results[0].TurnID {
		t.Errorf("a turn's id does not start at the turn: %+v", p)
	}
	var meta corpus.SessionRecord
	call(t, c, "get_session_meta", map[string]any{"id": "aaaa1111"}, &meta)
	var l corpus.SessionList
	call(t, c, "list_sessions", nil, &l)
	if meta.Turns != 31 || meta.Messages != len(seen) || l.Total != 1 || l.Sessions[0] != meta {
		t.Errorf("%+v\n%+v", meta, l)
	}
}

// TestLongMessages: what is longer than clients let through is read in parts, cut
// between characters, which make the whole; what stands behind it is a page away.
func TestLongMessages(t *testing.T) {
	m := newMachine(t)
	log := strings.Repeat("панику поймали в mod3.go:17\n", 3000)
	m.say(turn{session: "aaaa1111", ask: log, say: "It digs too.", ago: time.Minute})
	c := m.connect()
	var whole strings.Builder
	for from, pages := 0, 0; ; pages++ {
		var p struct {
			corpus.SessionPage
			NextOffset, NextTextOffset int
		}
		text, _ := call(t, c, "list_messages", map[string]any{"id": id("aaaa1111"), "text_offset": from}, &p)
		if len(text) > 40<<10 || !utf8.ValidString(p.Messages[0].Text) || pages > 5 {
			t.Fatalf("page %d from byte %d: %d bytes, which begin with %.40q", pages, from, len(text), p.Messages[0].Text)
		}
		whole.WriteString(p.Messages[0].Text)
		if from = p.NextTextOffset; from == 0 {
			if len(p.Messages) != 2 {
				t.Errorf("the answer does not follow: %+v", p)
			}
			break
		}
		if p.NextOffset != 1 || !strings.Contains(text, fmt.Sprintf(`"offset": 0, "text_offset": %d}`, from)) {
			t.Errorf("page %d does not say how to go on: %d, %s", pages, p.NextOffset, text[len(text)-200:])
		}
	}
	if whole.String() != strings.TrimSpace(log) {
		t.Errorf("%d bytes of %d", whole.Len(), len(log))
	}
	var p corpus.SessionPage
	call(t, c, "list_messages", map[string]any{"id": id("aaaa1111"), "text_offset": 10 << 20}, &p)
	if len(p.Messages) != 2 || p.Messages[0].Text != "" {
		t.Errorf("behind the end: %+v", p)
	}
}

// TestAskingSession: the session that asks stays out of its own answers before
// anything is cut off, and its relatives with it.
func TestAskingSession(t *testing.T) {
	m := newMachine(t)
	for i := range 25 { // more copies of the asking session than an answer has rows
		m.say(turn{session: fmt.Sprintf("cc%06d", i), ask: "gophers gophers gophers", say: "gophers", ago: time.Minute})
	}
	m.say(turn{session: "aaaa1111", ask: "why gophers?", say: "They dig.", ago: time.Hour})
	exclude := []string{}
	for i := range 24 {
		exclude = append(exclude, id(fmt.Sprintf("cc%06d", i)))
	}
	c := m.connect("CLAUDE_CODE_SESSION_ID=" + id("cc000024"))
	ask := func(args map[string]any) (ids []string) {
		args["query"] = "gophers"
		var a corpus.Answer
		call(t, c, "search_sessions", args, &a)
		for _, h := range a.Results {
			ids = append(ids, h.SessionID)
		}
		return ids
	}
	if got := ask(map[string]any{"exclude": exclude, "limit": 1}); !slices.Equal(got, []string{id("aaaa1111")}) {
		t.Errorf("found %v", got)
	}
	if got := ask(map[string]any{"limit": 20, "include_current": true, "filters": map[string]any{"exclude": exclude}}); len(got) != 2 {
		t.Errorf("with the current one: %v", got)
	}
	if got := ask(map[string]any{"session": id("cc000024")}); !slices.Equal(got, []string{id("cc000024")}) {
		t.Errorf("asked for by its id: %v", got)
	}
	var a corpus.Answer
	call(t, c, "search_sessions", map[string]any{"query": id("cc000003")}, &a)
	if a.ResultCount != 1 || a.Results[0].SessionID != id("cc000003") {
		t.Errorf("an id does not find its session: %+v", a)
	}
}

// TestMemory: memory files are searched apart from sessions, and come whole.
func TestMemory(t *testing.T) {
	m := newMachine(t)
	project := filepath.Join(m.home, "api")
	m.say(turn{session: "aaaa1111", ask: "feed the gopher", say: "Fed.", cwd: project})
	long := strings.Repeat("Carrots before noon. ", 100)
	m.write(filepath.Join(project, "CLAUDE.md"), "# House rules\n\n## Feeding\n\nThe gopher eats twice. "+long+"\n\n## Other\n\nWombats sleep.\n")
	c := m.connect()
	call(t, c, "status", nil, nil) // the projects are known from sessions
	var a struct {
		Total   int
		Results []corpus.TurnRecord
	}
	text, isError := call(t, c, "search_memory", map[string]any{"query": "gopher"}, &a)
	if isError || a.Total != 1 || len(a.Results) != 1 {
		t.Fatalf("%v %+v\n%s", isError, a, text)
	}
	if r := a.Results[0]; !strings.Contains(r.Prompt+r.Summary, strings.TrimSpace(long)) || strings.Contains(r.Prompt+r.Summary, "Wombats") {
		t.Errorf("not the whole entry, or more: %+v", r)
	}
	if !strings.Contains(text, "Carrots") || strings.Contains(text, "Fed.") {
		t.Error(text)
	}
}

// TestFreshness: what was said a moment ago is found, once the last look is old enough.
func TestFreshness(t *testing.T) {
	m := newMachine(t)
	m.say(turn{session: "aaaa1111", ask: "why a gopher?", say: "It digs."})
	c := m.connect()
	var a corpus.Answer
	call(t, c, "search_sessions", map[string]any{"query": "gopher"}, &a)
	m.say(turn{session: "bbbb2222", ask: "why a gopher again?", say: "It dug."})
	for end := time.Now().Add(20 * time.Second); a.Total != 2 && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		call(t, c, "search_sessions", map[string]any{"query": "gopher"}, &a)
	}
	if a.Total != 2 || a.Scope.Refresh != "done" {
		t.Errorf("%d sessions, refresh %s", a.Total, a.Scope.Refresh)
	}
}

// TestTenServers: ten servers answer while another process indexes again and
// again; no answer is an error, half, or older than the one before.
func TestTenServers(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	m := newMachine(t)
	m.say(turn{session: "aaaa1111", ask: "gopher 0 asked", say: "gopher 0 answered"})
	m.run("index")
	const runs = 20
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 10 {
		c := m.connect()
		wg.Go(func() { askUntil(t, c, done) })
	}
	for i := range runs {
		m.say(turn{session: "aaaa1111", ask: fmt.Sprintf("gopher %d asked", i+1), say: fmt.Sprintf("gopher %d answered", i+1)})
		m.run("index")
	}
	close(done)
	wg.Wait()
	if out := m.run("check"); !strings.Contains(out, "no problem") && !strings.Contains(out, "ok") && !strings.Contains(out, "nothing wrong") {
		t.Errorf("check: %s", out)
	}
	var a corpus.Answer
	call(t, m.connect(), "search_sessions", map[string]any{"query": "gopher", "group": "turn"}, &a)
	if a.Total != runs+1 {
		t.Errorf("%d turns after %d runs", a.Total, runs)
	}
}

func askUntil(t *testing.T, c *sdk.ClientSession, done chan struct{}) {
	last := 0
	for {
		r, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: "search_sessions", Arguments: map[string]any{"query": "gopher", "group": "turn", "limit": 20}})
		if err != nil || r.IsError {
			t.Errorf("%v %+v", err, r)
			return
		}
		var a corpus.Answer
		b, _ := json.Marshal(r.StructuredContent)
		if err := json.Unmarshal(b, &a); err != nil || a.Total < last || len(a.Results) != min(20, a.Total) {
			t.Errorf("%v: %d rows of %d after %d", err, len(a.Results), a.Total, last)
			return
		}
		for _, h := range a.Results {
			if strings.TrimSuffix(h.Prompt, "asked") != strings.TrimSuffix(h.Summary, "answered") {
				t.Errorf("torn: %q and %q", h.Prompt, h.Summary)
			}
		}
		last = a.Total
		select {
		case <-done:
			return
		default:
		}
	}
}

// TestHTTP: the same over a port of this machine, and of no other.
func TestHTTP(t *testing.T) {
	m := newMachine(t)
	m.say(turn{session: "aaaa1111", ask: "why a gopher?", say: "It digs."})
	for _, addr := range []string{"0.0.0.0:0", "192.0.2.1:80", "example.org:80", "7411"} {
		out, err := m.command("mcp", "--http", addr).CombinedOutput()
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || strings.Count(string(out), addr+":") > 1 {
			t.Errorf("%s: %v %s", addr, err, out)
		}
	}
	cmd := m.command("mcp", "--http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	buf := make([]byte, 4096)
	n, _ := stderr.Read(buf)
	url := regexp.MustCompile(`http://[^\s]+`).FindString(string(buf[:n]))
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err, string(buf[:n]))
	}
	defer c.Close()
	var a corpus.Answer
	if call(t, c, "search_sessions", map[string]any{"query": "gopher"}, &a); a.Total != 1 {
		t.Errorf("%+v", a)
	}
	out, err := m.command("mcp", "--http", strings.Trim(url, "htp:/")).CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 6 || !strings.Contains(string(out), "127.0.0.1:0 takes") {
		t.Errorf("a port that is taken: %v %s", err, out)
	}
	// A call stands alone: of a client that knew the server before it was started again.
	for _, session := range []string{"", "NIY5L66SKPY2CUXXYOJWI47SCW"} {
		req, _ := http.NewRequest("POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_sessions","arguments":{"query":"gopher"}}}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Session-Id", session)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || !strings.Contains(string(body), `"total":1`) {
			t.Errorf("session %q: %v %v %s", session, res.Status, err, body)
		}
		res.Body.Close()
	}
	for header, value := range map[string]string{"Origin": "https://example.org", "Host": "example.org"} {
		req, _ := http.NewRequest("POST", url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set(header, value)
		if header == "Host" {
			req.Host = value
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s: %v %v", header, value, res.StatusCode, err)
		}
	}
}
