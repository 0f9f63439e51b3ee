package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The server is tested as agents meet it: the program as a process of its own,
// and the protocol's own client at its standard streams.

// program is where TestMain built the program.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "hansard-mcp-")
		if err != nil {
			fmt.Println(err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "hansard")
		if out, err := exec.Command("go", "build", "-o", program, "../cmd/hansard").CombinedOutput(); err != nil {
			fmt.Printf("%v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// A machine is a home folder with invented transcripts.
type machine struct {
	t    testing.TB
	home string
	now  time.Time
}

func newMachine(t testing.TB) *machine {
	return &machine{t, t.TempDir(), time.Now()}
}

// A turn is what a transcript is made of. Zero fields have usual values.
type turn struct {
	session, ask, say          string
	cwd, branch, model         string
	tool, path, command, entry string
	ago                        time.Duration
}

// id makes an id of a short name of hexadecimal digits.
func id(name string) string { return fmt.Sprintf("%08s-0000-4000-8000-000000000000", name) }

func (m *machine) say(turns ...turn) {
	m.t.Helper()
	for _, v := range turns {
		m.append(v)
	}
}

func (m *machine) transcript(session string) string {
	return filepath.Join(m.home, ".claude", "projects", "-home-u", id(session)+".jsonl")
}

func (m *machine) append(v turn) {
	m.t.Helper()
	or := func(s, usual string) string {
		if s == "" {
			return usual
		}
		return s
	}
	path := m.transcript(v.session)
	old, _ := os.ReadFile(path)
	n := strings.Count(string(old), "\n")
	at := m.now.Add(-v.ago)
	var lines []string
	line := func(kind string, message map[string]any) {
		k := len(lines)
		l := map[string]any{
			"type": kind, "uuid": fmt.Sprintf("%s-%04x-4000-8000-%012d", v.session, n, k), "sessionId": id(v.session), "version": "2.1.50",
			"cwd": or(v.cwd, "/home/u/x"), "gitBranch": or(v.branch, "main"), "message": message,
			"timestamp": at.Add(time.Duration(k) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"),
		}
		if v.entry != "" {
			l["entrypoint"] = v.entry
		}
		b, err := json.Marshal(l)
		if err != nil {
			m.t.Fatal(err)
		}
		lines = append(lines, string(b))
	}
	reply := func(block map[string]any) {
		line("assistant", map[string]any{"id": fmt.Sprintf("msg_%s_%d_%d", v.session, n, len(lines)), "role": "assistant",
			"model": or(v.model, "model-one"), "content": []any{block}})
	}
	line("user", map[string]any{"role": "user", "content": v.ask})
	if v.tool != "" {
		input := map[string]any{"command": v.command}
		if v.path != "" {
			input = map[string]any{"file_path": v.path}
		}
		call := fmt.Sprintf("toolu_%s_%d", v.session, n)
		reply(map[string]any{"type": "tool_use", "id": call, "name": v.tool, "input": input})
		line("user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": "done"}}})
	}
	if v.say != "" {
		reply(map[string]any{"type": "text", "text": v.say})
	}
	m.write(path, strings.Join(lines, "\n")+"\n")
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	f, openErr := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err = errors.Join(err, openErr); err != nil {
		m.t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = m.home
	cmd.Env = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	return cmd
}

// run runs the program; exit code 1 means that nothing was found.
func (m *machine) run(args ...string) string {
	m.t.Helper()
	out, err := m.command(args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 1 {
		m.t.Fatalf("hansard %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out)
}

// connect starts a server and speaks to it.
func (m *machine) connect(env ...string) *sdk.ClientSession {
	m.t.Helper()
	cmd := m.command("mcp")
	cmd.Env = append(cmd.Env, env...)
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = c.Close() })
	return c
}

// call calls a tool. The data is that of the answer; of an error there is none.
func call(t testing.TB, c *sdk.ClientSession, tool string, args any, data any) (text string, isError bool) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, part := range r.Content {
		text += part.(*sdk.TextContent).Text
	}
	if data != nil && !r.IsError {
		b, err := json.Marshal(r.StructuredContent)
		if err = errors.Join(err, json.Unmarshal(b, data)); err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
	}
	return text, r.IsError
}
