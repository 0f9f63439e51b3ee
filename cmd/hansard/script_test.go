package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hansard-search/hansard/corpus"
)

// The program is tested as it is typed: testdata/script holds one script a
// behaviour, on transcripts that these commands invent:
//
//	turn SESSION ask=TEXT say=TEXT [KEY=VALUE]...   appends a turn to a Claude transcript
//	    keys: ago (a duration, default 1h), cwd, branch, model, id, first (a text before the answer), tool, path, command, lane
//	title SESSION TEXT                              appends a title
//	resume SESSION NEW                              copies the transcript as a resumed session has it
//	damage FILE                                     flips a bit in the middle of a file
//	hold PRESET                                     keeps the writer lock until the script ends
//	await SECONDS COMMAND...                        runs it again and again until it ends well
//	exits CODE COMMAND...                           is exec for a certain exit code
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hansard": main, "publish": publish, "read": read})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Vars = append(e.Vars, "HOME="+home, "TZ=UTC", "DATA="+filepath.Join(home, ".local/share/hansard"),
				"CONFIG="+filepath.Join(home, ".config/hansard/config.jsonc"), "P="+filepath.Join(home, ".claude/projects"))
			return os.MkdirAll(filepath.Join(home, ".config", "hansard"), 0o700)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exitsCmd, "turn": turnCmd, "title": titleCmd, "resume": resumeCmd, "damage": damageCmd, "hold": holdCmd,
			"await": awaitCmd,
		},
	})
}

// sessionID makes an id of a short name of hexadecimal digits.
func sessionID(name string) string {
	return fmt.Sprintf("%08s-0000-4000-8000-000000000000", name)
}

func transcript(ts *testscript.TestScript, session string) string {
	return filepath.Join(ts.Getenv("P"), "-home-u-x", sessionID(session)+".jsonl")
}

func appendLines(ts *testscript.TestScript, path string, lines ...map[string]any) {
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	for _, l := range lines {
		b, err := json.Marshal(l)
		ts.Check(err)
		_, err = f.Write(append(b, '\n'))
		ts.Check(err)
	}
	ts.Check(f.Close())
}

func turnCmd(ts *testscript.TestScript, neg bool, args []string) {
	session := args[0]
	v := map[string]string{"ago": "1h", "cwd": "/home/u/x", "branch": "main", "model": "model-one"}
	for _, a := range args[1:] {
		key, value, ok := strings.Cut(a, "=")
		if !ok {
			ts.Fatalf("turn: %q is not KEY=VALUE", a)
		}
		if text, err := strconv.Unquote(`"` + strings.ReplaceAll(value, `"`, `\"`) + `"`); err == nil {
			value = text // \x1b and the like
		}
		v[key] = value
	}
	path := transcript(ts, session)
	old, _ := os.ReadFile(path)
	n := strings.Count(string(old), "\n")
	ago, err := time.ParseDuration(v["ago"])
	ts.Check(err)
	start := time.Now().Add(-ago)
	id := func(k int) string { return fmt.Sprintf("%04x%.4s-0000-4000-8000-%012d", n+k, session, 0) }
	parent := any(nil)
	if n > 0 {
		parent = id(-1)
	}
	line := func(k int, kind string, message map[string]any) map[string]any {
		l := map[string]any{
			"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": v["cwd"], "sessionId": sessionID(session),
			"version": "2.1.50", "gitBranch": v["branch"], "type": kind, "message": message, "uuid": id(k),
			"timestamp": start.Add(time.Duration(k) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"),
		}
		if v["lane"] == "headless" {
			l["entrypoint"] = "sdk-cli"
		}
		parent = l["uuid"]
		return l
	}
	reply := func(k int, block map[string]any, stop any) map[string]any {
		return line(k, "assistant", map[string]any{"id": "msg_" + id(k), "type": "message", "role": "assistant", "model": v["model"],
			"content": []any{block}, "stop_reason": stop, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5}})
	}
	prompt := line(0, "user", map[string]any{"role": "user", "content": v["ask"]})
	if v["id"] != "" {
		prompt["uuid"], parent = v["id"], v["id"]
	}
	lines := []map[string]any{prompt}
	if v["first"] != "" {
		lines = append(lines, reply(1, map[string]any{"type": "text", "text": v["first"]}, nil))
	}
	if v["tool"] != "" {
		input := map[string]any{}
		for from, to := range map[string]string{"path": "file_path", "command": "command"} {
			if v[from] != "" {
				input[to] = v[from]
			}
		}
		call := "toolu_" + id(1)
		lines = append(lines, reply(len(lines), map[string]any{"type": "tool_use", "id": call, "name": v["tool"], "input": input}, nil))
		lines = append(lines, line(len(lines), "user", map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": call, "content": "done"}}}))
	}
	if v["say"] != "" {
		lines = append(lines, reply(len(lines), map[string]any{"type": "text", "text": v["say"]}, nil))
	}
	appendLines(ts, path, lines...)
}

func titleCmd(ts *testscript.TestScript, neg bool, args []string) {
	appendLines(ts, transcript(ts, args[0]), map[string]any{"type": "custom-title", "customTitle": args[1], "sessionId": sessionID(args[0])})
}

func resumeCmd(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile(transcript(ts, args[0]))
	path := transcript(ts, args[1])
	ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(text, `"sessionId":"`+sessionID(args[0]), `"sessionId":"`+sessionID(args[1]))), 0o600))
}

func damageCmd(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	b[len(b)/2] ^= 4
	ts.Check(os.WriteFile(path, b, 0o600))
}

func holdCmd(ts *testscript.TestScript, neg bool, args []string) {
	ix, err := corpus.OpenIndexer(context.Background(), corpus.Config{Dir: filepath.Join(ts.Getenv("DATA"), args[0]), Name: args[0], Holder: "the test"})
	ts.Check(err)
	ts.Defer(func() { ts.Check(ix.Close()) })
}

func exitsCmd(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

func awaitCmd(ts *testscript.TestScript, neg bool, args []string) {
	seconds, err := strconv.Atoi(args[0])
	ts.Check(err)
	for end := time.Now().Add(time.Duration(seconds) * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if err = ts.Exec(args[1], args[2:]...); err == nil {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("still %v after %d seconds", err, seconds)
		}
	}
}
