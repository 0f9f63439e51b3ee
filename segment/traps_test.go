package segment_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// TestTraps holds a transcript for everything known to mislead a reader of
// Claude Code's transcripts.
func TestTraps(t *testing.T) {
	notification := "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"
	long := strings.Repeat("All that was said before. ", 600)
	command := func(name, args string) string {
		return "<command-name>/" + name + "</command-name>\n            <command-message>" + name + "</command-message>\n            <command-args>" + args + "</command-args>"
	}
	skill := func(name, args string) string {
		return "<command-message>" + name + "</command-message>\n<command-name>/" + name + "</command-name>\n<command-args>" + args + "</command-args>"
	}
	ask, done := human("p1", "", "why is the cache cold"), reply("a1", "p1", "g1", say("The key changed."))
	plain := brief{"why is the cache cold", "The key changed.", segment.Final}
	tests := []struct {
		name string
		text string
		want []brief
	}{
		{"01 stop_reason null", lines(ask, done), []brief{plain}},
		{"02 stop_reason on every line", lines(ask,
			reply("a1", "p1", "g1", say("I will look.")).with("message", obj{"id": "g1", "stop_reason": "tool_use", "content": []obj{say("I will look.")}})),
			[]brief{{"why is the cache cold", "partial: I will look.", segment.Open}}},
		{"03 one message over lines that do not stand together", lines(ask,
			reply("a1", "p1", "g1", say("Let me look.")), chain("progress", "x1", "a1").with("data", obj{"type": "bash_progress"}),
			reply("a2", "x1", "g1", bash("t1", "ls")), answer("r1", "a2", "t1", "a b"),
			reply("a3", "r1", "g2", say("First half.")), chain("progress", "x2", "a3"), reply("a4", "x2", "g2", say("Second half."))),
			[]brief{{"why is the cache cold", "First half.\n\nSecond half.", segment.Final}}},
		{"03 streaming snapshots", lines(ask, reply("a1", "p1", "g1", say("The key")), reply("a2", "a1", "g1", say("The key changed."))), []brief{plain}},
		{"04 tool results are user lines", lines(ask, reply("a0", "p1", "g0", bash("t1", "ls")), answer("r1", "a0", "t1", "secret output"), done), []brief{plain}},
		{"05 output and notifications without isMeta", lines(ask, done,
			human("u1", "a1", "<bash-input>ls</bash-input>"), human("u2", "u1", "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"),
			human("u3", "u2", "<local-command-stdout>ok</local-command-stdout>"), human("u4", "u3", "Operation stopped by hook: no"),
			human("u5", "u4", notification), reply("a2", "u5", "g2", say("The task is done."))),
			[]brief{{"why is the cache cold", "The key changed.\n\nThe task is done.", segment.Final}}},
		{"06 a compaction summary is no prompt", lines(ask, reply("a0", "p1", "g0", bash("t1", "ls")),
			chain("system", "c1", "").with("subtype", "compact_boundary").with("logicalParentUuid", "a0"),
			human("c2", "c1", "This session is being continued from a previous conversation that ran out of context. "+long).with("isCompactSummary", true).with("isVisibleInTranscriptOnly", true),
			done), []brief{plain}},
		{"07 skill bodies", lines(human("p1", "", skill("fix", "the cache")), human("m1", "p1", []obj{say("Base directory for this skill: /x")}).with("isMeta", true), done),
			[]brief{{"/fix the cache", "The key changed.", segment.Final}}},
		{"08 sub-agents in progress and inline", lines(ask, reply("a0", "p1", "g0", bash("t1", "ls")),
			chain("progress", "x1", "a0").with("data", obj{"type": "agent_progress", "message": obj{"type": "assistant", "message": obj{"content": []obj{say("helper")}}}}),
			human("s1", "", "helper, look").with("isSidechain", true), reply("s2", "s1", "gs", say("helper found it")).with("isSidechain", true), done), []brief{plain}},
		{"09 synthetic replies", lines(ask, reply("a1", "p1", "g1", say("No response requested.")).with("message", obj{"model": "<synthetic>", "content": []obj{say("No response requested.")}}),
			human("p2", "a1", "again"), reply("a2", "p2", "g2").with("message", obj{"model": "<synthetic>", "content": []obj{say("API Error: 529")}}).with("isApiErrorMessage", true)),
			[]brief{{"why is the cache cold", "", segment.NoReply}, {"again", "", segment.Failed}}},
		{"11 a snapshot's messageId is a prompt's uuid", lines(ask, obj{"type": "file-history-snapshot", "messageId": "p1", "snapshot": obj{"messageId": "p1"}}, done), []brief{plain}},
		{"13 key order", `{"message":{"content":"why is the cache cold","role":"user"},"uuid":"p1","type":"user"}` + "\n" +
			`{"type":"assistant","message":{"content":[{"text":"The key changed.","type":"text"}],"id":"g1"},"uuid":"a1"}` + "\n", []brief{plain}},
		{"14 lines of megabytes", lines(ask, answer("r1", "p1", "t1", strings.Repeat("x", 3<<20)), done), []brief{plain}},
		{"15 no newline at the end", strings.TrimSuffix(lines(ask, done), "\n"), []brief{plain}},
		{"15 last line partial", lines(ask, done) + `{"type":"user","uuid":"p2","message":{"content":"and th`, []brief{plain}},
		{"16 times go backwards", lines(ask.with("timestamp", "2026-01-02T10:00:05.000Z"), reply("a1", "p1", "g1", say("The key changed.")).with("timestamp", "2026-01-02T10:00:01.000Z")), []brief{plain}},
		{"20 prompts that only a queue holds", lines(human("p1", "", "why is the cache cold"), queued("enqueue", "look at the key too"), queued("enqueue", `{"task_id":"x"}`), queued("enqueue", "and then this"),
			queued("remove", nil), queued("remove", nil), queued("dequeue", nil), done, human("p2", "a1", "and then this")),
			[]brief{{"why is the cache cold\n\nlook at the key too", "The key changed.", segment.Final}, {"and then this", "", segment.NoReply}}},
		{"20 what is repeated counts once", lines(human("p1", "", "why is the cache cold"), queued("enqueue", "look  at the key"), queued("remove", nil), done, human("p2", "a1", "look at the key")),
			[]brief{plain, {"look at the key", "", segment.NoReply}}},
		{"20 tasks are taken out all at once", lines(human("p1", "", "why is the cache cold"), queued("enqueue", `{"task_id":"x"}`), queued("enqueue", `{"task_id":"y"}`), queued("enqueue", "look at the key too"),
			queued("remove", nil), queued("enqueue", notification), done, queued("remove", nil), queued("remove", nil), queued("dequeue", nil), human("n1", "a1", notification), reply("a2", "n1", "g2", say("The task is done.")),
			queued("enqueue", "what else"), queued("dequeue", nil), human("p2", "a2", "what else"), queued("enqueue", "and who"), queued("remove", nil)),
			[]brief{{"why is the cache cold\n\nlook at the key too", "The key changed.\n\nThe task is done.", segment.Final}, {"what else\n\nand who", "", segment.NoReply}}},
		{"20 a dequeued text may come expanded", lines(human("p1", "", "why is the cache cold"), queued("enqueue", "see [Pasted text #1]"), done, queued("dequeue", nil), human("p2", "a1", "see all of it"), queued("remove", nil)),
			[]brief{plain, {"see all of it", "", segment.NoReply}}},
		{"20 newer versions attach them", lines(human("p1", "", "why is the cache cold").with("version", "2.1.200"), queued("enqueue", "look at the key"), queued("remove", nil),
			chain("attachment", "q1", "p1").with("version", "2.1.200").with("attachment", obj{"type": "queued_command", "prompt": "look at the key", "commandMode": "prompt", "origin": obj{"kind": "human"}}), done),
			[]brief{{"why is the cache cold\n\nlook at the key", "The key changed.", segment.Final}}},
		{"21 a prompt inside a tool result", lines(ask, reply("a0", "p1", "g0", bash("t1", "rm -r x")),
			human("r1", "a0", []obj{block("tool_result", "tool_use_id", "t1", "is_error", true, "content", "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse the trash instead")}),
			human("r2", "r1", []obj{block("tool_result", "tool_use_id", "t1", "is_error", true, "content", "... the user said:\nThe user wants to clarify these questions.\n    This means")}), done),
			[]brief{{"why is the cache cold\n\nuse the trash instead", "The key changed.", segment.Final}}},
		{"21 text beside a tool result", lines(ask, human("r1", "p1", []obj{block("tool_result", "tool_use_id", "t1", "content", "ok"), say("yes, but quickly")}), done),
			[]brief{{"why is the cache cold\n\nyes, but quickly", "The key changed.", segment.Final}}},
		{"22 plan mode and long prompts", lines(human("p1", "", "Implement the following plan:\n\n"+strings.Repeat("step ", 20000)).with("planContent", "step"), done),
			[]brief{{"Implement the following plan:\n\n" + strings.TrimSpace(strings.Repeat("step ", 20000)), "The key changed.", segment.Final}}},
		{"23 content of any kind", lines(human("x1", "", nil), human("x2", "", 7), human("p1", "", []string{"why is the", "cache cold"}), chain("assistant", "x3", "p1"),
			chain("assistant", "a1", "p1").with("message", obj{"content": "The key changed."}), chain("user", "x4", "").with("message", "text"), "7", "null", "[]", `"x"`),
			[]brief{{"why is the\ncache cold", "The key changed.", segment.Final}}},
		{"24 NUL and half surrogates", `{"type":"user","uuid":"p1","message":{"content":"a\u0000b \ud83d c \ud83d\ude00"}}` + "\n", []brief{{"a\x00b \ufffd c \U0001f600", "", segment.NoReply}}},
		{"24 bytes that are not UTF-8", "{\"type\":\"user\",\"uuid\":\"p1\",\"message\":{\"content\":\"a\xffb\"}}\n", []brief{{"a\ufffdb", "", segment.NoReply}}},
		{"25 roots, dangling parents, cycles", lines(human("p1", "p2", "why is the cache cold"), reply("a1", "nowhere", "g1", say("The key changed.")), human("p2", "", "and now"), human("p3", "p3", "and then")),
			[]brief{plain, {"and now", "", segment.NoReply}, {"and then", "", segment.NoReply}}},
		{"27 an empty file", "", nil},
		{"27 a file without a prompt", lines(obj{"type": "custom-title", "customTitle": "x"}), nil},
		{"29 metadata again and again", lines(ask, done, obj{"type": "last-prompt", "lastPrompt": "why"}, obj{"type": "mode", "mode": "x"}, obj{"type": "unheard-of", "uuid": "z"}), []brief{plain}},
		{"slash: local by its echo", lines(ask, done, human("p2", "a1", command("own", "x")), human("u1", "p2", "<local-command-stdout>x</local-command-stdout>"), human("u2", "u1", notification), reply("a2", "u2", "g2", say("Later."))),
			[]brief{{"why is the cache cold", "The key changed.\n\nLater.", segment.Final}}},
		{"slash: built-in", lines(ask, done, human("p2", "a1", command("model", "opus")), reply("a2", "p2", "g1", say("So.")).with("isSidechain", true)), []brief{plain}},
		{"slash: without arguments and reply", lines(ask, done, human("p2", "a1", command("own", "")), human("p3", "p2", "next")), []brief{plain, {"next", "", segment.NoReply}}},
		{"slash: without arguments, reply to a notification", lines(ask, done, human("p2", "a1", command("own", "")), human("u1", "p2", notification), reply("a2", "u1", "g2", say("Done."))),
			[]brief{{"why is the cache cold", "The key changed.\n\nDone.", segment.Final}}},
		{"slash: without arguments, with a reply", lines(ask, done, human("p2", "a1", command("init", "")), reply("a2", "p2", "g2", say("Done."))), []brief{plain, {"/init", "Done.", segment.Final}}},
		{"slash: at the end", lines(ask, done, human("p2", "a1", command("own", ""))), []brief{plain}},
		{"slash: words at the end", lines(ask, done, human("p2", "a1", command("own", "do it"))), []brief{plain, {"/own do it", "", segment.NoReply}}},
		{"wrapped context", lines(human("p1", "", "<ide_opened_file>x.go</ide_opened_file>\n<system-reminder>be nice</system-reminder>why is the cache cold<system-reminder>now</system-reminder>"), done), []brief{plain}},
		{"only a picture", lines(human("p1", "", []obj{block("image", "source", obj{"data": "aGk="})}), done), []brief{{"[image]", "The key changed.", segment.Final}}},
		{"interrupted", lines(ask, reply("a0", "p1", "g0", say("I think"), bash("t1", "ls")), human("i1", "a0", []obj{say("[Request interrupted by user for tool use]")})),
			[]brief{{"why is the cache cold", "partial: I think", segment.Interrupted}}},
		{"two objects on a line", strings.ReplaceAll(lines(ask, done), "\n", "") + "\n", []brief{plain}},
		{"a mark at the beginning and CRLF", "\xef\xbb\xbf" + strings.ReplaceAll(lines(ask, done), "\n", "\r\n"), []brief{plain}},
		{"the same prompt line twice", lines(ask, ask, done), []brief{plain}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantBriefs(t, cutText(t, test.text), test.want...) })
	}
}

