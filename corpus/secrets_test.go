package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
)

// planted are made-up secrets, of each kind some, as they stand in texts. They
// are put together here, so that scanners of repositories pass this file over.
func planted() (texts, secrets []string) {
	r := rand.New(rand.NewPCG(3, 9))
	of := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const upper, lower, digits = "ABCDEFGHJKLMNPQRSTUVWXYZ", "abcdefghijkmnopqrstuvwxyz", "23456789"
	const all = upper + lower + digits
	kinds := []func() (before, secret, after string){
		func() (string, string, string) { return "key AK" + "IA", of(upper+"234567", 16), " of the account" },
		func() (string, string, string) { return "aws_secret_access_key = ", of(all, 38) + "7x", "\n" },
		func() (string, string, string) { return "gh" + "p_", of(all, 34) + "a1", " pushes" },
		func() (string, string, string) { return "xo" + "xb-123456789012-", of(all, 30) + "a1", " posts" },
		func() (string, string, string) { return "AI" + "za", of(all, 33) + "a1", " maps" },
		func() (string, string, string) { return "sk_" + "live_", of(all, 30) + "a1", " pays" },
		func() (string, string, string) {
			return "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0.", of(all, 40) + "a1", " is who"
		},
		func() (string, string, string) {
			return "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE", of(all, 60) + "\n" + of(all, 64), "\n-----END RSA PRIVATE " + "KEY-----\n"
		},
		func() (string, string, string) { return "Authorization: Bearer ", of(all, 40) + "a1", "\n" },
		func() (string, string, string) { return "postgres://app:", of(all, 12) + "a1", "@db:5432/app" },
		func() (string, string, string) { return "API_KEY=", of(all, 36) + "a1", "\n" },
		func() (string, string, string) { return "sk" + "-ant-api03-", of(all, 40) + "a1", " thinks" },
		func() (string, string, string) { return "DB_PASSWORD=", of(all, 11) + "a1!", "\n" },
	}
	for i := range 39 {
		before, secret, after := kinds[i%len(kinds)]()
		texts = append(texts, fmt.Sprintf("words before %s%s%s and words behind", before, secret, after))
		secrets = append(secrets, strings.Split(secret, "\n")...)
	}
	return texts, secrets
}

// TestNoSecretIsKeptOrPrinted plants secrets everywhere where a transcript has
// words, and looks for them in every file, in all that is stored, among the
// terms and in everything that is answered.
func TestNoSecretIsKeptOrPrinted(t *testing.T) {
	texts, secrets := planted()
	b := newBench(t)
	b.cfg.Strategy = strategies.ClaudeTurn{Full: true, Tools: true, ToolOutput: true}
	for i, text := range texts {
		s := sources.Info{Session: fmt.Sprintf("s%d", i%5)}
		at := began.Add(time.Duration(i) * time.Hour)
		e := func(k sources.Kind, group string) sources.Event {
			return sources.Event{Kind: k, Group: group, Text: text, Time: at, Cwd: "/home/u/" + text, Branch: "fix-" + text}
		}
		prompt, call, result := e(sources.Prompt, ""), e(sources.ToolCall, "a"), e(sources.ToolResult, "")
		prompt.ID = fmt.Sprintf("t%d", i)
		call.Tool = sources.Tool{ID: "c", Name: "Bash", Path: "/tmp/" + text, Command: text, Text: text}
		result.Tool = call.Tool
		title, summary := e(sources.Title, ""), e(sources.Summary, "")
		title.Rank, summary.Stop = 4, "compaction"
		b.src.Append(s, prompt, e(sources.AssistantText, "a"), call, result, e(sources.Steering, ""), e(sources.Thinking, "b"),
			e(sources.AssistantText, "b"), title, summary)
	}
	root := filepath.Join(t.TempDir(), "-p")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"type":"user","uuid":"u1","version":"2.1.0","timestamp":"2026-10-01T09:00:00.000Z","message":{"role":"user","content":"a plain question"}}` + "\n"
	for _, s := range texts {
		text += `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-10-01T09:00:02.000Z","content":` + asJSON(t, s) + "}\n"
		text += `{"type":"summary","leafUuid":"nowhere","summary":` + asJSON(t, s) + "}\n"
	}
	text += `{"type":"user","uuid":"u2","version":"2.1.0","timestamp":"2026-10-01T09:01:00.000Z","message":{"role":"user","content":"another"}}` + "\n"
	if err := os.WriteFile(filepath.Join(root, "q.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.cfg.Sources = append(b.cfg.Sources, sources.Claude{Root: filepath.Dir(root)})
	b.sync()
	b.src.AppendRecords("s1", pair("later", "one more", "yes", 9000))
	b.sync()
	for _, secret := range secrets {
		if found := holding(t, b.dir, secret); len(found) > 0 {
			t.Errorf("%s is in %v", secret, found)
		}
	}
	said := dumpOrNone(t, b.dir)
	for _, q := range []string{"words", "*", "redacted"} {
		a, err := b.open().Search(t.Context(), Query{Text: q, Group: ByTurn, Limit: 100, Window: true, Before: 4, After: 4})
		if err != nil {
			t.Fatal(err)
		}
		said += asJSON(t, a)
	}
	for _, secret := range secrets {
		if strings.Contains(said, secret) {
			t.Errorf("%s is printed", secret)
		}
		a, err := b.open().Search(t.Context(), Query{Text: `"` + secret + `"`})
		if err != nil || a.ResultCount > 0 {
			t.Errorf("%s is found: %v", secret, err)
		}
	}
	st, err := b.open().Status(t.Context())
	if err != nil || len(st.Redacted) < 12 {
		t.Errorf("%d kinds: %v %v", len(st.Redacted), st.Redacted, err)
	}
	slices.Sort(secrets)
	t.Logf("%d secrets, %d kinds", len(slices.Compact(secrets)), len(st.Redacted))
}
