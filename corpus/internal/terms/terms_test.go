package terms

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// list spells tokens as term@pos, with the exact form behind / where it
// differs and [ ] around parts.
func list(tokens []Token) string {
	var out []string
	for _, t := range tokens {
		s := t.Term
		if t.Exact != t.Term {
			s += "/" + t.Exact[1:]
		}
		s = fmt.Sprintf("%s@%d", s, t.Pos)
		if t.Kind == Part {
			s = "[" + s + "]"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"   \n\t--- ... '' __", ""},
		{"Simplified simplifying simplification", "simplify/simplified@0 simplify/simplifying@1 simplify/simplification@2"},
		{"libraries library LIBRARY", "library/libraries@0 library@1 library@2"},
		{"Café naïve Ångström STRASSE straße", "cafe@0 naiv/naive@1 angstrom@2 strass/strasse@3 strass/strasse@4"},
		{"it's the user's, don’t", "it's@0 the@1 user/user's@2 dont@3"},
		{"Don't dont ISN'T couldn’t've we'll rock'n'roll don't-care", "dont@0 dont@1 isnt@2 couldnt'v/couldnt've@3 we'll@4 rock'nrol/rock'nroll@5 [rock'n@5] [roll@6] dontcar/dontcare@7 [dont@7] [care@8]"},
		{"parseHTTPRequest", "parsehttprequest@0 [pars/parse@0] [http@1] [request@2]"},
		{"RESTAURANT_SIGNALS", "restaurantsign/restaurantsignals@0 [restaur/restaurant@0] [signal/signals@1]"},
		{"config.ts", "config.ts@0 [config@0] [ts@1]"},
		{"--dry-run dryRun dry_run dryrun", "dryrun@0 [dry@0] [run@1] dryrun@2 [dry@2] [run@3] dryrun@4 [dry@4] [run@5] dryrun@6"},
		{"bd-q3fy", "bdq3fy@0 [bd@0] [q3fy@1]"},
		{"http_server.go", "httpserver.go@0 [httpserver@0] [http@0] [server@1] [go@2]"},
		{"v1.2.3 1.22 2026-11-20", "v1.2.3@0 [v1.2@0] [1.2.3@0] [1.2@0] 1.22@1 2026-11-20@2 [2026@2] [11@3] [20@4]"},
		{"python3 sha256 a1", "python3@0 [python@0] sha256@1 [sha@1] a1@2"},
		{"1.26.8 192.168.1.10 1.2.3.4.5.6.7.8.9", "1.26.8@0 [1.26@0] 192.168.1.10@1 [192.168.1@1] [192.168@1] 1.2.3.4.5.6.7.8.9@2"},
		{"python3.12 go1.26.8-rc2 v10.0.0.1234567890123 x86_64", "python3.12@0 [python@0] [3.12@0] go1.26.8rc2@1 [go1.26.8@1] [go1.26@1] [1.26.8@1] [1.26@1] [rc2@2] v10.0.0.1234567890123@3 x8664@4 [x86@4] [64@5]"},
		{"src/app/MainView.tsx", "src@0 app@1 mainview.tsx@2 [mainview@2] [main@2] [view@3] [tsx@4]"},
		{`C:\Users\me`, "c@0 user/users@1 me@2"},
		{".js extension exports package.json", "js@0 extens/extension@1 export/exports@2 package.json@3 [packag/package@3] [json@4]"},
		{"c++ C# f# c+ a#b", "c++@0 c#@1 f#@2 c@3 a@4 b@5"},
		{"p.m. U.S.A e.g.", "pm@0 usa@1 eg@2"},
		{"APIs URLs GitHub getURLs", "api/apis@0 url/urls@1 github@2 [git@2] [hub@3] geturl/geturls@4 [get@4] [url/urls@5]"},
		{"O'Brien's", "obrien/obrien's@0 [o@0] [brien/brien's@1]"},
		{"user@example.com", "user@0 example.com@1 [exampl/example@1] [com@2]"},
		{"黒猫 猫", "黒猫@0 [黒@0] [猫@1] 猫@2"},
		{"データ", "デー@0 ータ@1"},
		{"한국어 test", "한국@0 국어@1 test@3"},
		{"Привет, мир", "привет@0 мир@1"},
		{"a\xffb \xf0\x9f c", "a@0 b@1 c@2"},
		{"ab\u0301c ＡＢＣ", "abc@0 abc@1"},
	}
	var a Analyzer
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, list(a.Tokens(tt.text))); d != "" {
			t.Errorf("Tokens(%q): -want +got\n%s", tt.text, d)
		}
	}
}

func TestScan(t *testing.T) {
	var a Analyzer
	text := "Running dry-run; runs, the Runner ran getRunner"
	tests := []struct {
		target Target
		want   string
	}{
		{Target{Term: "run"}, "Running run runs"},
		{Target{Term: "run", Exact: "=runs"}, "Running run runs!"},
		{Target{Term: "run", Exact: "run"}, "Running run! runs"},
		{Target{Term: "=running"}, "Running"},
		{Target{Term: "run", Prefix: true}, "Running run runs Runner Runner"},
		{Target{Term: "dryrun", Exact: "dryrun"}, "dry-run!"},
		{Target{Term: "absent"}, ""},
		{Target{}, ""},
	}
	for _, tt := range tests {
		var got []string
		NewMatcher(&a, []Target{{Term: "ran"}, tt.target}).Scan(text, func(m Match) bool {
			if m.Target == 1 {
				s := text[m.Start:m.End]
				if m.Exact {
					s += "!"
				}
				got = append(got, s)
			}
			return true
		})
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("Scan for %+v found %q, want %q", tt.target, s, tt.want)
		}
	}
	n := 0
	NewMatcher(&a, []Target{{Term: "run"}}).Scan(text, func(Match) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("Scan yielded %d times after it was told to stop at 2", n)
	}
}

func TestPrefix(t *testing.T) {
	var a Analyzer
	for text, want := range map[string]string{
		"Simpl": "simpl", "restaurant_sig": "restaurantsig", "src/App": "app", "config.t": "config.t", "黒猫": "黒猫", "猫": "猫", "--": "",
	} {
		keys := a.Prefix(text)
		if want == "" && len(keys) == 0 {
			continue
		}
		if len(keys) != 2 || keys[0] != want || keys[1] != string(ExactMark)+want {
			t.Errorf("Prefix(%q) = %q, want %q", text, keys, want)
		}
	}
}
