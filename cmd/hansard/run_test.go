package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

// ask runs the program in an empty home.
func ask(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	return askIn(t.TempDir(), args...)
}

// askIn runs the program in a home.
func askIn(home string, args ...string) (code int, out, err string) {
	var o, e bytes.Buffer
	w := world{
		Env: presets.Env{Home: home, Dir: home, Getenv: func(string) string { return "" }, Now: func() time.Time { return now }},
		out: &o, err: &e,
	}
	code = run(context.Background(), w, args)
	return code, o.String(), e.String()
}

// TestHelp: each command explains itself, with the exit codes it can end with.
func TestHelp(t *testing.T) {
	code, out, _ := ask(t)
	if code != exitFound || !strings.Contains(out, "COMMANDS") || !strings.Contains(out, "EXIT STATUS") {
		t.Errorf("%d\n%s", code, out)
	}
	for _, arg := range []string{"--help", "-h", "help"} {
		if code, same, err := ask(t, arg); code != exitFound || same != out || err != "" {
			t.Errorf("%s: %d %s\n%s", arg, code, err, same)
		}
	}
	if n := strings.Count(out, "\n"); n > 48 {
		t.Errorf("the help of %d lines is no page", n)
	}
	for _, c := range (&program{}).app().Commands {
		if c.Name == "help" {
			continue
		}
		code, out, err := ask(t, c.Name, "--help")
		_, again, _ := ask(t, "help", c.Name)
		if code != exitFound || err != "" || !strings.Contains(out, "EXIT STATUS\n  0  ") || out != again {
			t.Errorf("%s: %d %s\n%s", c.Name, code, err, out)
		}
		for _, f := range c.VisibleFlags() {
			if !strings.Contains(out, "--"+f.Names()[0]) {
				t.Errorf("%s: no %s in its help", c.Name, f.Names()[0])
			}
		}
	}
}

// TestUsageErrors: one line on the stream of errors, with a next step, exit 2.
func TestUsageErrors(t *testing.T) {
	for _, args := range []string{
		"serach x", "help serach", "search", "search x --limit many", "search x --limit 0", "search x --group day", "search x --agent vim",
		"search x --lane fast", "search x --surface title", "search x --after someday", "search x --context -1", "status now",
		"show", "show a b", "show a --offset -1", "index now", "index --since someday", "index --include everything",
		"index --source vim=/", "index --source claude=/nowhere/at/all", "search x --source claude", "index --max-sessions -1",
		"completion", "completion tcsh", "search x --preset nope", "sessions x", "export x", "check x", "presets x", "eval", "eval /no/such/file",
	} {
		code, out, err := ask(t, split(args)...)
		if code != exitUsage || out != "" || strings.Count(err, "\n") != 1 || !strings.HasPrefix(err, "hansard: ") {
			t.Errorf("%s: %d %q %q", args, code, out, err)
		}
		code, out, err = ask(t, append(split(args), "--json")...)
		if args == "completion" || args == "completion tcsh" {
			continue // knows no JSON
		}
		var doc struct {
			Error struct{ Code, Message, Next string }
		}
		if e := json.Unmarshal([]byte(err), &doc); e != nil || code != exitUsage || out != "" || doc.Error.Code == "" || doc.Error.Message == "" {
			t.Errorf("%s --json: %d %q %q %v", args, code, out, err, e)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		err  error
		exit int
		code string
	}{
		{&presets.ConfigError{Line: 3, What: "wrong", Next: "mend"}, exitUsage, "config"}, {&presets.ConfigError{What: "wrong", Next: "mend"}, exitUsage, "config"},
		{&presets.RootError{Next: "mend"}, exitUsage, "source"},
		{&corpus.QueryError{}, exitUsage, "usage"},
		{&corpus.LockedError{}, exitLocked, "locked"},
		{corpus.ErrNoCorpus, exitNone, "no-corpus"},
		{&corpus.DamageError{}, exitDamaged, "damaged"},
		{&corpus.DamageError{Err: &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}}, exitDamaged, "damaged"},
		{corpus.ErrNewer, exitDamaged, "damaged"},
		{corpus.ErrNotFound, exitNothing, "not-found"},
		{context.Canceled, exitStopped, "internal"},
		{&fs.PathError{Op: "mkdir", Path: "/proc/x", Err: fs.ErrPermission}, exitFailed, "internal"},
		{&fs.PathError{Op: "write", Path: "x.shard", Err: syscall.ENOSPC}, exitFailed, "internal"},
		{errors.New("disk full"), exitFailed, "internal"},
	} {
		f := explain(fmt.Errorf("doing: %w", test.err), "hansard x")
		if f.exit != test.exit || f.Code != test.code || f.Message == "" || f.Next == "" {
			t.Errorf("%T: %+v", test.err, f)
		}
		if errors.Is(test.err, syscall.ENOSPC) && (f.Message != test.err.Error() || !strings.HasPrefix(f.Next, "make room")) {
			t.Errorf("of a disk that is full: %+v", f)
		}
	}
}

// TestCompletion: the scripts know every command and flag, and the shells that
// are here accept them.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, err := ask(t, "completion", shell)
		if code != exitFound || err != "" {
			t.Fatal(code, err)
		}
		for _, c := range (&program{}).app().VisibleCommands() {
			if !strings.Contains(script, c.Name) {
				t.Errorf("%s: no %s", shell, c.Name)
			}
			for _, f := range c.VisibleFlags() {
				if !strings.Contains(script, f.Names()[0]) {
					t.Errorf("%s: no %s %s", shell, c.Name, f.Names()[0])
				}
			}
		}
		if _, missing := exec.LookPath(shell); missing != nil {
			continue
		}
		check := exec.Command(shell, "-n")
		check.Stdin = strings.NewReader(script)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

// TestBashCompletes runs the script as bash would.
func TestBashCompletes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	_, script, _ := ask(t, "completion", "bash")
	for line, want := range map[string]string{
		"hansard se":                      "search sessions",
		"hansard search x --surface user": "user_prompt",
		"hansard search --pro":            "--project",
		"hansard completion z":            "zsh",
		"hansard index --include tool":    "tools tool-output",
	} {
		words := strings.Fields(line)
		run := script + fmt.Sprintf("\nCOMP_WORDS=(%s); COMP_CWORD=%d; _hansard; echo \"${COMPREPLY[*]}\"\n", line, len(words)-1)
		out, err := exec.Command("bash", "-c", run).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", line, got, want, err)
		}
	}
}

// TestReadmeAnswers: the first command of the README answers what stands there.
func TestReadmeAnswers(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "$ hansard search \"why did the deploy fail\"\n")
	shown, _, _ = strings.Cut(shown, "```")
	var out bytes.Buffer
	w := world{
		Env: presets.Env{Home: t.TempDir(), Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }},
		out: &out, err: io.Discard,
	}
	if code := run(context.Background(), w, []string{"search", "why did the deploy fail"}); code != exitFound || out.String() != shown {
		t.Errorf("exit %d\n%s\nin the README:\n%s", code, out.String(), shown)
	}
}
