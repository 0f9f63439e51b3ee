package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
)

// A home is a user's folder with some configuration.
type home struct {
	t *testing.T
	Place
	dir string
}

func newHome(t *testing.T, files map[string]string) *home {
	dir := t.TempDir()
	h := &home{t, Place{
		ClaudeDir: filepath.Join(dir, ".claude"), ClaudeFile: filepath.Join(dir, ".claude.json"), PiDir: filepath.Join(dir, ".pi/agent"),
		CodexDir: filepath.Join(dir, ".codex"), State: filepath.Join(dir, "data/install"), Command: "hansard",
	}, dir}
	for name, text := range files {
		h.put(name, text)
	}
	return h
}

func (h *home) put(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o640)); err != nil {
		h.t.Fatal(err)
	}
}

// all is every file with its rights, and every folder.
func (h *home) all() map[string]string {
	h.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(h.dir, path)
		info, err := e.Info()
		if err != nil || e.IsDir() {
			found[name] = "folder"
			return err
		}
		b, err := os.ReadFile(path)
		found[name] = info.Mode().String() + "\n" + string(b)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

// configs look like what is found on machines; all of it is invented.
var configs = map[string]map[string]string{
	"nothing there": {},
	"as the agents write it": {
		".claude.json": `{
  "numStartups": 412,
  "theme": "dark",
  "tipsHistory": {
    "shift-enter": 380
  },
  "projects": {
    "/home/u/api": {
      "allowedTools": [],
      "history": [{"display": "fix the <b>test</b> & go on", "pastedContents": {}}],
      "mcpServers": {},
      "lastCost": 1.2345678901234567
    }
  },
  "mcpServers": {
    "browser": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "some-browser-server@latest"],
      "env": {"TOKEN": "abc\u00e9"}
    }
  },
  "userID": "0f0f"
}`,
		".claude/settings.json": `{
  "model": "opus",
  "permissions": {"allow": ["Bash(go test:*)"], "deny": []},
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {"type": "command", "command": "say done"}
        ]
      }
    ],
    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}]
  }
}
`,
		".codex/config.toml": `model = "gpt-9" # the big one
approval_policy = "on-request"

[mcp_servers.docs]
command = "docs-server"

[projects."/home/u/api"]
trust_level = "trusted"
`,
		".codex/hooks.json":       `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}`,
		".pi/agent/settings.json": `{"theme": "light"}`,
	},
	"with comments, tabs and trailing commas": {
		".claude.json":          "// mine, all mine\n{\n\t// keep this\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"}, // first\n\t\t/* the last */ \"b\": {\"command\": \"b\"}, // trailing\n\t},\n\t\"unknown key // not a comment\": [1, 2,],\n}\n// the end\n",
		".claude/settings.json": "{\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t// greet\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"fortune\"}]}, // wise\n\t\t],\n\t\t\"Stop\": [ /* none yet */ ]\n\t}\n}",
		".codex/config.toml":    "# no newline at the end\nmodel = \"x\"",
	},
	"on one line": {
		".claude.json":          `{"mcpServers":{"a":{"command":"a"}},"x":1}`,
		".claude/settings.json": `{ "hooks": { "Stop": [] } }`,
		".codex/config.toml":    "\n",
	},
	"empty": {
		".claude.json":          "{}",
		".claude/settings.json": "",
		".codex/config.toml":    "",
	},
	"from another system": {
		".claude.json":          "\ufeff{\r\n    \"mcpServers\": {\r\n    },\r\n    \"x\": \"é\"\r\n}\r\n",
		".claude/settings.json": "{\r\n    \"hooks\": {\r\n        \"Stop\": [\r\n        ]\r\n    }\r\n}\r\n",
	},
	"a skill of the same name": {
		".claude/skills/hansard/SKILL.md": "my own notes\n",
		".codex/skills/other/SKILL.md":    "x",
	},
}

// TestCycle: a look, an installation, another one, and the way back; in the end
// every byte is what it was.
func TestCycle(t *testing.T) {
	for name, files := range configs {
		for _, agent := range Agents() {
			t.Run(name+"/"+agent, func(t *testing.T) {
				h := newHome(t, files)
				before := h.all()
				plan, err := h.Plan(agent)
				if err != nil || len(plan) == 0 {
					t.Fatal(plan, err)
				}
				if d := cmp.Diff(before, h.all()); d != "" {
					t.Fatal("a look changed something: ", d)
				}
				done, err := h.Install(agent)
				if err != nil || !cmp.Equal(plan, done) {
					t.Fatal(err, cmp.Diff(plan, done))
				}
				between := h.all()
				h.checkInstalled(agent, files)
				if again, err := h.Install(agent); err != nil || len(again) > 0 {
					t.Fatal("again: ", again, err)
				}
				if d := cmp.Diff(between, h.all()); d != "" {
					t.Fatal("the second time changed something: ", d)
				}
				if _, err := h.Uninstall(agent); err != nil {
					t.Fatal(err)
				}
				h.checkAsBefore(before)
				if again, err := h.Uninstall(agent); err != nil || len(again) > 0 {
					t.Error("back again: ", again, err)
				}
			})
		}
	}
}

