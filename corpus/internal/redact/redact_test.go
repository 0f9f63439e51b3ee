package redact_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/redact"
)

// Nothing here is anybody's secret: all values are made up. They are written
// in two pieces, so that scanners of repositories do not take them for real.
const (
	lots = "q8Zt2Lw9Xv4Rb7Nc1Md6Hf3Ks5Jg0Pp2Ty8"
	hex  = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

var pemBody = strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 3)

// secrets are a text with a secret, the secret and its kind.
var secrets = []struct{ text, secret, kind string }{
	{"key AK" + "IAQ3EGRXK7PLZMNW2T here", "AK" + "IAQ3EGRXK7PLZMNW2T", "aws-key"},
	{"AS" + "IAQ3EGRXK7PLZMNW2T", "IAQ3EGRXK7PLZMNW2T", "aws-key"},
	{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYq8Zt2Lw9Xv", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYq8Zt2Lw9Xv", "aws-secret"},
	{`"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYq8Zt2Lw9Xv"`, "wJalrXUtnFEMI", "aws-secret"},
	{"gh" + "p_" + lots, lots, "github-token"},
	{"gh" + "s_" + lots + ".", lots, "github-token"},
	{"\x1b[32mgh" + "o_" + lots + "\x1b[0m", lots, "github-token"},
	{"github" + "_pat_11ABCDEFG0" + lots, lots, "github-token"},
	{`\ngl` + "pat-" + lots[:20] + `\n`, lots[:20], "gitlab-token"},
	{"xo" + "xb-123456789012-" + lots, lots, "slack-token"},
	{"https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/" + lots[:24], lots[:24], "slack-hook"},
	{"sk_" + "live_" + lots, lots, "stripe-key"},
	{"AI" + "za" + lots[:35], lots[:35], "google-key"},
	{"//registry/:_authToken=np" + "m_" + lots + "a", lots, "npm-token"},
	{"sk" + "-ant-api03-" + lots, lots, "api-key"},
	{"export KEY=sk" + "-" + lots, lots, "api-key"},
	{"hf" + "_" + lots, lots, "api-key"},
	{"ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P", "dozjgNryP4J3jVmNHl0w5N", "jwt"},
	{"-----BEGIN RSA PRIVATE " + "KEY-----\n" + pemBody + "-----END RSA PRIVATE " + "KEY-----\n", "MIIEvQ", "private-key"},
	{"-----BEGIN PRIVATE " + "KEY-----\n" + pemBody + "and it was cut", "MIIEvQ", "private-key"},
	{`"-----BEGIN PRIVATE ` + `KEY-----\n` + strings.ReplaceAll(pemBody, "\n", `\n`) + `-----END PRIVATE ` + `KEY-----\n"`, "MIIEvQ", "private-key"},
	{"  1→-----BEGIN PRIVATE " + "KEY-----\n  2→" + strings.ReplaceAll(strings.TrimSpace(pemBody), "\n", "\n  3→") + "\n  5→-----END PRIVATE " + "KEY-----\n", "MIIEvQ", "private-key"},
	{"Authorization: Bearer " + lots, lots, "auth-header"},
	{`-H "authorization: token ` + hex[:40] + `"`, hex[:40], "auth-header"},
	{`{"Authorization":"Basic dXNlcjpodW50ZXIy"}`, "dXNlcjpodW50ZXIy", "auth-header"},
	{"postgres://app:hunter2x@db:5432/app", "hunter2x", "url-password"},
	{"clone https://x-access-token:gh" + "p_" + lots + "@github.com/o/r", lots, "github-token"},
	{"API_KEY=" + lots, lots, "secret"},
	{`"api-key": "` + hex[:32] + `"`, hex[:32], "secret"},
	{`{\"client_secret\": \"` + lots + `\"}`, lots, "secret"},
	{"X-Api-Key: " + lots, lots, "secret"},
	{"AccountKey=" + base64.StdEncoding.EncodeToString([]byte(lots+lots)) + ";", lots[:6] + lots, "secret"},
	{"HEROKU_API_KEY=c9bf9e57-1685-4c89-bafb-ff5af830be8a", "c9bf9e57", "secret"},
	{"DB_PASSWORD=Sup3rS3cret!", "Sup3rS3cret!", "password"},
	{`password: "tr0ub4dor&3"`, "tr0ub4dor&3", "password"},
	{"Server=db;Pwd=Xk29fjQ8w;", "Xk29fjQ8w", "password"},
	{"mytool --token " + lots, lots, "token"},
	{"sessionToken := `" + lots + "`", lots, "token"},
	{`env["GITHUB_TOKEN"] = "gh` + "p_" + lots + `"`, lots, "github-token"},
}