// queued is a queue operation.
func queued(operation string, content any) obj {
	o := obj{"type": "queue-operation", "operation": operation, "sessionId": "s1"}
	if content != nil {
		o["content"] = content
	}
	return o
}

func TestTrapForkCopies(t *testing.T) { // 10
	text := lines(human("p1", "", "why"), reply("a1", "p1", "g1", say("So.")))
	copied := strings.ReplaceAll(text, `"sessionId":"s1"`, `"sessionId":"s2"`)
	a, b := cutText(t, text), cutText(t, copied)
	if d := cmp.Diff(a.order, b.order); d != "" {
		t.Fatal("copies have other ids:", d)
	}
}

func TestTrapSummaryLines(t *testing.T) { // 12, 19
	title := func(typ, key, text string) obj { return obj{"type": typ, key: text, "sessionId": "s1"} }
	summary := func(text, leaf string) obj { return obj{"type": "summary", "summary": text, "leafUuid": leaf} }
	turn := lines(human("p1", "", "why"), reply("a1", "p1", "g1", say("So.")))
	for _, test := range []struct {
		name, text, want string
		unknown          int
	}{
		{"of another session", lines(summary("Other", "x9")) + turn, "", 1},
		{"of this one, before its entry", lines(summary("Own", "a1"), summary("Other", "x9")) + turn, "Own", 1},
		{"of this one, behind its entry", turn + lines(summary("Own", "a1")), "Own", 0},
		{"last one wins", turn + strings.Repeat(lines(title("custom-title", "customTitle", "Old")), 300) + lines(title("custom-title", "customTitle", "New")), "New", 0},
		{"custom before generated before summary", turn + lines(title("custom-title", "customTitle", "Mine"), title("ai-title", "aiTitle", "Its"), summary("Own", "a1")), "Mine", 0},
		{"renamed", turn + lines(human("u", "a1", "<local-command-stdout>Session renamed to: Mine</local-command-stdout>")), "Mine", 0},
	} {
		k := cutText(t, test.text)
		if got := k.session.Title(); got != test.want || k.session.UnknownSummaries != test.unknown {
			t.Errorf("%s: title %q, %d unknown; want %q, %d", test.name, got, k.session.UnknownSummaries, test.want, test.unknown)
		}
	}
}

