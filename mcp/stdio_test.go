package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// ask writes lines into a server's input, which ends behind the last one, and
// returns the answers by their ids, which are texts.
func (m *machine) ask(lines string) map[string]string {
	m.t.Helper()
	cmd := m.command("mcp")
	cmd.Stdin = strings.NewReader(hello + lines)
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatal(err)
	}
	answers := map[string]string{}
	for line := range strings.Lines(string(out)) {
		var a struct{ ID string }
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			m.t.Fatalf("%v: %s", err, line)
		}
		answers[a.ID] += line
	}
	return answers
}

// TestPipe: what was asked through a pipe is answered after its end, however
// many questions there are.
func TestPipe(t *testing.T) {
	m := newMachine(t)
	m.say(turn{session: "aaaa1111", ask: "why does the cache miss", say: "The key has a date in it."})
	var lines strings.Builder
	for _, id := range []string{"a", "b", "c", "d"} {
		lines.WriteString(`{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"search_sessions","arguments":{"query":"cache"}}}` + "\n")
	}
	answers := m.ask(strings.TrimSpace(lines.String()))
	for _, id := range []string{"a", "b", "c", "d"} {
		if !strings.Contains(answers[id], "The key has a date in it.") {
			t.Errorf("%s: %s", id, answers[id])
		}
	}
}

// TestStrayLines: a line that is no message is answered with an error, and the
// next one is read.
func TestStrayLines(t *testing.T) {
	m := newMachine(t)
	for _, stray := range []string{"{bad json", "[]", `"x"`, "{}", "[1]", `{"jsonrpc":"2.0"}`, "warning: something else writes here", strings.Repeat("[", 100_000)} {
		answers := m.ask(stray + "\r\n\r\n" + `{"jsonrpc":"2.0","id":"next","method":"ping"}` + "\n")
		if !strings.Contains(answers[""], `"code":-32`) || !strings.Contains(answers["next"], `"result":{}`) {
			t.Errorf("%.40s: %v", stray, answers)
		}
	}
}
