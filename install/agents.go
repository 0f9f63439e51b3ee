package install

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hansard-search/hansard/plugins"
)

// A file is one that an agent reads, and what we put into it.
type file struct {
	path, about string
	edits       []edit
}

// ours tells whether the whole file is.
func (f file) ours() bool {
	_, ok := f.edits[0].(whole)
	return ok
}

// Agents lists the agents that hansard can be put into.
func Agents() []string { return []string{"claude", "pi", "codex"} }

func (p Place) files(agent string) ([]file, error) {
	skill, err := plugins.Skill()
	if err != nil {
		return nil, err
	}
	skillIn := func(dir string) file {
		return file{filepath.Join(dir, "skills", "hansard", "SKILL.md"), "a skill: when and how to search past sessions", []edit{whole{skill}}}
	}
	switch agent {
	case "claude":
		return []file{
			{p.ClaudeFile, "the server, for every project", []edit{p.server()}},
			{filepath.Join(p.ClaudeDir, "settings.json"), "hooks: recall at a session's start, index after an answer", p.hooks(map[string]any{"timeout": 60, "async": true})},
			skillIn(p.ClaudeDir),
		}, nil
	case "pi":
		extension, err := plugins.PiExtension()
		if err != nil {
			return nil, err
		}
		if p.Command != "hansard" {
			extension = []byte(strings.Replace(string(extension), `"hansard"`, fmt.Sprintf("%q", p.Command), 1))
		}
		return []file{
			{filepath.Join(p.PiDir, "extensions", "hansard.ts"), "an extension: tools to search and read, recall, index", []edit{whole{extension}}},
			skillIn(p.PiDir),
		}, nil
	case "codex":
		return []file{
			{filepath.Join(p.CodexDir, "config.toml"), "the server", []edit{p.table()}},
			{filepath.Join(p.CodexDir, "hooks.json"), "hooks: recall, index; Codex asks whether to trust them", p.hooks(map[string]any{"timeout": 60})},
			skillIn(p.CodexDir),
		}, nil
	}
	return nil, fmt.Errorf("%w %q: %s", ErrAgent, agent, strings.Join(Agents(), ", "))
}

// server is Claude's entry for a program that speaks on its standard streams.
func (p Place) server() edit {
	value := map[string]any{"type": "stdio", "command": p.Command, "args": []string{"mcp"}}
	return member{path: []string{"mcpServers", "hansard"}, value: value, ours: sameJSON(value)}
}

// hooks are those of Claude and Codex, which agree on their form; Codex knows no
// hooks that are not waited for. The program must not keep a session from ending:
// an exit code of 2 would, so that of the second hook is thrown away.
func (p Place) hooks(stopping map[string]any) []edit {
	hook := func(command string, more map[string]any) map[string]any {
		h := map[string]any{"type": "command", "command": ShellWord(p.Command) + " " + command}
		for k, v := range more {
			h[k] = v
		}
		return map[string]any{"hooks": []any{h}}
	}
	start := hook("recent --hook", map[string]any{"timeout": 10})
	start["matcher"] = "startup|clear"
	stop := hook("index >/dev/null 2>&1 || true", stopping)
	return []edit{
		element{path: []string{"hooks", "SessionStart"}, value: start, mark: " recent --hook"},
		element{path: []string{"hooks", "Stop"}, value: stop, mark: " index >/dev/null"},
	}
}

// ShellWord quotes what a shell would take apart, or take for more than a word.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_./:=@%+,", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// table is Codex's entry for the same server.
func (p Place) table() edit {
	return block{
		first: "# >>> hansard: hansard install codex --uninstall takes this out",
		last:  "# <<< hansard",
		body:  fmt.Sprintf("[mcp_servers.hansard]\ncommand = %q\nargs = [\"mcp\"]\n", p.Command),
		there: regexp.MustCompile(`(?m)^\s*\[\s*mcp_servers\s*\.\s*"?hansard"?\s*\]`),
		never: regexp.MustCompile(`(?m)^\s*mcp_servers(\s*\.\s*"?hansard"?)?\s*=.*$`),
	}
}