func TestTrapFolders(t *testing.T) { // 17, 30
	k := cutText(t, lines(
		obj{"type": "mode", "mode": "x"},
		human("p1", "", "why").with("cwd", `D:\api`), reply("a1", "p1", "g1", say("So.")).with("cwd", `D:\api\deploy`),
		human("p2", "a1", "and").with("cwd", `d:\api\deploy`).with("gitBranch", "HEAD"),
	))
	one, two := k.turns["p1"], k.turns["p2"]
	if one.Project != `D:\api` || two.Project != `D:\api` || two.Cwd != `d:\api\deploy` || k.session.Project != `D:\api` {
		t.Errorf("projects %q %q %q, cwd %q", one.Project, two.Project, k.session.Project, two.Cwd)
	}
	if one.Branch != "main" || two.Branch != "" {
		t.Errorf("branches %q %q", one.Branch, two.Branch)
	}
}

func TestTrapVersions(t *testing.T) { // 18: the last version seen decides, and reading on knows it
	p := newProject(t)
	first := lines(human("p1", "", "why").with("version", "2.1.220"), queued("enqueue", "typed ahead"), human("p2", "p1", "and").with("version", "2.1.220"))
	p.write(t, first)
	k := read(t, p.transcript(t))
	p.write(t, first+lines(queued("remove", nil)))
	k.readOn(t, p.transcript(t))
	wantBriefs(t, k, brief{"why", "", segment.NoReply}, brief{"and", "", segment.NoReply})
	p.write(t, strings.ReplaceAll(first, "2.1.220", "2.1.99"))
	k = read(t, p.transcript(t))
	p.write(t, strings.ReplaceAll(first, "2.1.220", "2.1.99")+lines(queued("remove", nil)))
	k.readOn(t, p.transcript(t))
	wantBriefs(t, k, brief{"why", "", segment.NoReply}, brief{"and\n\ntyped ahead", "", segment.NoReply})
}