func TestSecretsGo(t *testing.T) {
	for _, c := range secrets {
		var r redact.Redactor
		got := r.Text(c.text)
		if strings.Contains(got, c.secret) || !strings.Contains(got, "[redacted:"+c.kind+"]") {
			t.Errorf("%q\nbecame %q, want %s", c.text, got, c.kind)
		}
		if len(r.Counts()) != 1 || r.Counts()[c.kind] != 1 {
			t.Errorf("%q: counts %v", c.text, r.Counts())
		}
		if again := r.Text(got); again != got {
			t.Errorf("%q\nbecame %q\nand then %q", c.text, got, again)
		}
	}
}

var innocent = []string{
	"", "abc", "the token is read next, the secret is patience",
	"60b4b528-6230-4d6b-a9dd-cdc76f4abcf5", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
	"github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=",
	`"integrity": "sha512-QfiNNfkhyWjcaCbrQ8Zt2Lw9Xv4Rb7Nc1Md6Hf3Ks5Jg0Pp2Ty8AoPLcJWQ=="`,
	"![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)",
	"//# sourceMappingURL=data:application/json;base64,ey" + "J2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
	"token := next()", "token = tokens[i2]", "tok, err := parser.nextToken()", "password: string", "password: string;",
	"API_KEY=${API_KEY}", "API_KEY=$API_KEY2", "API_KEY=<your-token>", "<your-token>", `api_key = os.environ["API_KEY_2"]`,
	"const apiKey = process.env.OPENAI_API_KEY2", "secret: {{ .Values.secret1 }}", "secret = config.auth2.clientSecret",
	`"max_tokens": 4096`, `"cache_creation_input_tokens":123456,"output_tokens":78`, "token_count=123456789012345678",
	`secretName: tls-cert-2024-prod`, "SECRET_FILE=/run/secrets/db_password_2", "token_url: https://auth0.example.org/oauth2/token",
	"primary_key=True", "sort_key = created_at_2", "monkey: banana123456789012345", "pwd=/home/u/project2/src", "pwd: ~/work8", `Pwd: "\\host\d$2",`,
	`password: ""`, `password = "your-password-1"`, `password: "password must have 8 characters"`, "if password == confirmPassword1 {",
	"password=getPassword2(user1)", `"password": "auth.password.min8"`, "PASSWORD=********", "password: changeme1",
	"https://user@example.com/x", "http://localhost:8080/a:b@c", "https://user:${PASS}@host/", "https://user:password@host/", "git@github.com:o/r.git",
	"postgres://user:<pw1>@host", "task-1234567890abcdef12345678", "sk-some-very-long-css-class-name-here", "risk-averse-investment-2024-portfolio",
	"Bearer authentication is required here", "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: required",
	"Authorization: `Bearer ${token1234567890}`", "authorization_endpoint: https://a.example.org/x1", "AKIA is how key ids begin", "AKIAXXXXXXXXXXXXXXXX",
	`strings.Contains(s, "-----BEGIN RSA PRIVATE ` + `KEY-----")`, "-----BEGIN CERTIFICATE-----\n" + pemBody + "-----END CERTIFICATE-----",
	"-----BEGIN PRIVATE " + "KEY-----\n...\n-----END PRIVATE " + "KEY-----", strings.Repeat("-", 200), "| --- | ---- | ----- |",
	"[redacted:aws-key]", "token: [redacted:token]", "https://[redacted:github-token]@github.com/x", "eyJ is how a JWT begins", "ghp_", "ghp_short",
	"npm_config_cache=/tmp/x", "npm_lifecycle_event", "hf_hub_download", "sk_live_", "xoxb-", "AIza", "\xff\xfetoken=\xff",
	`type Token struct { Kind TokenKind2 }`, "func (t *Token2) String() string", `case token.IDENT2:`, `x.Token = "EOF"`,
	`nextPageToken: "60b4b528-6230-4d6b-a9dd-cdc76f4abcf5"`, "csrf_token: true", `tokenType: "Bearer"`, "secret: false",
}

func TestInnocentStays(t *testing.T) {
	for _, s := range innocent {
		var r redact.Redactor
		if got := r.Text(s); got != s || r.Counts() != nil {
			t.Errorf("%q\nbecame %q", s, got)
		}
	}
}