// checkAsBefore fails when anything but hansard's own data differs from before.
func (h *home) checkAsBefore(before map[string]string) {
	h.t.Helper()
	after := h.all()
	delete(after, "data")
	if d := cmp.Diff(before, after); d != "" {
		h.t.Error(d)
	}
}

// checkInstalled: JSON files say what they said before, and what we want.
func (h *home) checkInstalled(agent string, files map[string]string) {
	h.t.Helper()
	if agent != "claude" {
		return
	}
	for name, want := range map[string]func(now, was map[string]any){
		".claude.json": func(now, was map[string]any) {
			servers := now["mcpServers"].(map[string]any)
			mine := servers["hansard"].(map[string]any)
			if mine["command"] != "hansard" || mine["args"].([]any)[0] != "mcp" {
				h.t.Errorf("%v", mine)
			}
			delete(servers, "hansard")
			if len(servers) == 0 && was["mcpServers"] == nil {
				delete(now, "mcpServers")
			}
		},
		".claude/settings.json": func(now, was map[string]any) {
			hooks := now["hooks"].(map[string]any)
			old, _ := was["hooks"].(map[string]any)
			for _, event := range []string{"SessionStart", "Stop"} {
				list := hooks[event].([]any)
				b, _ := json.Marshal(list[len(list)-1])
				if !bytes.Contains(b, []byte("hansard ")) {
					h.t.Errorf("%s: %s", event, b)
				}
				if hooks[event] = list[:len(list)-1]; len(list) == 1 && old[event] == nil {
					delete(hooks, event)
				}
			}
			if len(hooks) == 0 && old == nil {
				delete(now, "hooks")
			}
		},
	} {
		text, err := os.ReadFile(filepath.Join(h.dir, name))
		if err != nil {
			h.t.Fatal(err)
		}
		now, was := meaning(h.t, string(text)), meaning(h.t, files[name])
		want(now, was)
		if d := cmp.Diff(was, now); d != "" {
			h.t.Errorf("%s: %s\n%s", name, d, text)
		}
		for comment := range strings.Lines(files[name]) {
			if _, note, ok := strings.Cut(comment, "// "); ok && !bytes.Contains(text, []byte(strings.TrimSpace(note))) {
				h.t.Errorf("%s lost %q", name, note)
			}
		}
	}
}

// meaning is what a JSON text with comments says.
func meaning(t testing.TB, text string) map[string]any {
	t.Helper()
	m := map[string]any{}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.TrimSpace(text) == "" {
		return m
	}
	std, err := hujson.Standardize([]byte(text))
	if err == nil {
		err = json.Unmarshal(std, &m)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// TestUninstallLater: what was changed since stays, and ours goes all the same.
func TestUninstallLater(t *testing.T) {
	h := newHome(t, configs["as the agents write it"])
	was := meaning(t, configs["as the agents write it"][".claude.json"])
	if _, err := h.Install("claude"); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(h.ClaudeFile)
	h.put(".claude.json", strings.Replace(string(text), `"numStartups": 412`, `"numStartups": 413`, 1)) // as a start of the agent does
	h.put(".claude/skills/hansard/SKILL.md", "changed by its owner")
	if _, err := h.Uninstall("claude"); err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile(h.ClaudeFile)
	want := strings.Replace(configs["as the agents write it"][".claude.json"], "412", "413", 1)
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Error(d)
	}
	was["numStartups"] = 413.0
	if d := cmp.Diff(was, meaning(t, string(text))); d != "" {
		t.Error(d)
	}
	if b, _ := os.ReadFile(filepath.Join(h.ClaudeDir, "skills/hansard/SKILL.md")); string(b) != "changed by its owner" {
		t.Errorf("the user's words are gone: %q", b)
	}
}

// TestNewerVersion: a newer skill replaces the older one, and the way back still
// leads to the beginning.
func TestNewerVersion(t *testing.T) {
	h := newHome(t, configs["as the agents write it"])
	before := h.all()
	if _, err := h.Install("pi"); err != nil {
		t.Fatal(err)
	}
	h.Command = "/opt/hansard/bin/hansard" // another extension
	changes, err := h.Install("pi")
	if err != nil || len(changes) != 1 || !bytes.Contains(changes[0].After, []byte(`const program = "/opt/hansard/bin/hansard"`)) {
		t.Fatal(changes, err)
	}
	if _, err := h.Uninstall("pi"); err != nil {
		t.Fatal(err)
	}
	h.checkAsBefore(before)
}

// TestOwnEntry: a server that the user registered under our name is theirs.
func TestOwnEntry(t *testing.T) {
	h := newHome(t, map[string]string{
		".claude.json":       `{"mcpServers": {"hansard": {"command": "/my/own"}}}`,
		".codex/config.toml": "[mcp_servers.hansard]\ncommand = \"/my/own\"\n",
	})
	before := h.all()
	for _, agent := range []string{"claude", "codex"} {
		if _, err := h.Install(agent); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(h.ClaudeFile); string(text) != `{"mcpServers": {"hansard": {"command": "/my/own"}}}` {
			t.Errorf("%s", text)
		}
		if _, err := h.Uninstall(agent); err != nil {
			t.Fatal(err)
		}
	}
	h.checkAsBefore(before)
}

// TestRefused: what cannot be edited is left alone, all of it.
func TestRefused(t *testing.T) {
	for _, test := range []struct{ agent, name, text, want string }{
		{"claude", ".claude.json", "{\"a\": \n", "not JSON: line 2"},
		{"claude", ".claude.json", "[]", "an object is expected"},
		{"claude", ".claude.json", `{"mcpServers": []}`, "mcpServers is not an object"},
		{"claude", ".claude/settings.json", `{"hooks": {"Stop": {}}}`, "hooks.Stop is not a list"},
		{"claude", ".claude/settings.json", `{"hooks": 7}`, "hooks is not an object"},
		{"codex", ".codex/config.toml", "mcp_servers = { docs = { command = \"x\" } }\n", "write it there by hand"},
	} {
		h := newHome(t, map[string]string{test.name: test.text})
		before := h.all()
		_, err := h.Install(test.agent)
		var bad *FileError
		if !errors.As(err, &bad) || bad.Path != filepath.Join(h.dir, test.name) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.text, err)
		}
		if d := cmp.Diff(before, h.all()); d != "" {
			t.Error(d)
		}
	}
	if _, err := newHome(t, nil).Plan("vim"); !errors.Is(err, ErrAgent) {
		t.Error(err)
	}
}

