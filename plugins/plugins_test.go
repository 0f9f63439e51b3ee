package plugins

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestClaudeCode: the plugin's files say what Claude Code needs of them.
func TestClaudeCode(t *testing.T) {
	for path, want := range map[string]string{
		"claude-code/.claude-plugin/plugin.json": `"name": "hansard"`,
		"claude-code/.mcp.json":                  `"args": ["mcp"]`,
		"claude-code/hooks/hooks.json":           `hansard recent --hook`,
		"../.claude-plugin/marketplace.json":     `"source": "./plugins/claude-code"`,
		"claude-code/skills/hansard/SKILL.md":    "name: hansard\n",
	} {
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %v, no %q", path, err, want)
		}
		if filepath.Ext(path) == ".json" && !json.Valid(b) {
			t.Errorf("%s is not JSON", path)
		}
	}
	skill, err := Skill()
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`(?s)^---\nname: [a-z]+\ndescription: ([^\n]+)\n---\n`).FindSubmatch(skill)
	if head == nil || len(head[1]) > 1024 { // what readers of skills take
		t.Errorf("the skill's head: %q", head)
	}
}

// TestPiExtension runs the extension in node with an invented pi and program.
func TestPiExtension(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := t.TempDir()
	extension, err := PiExtension()
	if err != nil {
		t.Fatal(err)
	}
	program := `#!/bin/sh
case $1 in
search) echo '{"total":1,"results":[{"name":"Tea","surface":"user_prompt","prompt":"which?","summary":"Earl Grey","matchedSnippet":"m","sessionId":"s1","turnId":"'"$*"'"}],"scope":{}}' ;;
show) echo '{"error":{"code":"not-found","message":"no turn","next":"search"}}' >&2; exit 1 ;;
recent) echo "Recent: $*" ;;
esac
`
	harness := `
import extension from "./hansard.mjs";
const tools = {}, handlers = {};
extension({ registerTool: (t) => (tools[t.name] = t), on: (e, h) => (handlers[e] = h) });
const ctx = { cwd: "/x", sessionManager: { getSessionId: () => "me" } };
const found = await tools.search_sessions.execute("1", { query: "-tea --x", project: "api" }, new AbortController().signal, undefined, ctx);
const bad = await tools.read_messages.execute("2", { id: "zz" }, undefined, ctx, new AbortController().signal);
const start = await handlers.before_agent_start({ systemPrompt: "You are pi." }, ctx);
handlers.agent_end();
console.log(JSON.stringify({ found, bad, start }));
`
	for name, text := range map[string]string{"hansard.mjs": string(extension), "try.mjs": harness, "hansard": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, "try.mjs")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + dir + ":/bin:/usr/bin"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"Concluded: Earl Grey", "turn search --json --limit=5 --project=api --exclude=me -- -tea --x", `"isError":true`, "no turn; search",
		`"systemPrompt":"You are pi.\n\nRecent: recent --hook --cwd=/x --exclude=me"`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}