// draw makes up one secret of a kind, with what surrounds it.
func draw(t *rapid.T) (text, secret string) {
	str := func(set string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = set[rapid.IntRange(0, len(set)-1).Draw(t, "c")]
		}
		return string(b)
	}
	const up, all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	// A drawn value may by bad luck, or when rapid shrinks it, be no secret at all.
	mixed := func(n int) string { return "a7" + str(all, n-5) + "Q9z" }
	lot := func(n int) string {
		b := []byte(mixed(n))
		for i := 3; i < len(b); i += 4 {
			b[i] = "0123456789"[rapid.IntRange(0, 9).Draw(t, "d")]
		}
		return string(b)
	}
	kinds := []func() (string, string){
		func() (string, string) { s := "AK" + "IA2B" + str(up, 12) + "7Q"; return s, s },
		func() (string, string) { s := mixed(36); return "gh" + "p_" + s, s },
		func() (string, string) { s := mixed(60); return "github" + "_pat_" + s, s },
		func() (string, string) { s := mixed(20); return "gl" + "pat-" + s, s },
		func() (string, string) { s := mixed(24); return "xo" + "xb-" + s, s },
		func() (string, string) { s := mixed(24); return "sk_" + "live_" + s, s },
		func() (string, string) { s := mixed(35); return "AI" + "za" + s, s },
		func() (string, string) { s := mixed(36); return "np" + "m_" + s, s },
		func() (string, string) { s := mixed(40); return "sk" + "-ant-" + s, s },
		func() (string, string) { s := lot(40); return "sk" + "-" + s, s },
		func() (string, string) { s := mixed(30); return "ey" + "JhbGciOiJI.ey" + "JzdWIiOiIx." + s, s },
		func() (string, string) {
			s := str(all+"+/", 64)
			return "-----BEGIN EC PRIVATE " + "KEY-----\n" + s + "\n-----END EC PRIVATE " + "KEY-----", s
		},
		func() (string, string) { s := lot(24); return "Authorization: Bearer " + s, s },
		func() (string, string) { s := lot(12); return "redis://u:" + s + "@h", s },
		func() (string, string) { s := lot(32); return `"api_key": "` + s + `"`, s },
		func() (string, string) { s := lot(12); return "DB_PASSWORD=" + s, s },
	}
	return kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")]()
}

// surroundings are what real text is made of, triggers without secrets included.
func surroundings(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{"token", "secret=", "password: ", "-----", "://", "\n", " ", `"`, `\n`, "[redacted:", "]", "sk-", "ghp_", "Bearer ", "=", "eyJ", "é", "\xff", ".", "@", "key"}),
		rapid.String(),
		rapid.SampledFrom(innocent),
	), 0, 6).Draw(t, "text")
	return strings.Join(parts, "")
}

func TestPlantedSecretsNeverSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		planted, secret := draw(t)
		text := surroundings(t) + "\n" + planted + "\n" + surroundings(t)
		var r redact.Redactor
		if got := r.Text(text); strings.Contains(got, secret) {
			t.Fatalf("%q is still in %q", secret, got)
		}
	})
}

func TestTwiceIsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := surroundings(t)
		for range rapid.IntRange(0, 3).Draw(t, "secrets") {
			planted, _ := draw(t)
			text += planted + surroundings(t)
		}
		var r redact.Redactor
		once := r.Text(text)
		if twice := r.Text(once); twice != once {
			t.Fatalf("%q\nbecame %q\nand then %q", text, once, twice)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, c := range secrets {
		f.Add(c.text)
	}
	for _, s := range innocent {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var r redact.Redactor
		once := r.Text(s)
		if twice := r.Text(once); twice != once {
			t.Fatalf("%q\nbecame %q\nand then %q", s, once, twice)
		}
	})
}

// Clean prose and code, without a single secret.
var clean = strings.Repeat(`The indexer reads on from the offset where the last turn starts, and asks
whether the tail before it is what it was. If the tokens differ, the file was rewritten. See
https://example.org/docs and func (t *Table) Get(source, path string) (r *Row, ok bool) { return nil, false }
for i := range rows { if err := json.Unmarshal(line, &s); err != nil { return fmt.Errorf("shard: %w", err) } }
`, 300)

func BenchmarkClean(b *testing.B) {
	b.SetBytes(int64(len(clean)))
	var r redact.Redactor
	for b.Loop() {
		if len(r.Text(clean)) != len(clean) {
			b.Fatal("not clean")
		}
	}
}

// TestRealCorpus prints what is replaced in real transcripts, for people to judge.
func TestRealCorpus(t *testing.T) {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		t.Skip("HANSARD_REAL_CORPUS is not set")
	}
	var r redact.Redactor
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		once := r.Text(string(b))
		var again redact.Redactor
		if again.Text(once) != once {
			t.Errorf("%s: redacting twice is not redacting once: %v", path, again.Counts())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(fmt.Sprint(r.Counts()))
}