// TestLink: a configuration that is a link to somewhere else stays one.
func TestLink(t *testing.T) {
	h := newHome(t, map[string]string{"dotfiles/claude.json": "{}"})
	if err := os.Symlink(filepath.Join(h.dir, "dotfiles/claude.json"), h.ClaudeFile); err != nil {
		t.Skip(err)
	}
	if _, err := h.Install("claude"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(h.ClaudeFile); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("no link any more", err)
	}
	if text, _ := os.ReadFile(filepath.Join(h.dir, "dotfiles/claude.json")); !bytes.Contains(text, []byte("hansard")) {
		t.Errorf("%s", text)
	}
}

// FuzzEdits: whatever JSON is edited, it stays JSON, says the same beside ours,
// and says what it said when ours is gone.
func FuzzEdits(f *testing.F) {
	for _, files := range configs {
		for name, text := range files {
			if strings.HasSuffix(name, ".json") {
				f.Add(text)
			}
		}
	}
	for _, text := range []string{`{"a":{"b":[1]}}`, `{"a":{"b":[]}}`, "{\"a\": {}, // x\n}", `{/**/}`, "{\n//\n}", `{"a":{"b":[1,/*x*/],},}`} {
		f.Add(text)
	}
	value := map[string]any{"mark": "ours"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range []edit{member{path: []string{"a", "hansard"}, value: value}, element{path: []string{"a", "b"}, value: value, mark: `"mark"`}} {
			if strings.Contains(text, "hansard") || strings.Contains(text, `"mark"`) {
				continue
			}
			added, err := e.add([]byte(text))
			if err != nil {
				continue // not JSON, or something else where ours should go
			}
			std, err := hujson.Standardize(bytes.TrimPrefix(added, []byte(bom)))
			if err != nil || !bytes.Contains(std, []byte(`"ours"`)) {
				t.Fatalf("%v\n%q\n%q", err, text, added)
			}
			removed, err := e.remove(added)
			if err != nil {
				t.Fatalf("%v\n%q\n%q", err, text, added)
			}
			was, now := plain(text), plain(string(removed))
			dropEmpty(was)
			dropEmpty(now)
			if !reflect.DeepEqual(was, now) {
				t.Fatalf("%q\n%q\n%q", text, added, removed)
			}
		}
	})
}

func plain(text string) map[string]any {
	m := map[string]any{}
	if std, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff"))); err == nil {
		_ = json.Unmarshal(std, &m)
	}
	return m
}

// dropEmpty takes out what goes with ours when nothing else is in it.
func dropEmpty(m map[string]any) {
	a, ok := m["a"].(map[string]any)
	if !ok {
		return
	}
	if b, ok := a["b"].([]any); ok && len(b) == 0 {
		delete(a, "b")
	}
	if len(a) == 0 {
		delete(m, "a")
	}
}

// TestPluginSaysTheSame: who takes the plugin gets the server and the hooks that
// Install puts in.
func TestPluginSaysTheSame(t *testing.T) {
	h := newHome(t, nil)
	if _, err := h.Install("claude"); err != nil {
		t.Fatal(err)
	}
	for path, plugin := range map[string]string{h.ClaudeFile: ".mcp.json", filepath.Join(h.ClaudeDir, "settings.json"): "hooks/hooks.json"} {
		ours, err := os.ReadFile(path)
		theirs, err2 := os.ReadFile(filepath.Join("../plugins/claude-code", plugin))
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(meaning(t, string(theirs)), meaning(t, string(ours))); d != "" {
			t.Errorf("%s: %s", plugin, d)
		}
	}
}