func TestTrapGone(t *testing.T) { // 26
	p := newProject(t)
	p.write(t, lines(human("p1", "", "why")))
	tr := p.transcript(t)
	if err := os.Remove(p.path); err != nil {
		t.Fatal(err)
	}
	_, err := segment.Cut(segment.Begin(tr.Info()), tr.Events(context.Background(), sources.Position{}), func(segment.Turn) bool { return true })
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error %v", err)
	}
}

func TestTrapFolderNamedLikeASession(t *testing.T) { // 28
	p := newProject(t)
	p.write(t, lines(human("p1", "", "why")))
	for _, dir := range []string{"s2.jsonl", "s3"} {
		if err := os.Mkdir(filepath.Join(filepath.Dir(p.path), dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	wantBriefs(t, read(t, p.transcript(t)), brief{"why", "", segment.NoReply})
}

func TestBadLines(t *testing.T) {
	k := cutText(t, lines(human("p1", "", "why"), `{"type":"user","uuid":`, "", `{"type":"assistant"} trailing`, reply("a1", "p1", "g1", say("So."))))
	wantBriefs(t, k, brief{"why", "So.", segment.Final})
	want := []string{"2 not JSON: unexpected end", "4 not JSON: "}
	if len(k.skipped) != 2 || k.skipped[0] != want[0] || !strings.HasPrefix(k.skipped[1], want[1]) {
		t.Errorf("skipped %q, want like %q", k.skipped, want)
	}
}
