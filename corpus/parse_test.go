package corpus

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/surfaces"
)

func noon() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.FixedZone("", 3600)) }

func TestParseQuery(t *testing.T) {
	w := func(text string) Clause { return Clause{Text: text} }
	tests := []struct {
		in   string
		want Parsed
	}{
		{"", Parsed{All: true}},
		{" * ", Parsed{All: true}},
		{`"" *`, Parsed{All: true}},
		{"nix infrastructure", Parsed{Clauses: []Clause{w("nix"), w("infrastructure")}}},
		{"nix *", Parsed{Clauses: []Clause{w("nix")}}},
		{".js extension exports package.json", Parsed{Clauses: []Clause{w(".js"), w("extension"), w("exports"), w("package.json")}}},
		{`"a phrase" +must -not`, Parsed{Clauses: []Clause{
			{Kind: Phrase, Text: "a phrase"}, {Text: "must", Must: true}, {Text: "not", Not: true},
		}}},
		{`+"a b" -"c d"e`, Parsed{Clauses: []Clause{
			{Kind: Phrase, Text: "a b", Must: true}, {Kind: Phrase, Text: "c d", Not: true}, w("e"),
		}}},
		{"\u201Csmart quotes\u201D", Parsed{Clauses: []Clause{{Kind: Phrase, Text: "smart quotes"}}}},
		{`5" disk "open`, Parsed{Clauses: []Clause{w(`5"`), w("disk"), w("open")}}},
		{"simpl* +cach* wrod~", Parsed{Clauses: []Clause{
			{Kind: Prefix, Text: "simpl"}, {Kind: Prefix, Text: "cach", Must: true}, {Kind: Fuzzy, Text: "wrod"},
		}}},
		{"**bold** ~/bin a*b -- - -> + !? ~", Parsed{Clauses: []Clause{
			w("**bold**"), w("~/bin"), w("a*b"), w("--"), w("-"), w("->"), w("+"), w("!?"), w("~"),
		}}},
		{"grep -n --dry-run -v2", Parsed{Clauses: []Clause{w("grep"), w("-n"), w("--dry-run"), {Text: "v2", Not: true}}}},
		{"gate (gofmt -w, ls -l) sh -c: -C++", Parsed{Clauses: []Clause{w("gate"), w("(gofmt"), w("-w,"), w("ls"), w("-l)"), w("sh"), w("-c:"), {Text: "C++", Not: true}}}},
		{"std::vector foo:bar https://x.org project:", Parsed{Clauses: []Clause{w("std::vector"), w("foo:bar"), w("https://x.org"), w("project:")}}},
		{"panic: boom\n\tmain.go:12 +0x1d", Parsed{Clauses: []Clause{w("panic:"), w("boom"), w("main.go:12"), w("0x1d")}}},
		{"File \"/x/y.py\", line 3\r\nbranch:\"main", Parsed{Clauses: []Clause{w("File"), w(`/x/y.py",`), w("line"), w("3"), w("branch"), w("main")}}},
		{"-old *\n+path:-new* ~ \"\n", Parsed{Clauses: []Clause{w("old"), w("path"), w("new")}}},
		{"+one -line\n", Parsed{Clauses: []Clause{{Text: "one", Must: true}, {Text: "line", Not: true}}}},
		{"project:api +project:web cache", Parsed{Clauses: []Clause{w("cache")}, Filter: Filter{Projects: []string{"api", "web"}}}},
		{`project:"my api" project:"" branch:feature/*`, Parsed{All: true, Filter: Filter{Projects: []string{"my api"}, Branch: "feature/*"}}},
		{"-session:abc exclude:def session:x", Parsed{All: true, Filter: Filter{Exclude: []string{"abc", "def"}, Session: "x"}}},
		{`-project:"my api" -tool:bash api -project:web -lane:Cron`, Parsed{Clauses: []Clause{w("api")}, Filter: Filter{
			Without: []Condition{{"project", "my api"}, {"tool", "bash"}, {"project", "web"}, {"lane", "cron"}},
		}}},
		{`cwd:/a model:m* tool:bash path:src/*.ts agent:pi lane:Cron`, Parsed{All: true, Filter: Filter{
			Cwd: "/a", Model: "m*", Tool: "bash", Path: "src/*.ts", Source: "pi", Lane: "cron",
		}}},
		{`after:yesterday before:2026-11-19 after:"3 days ago"`, Parsed{All: true, Filter: Filter{
			After:  time.Date(2026, 11, 17, 11, 0, 0, 0, time.UTC),
			Before: time.Date(2026, 11, 19, 23, 0, 0, 0, time.UTC),
		}}},
		{"surface:session_title,user_prompt surface:user_prompt x", Parsed{Clauses: []Clause{w("x")}, Filter: Filter{
			Surfaces: []surfaces.Name{surfaces.SessionTitle, surfaces.UserPrompt},
		}}},
	}
	for _, tt := range tests {
		got, err := ParseQuery(tt.in, noon())
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("ParseQuery(%q): %v, -want +got\n%s", tt.in, err, d)
		}
		sameAgain(t, got)
	}
}

func TestParseQueryRefuses(t *testing.T) {
	tests := []struct {
		in  string
		pos int
		say string
	}{
		{"x after:soon", 2, "2026-10-31"},
		{`before:"2026-02-30"`, 0, "before"},
		{"surface:titles", 0, "session_title"},
		{"a lane:left", 2, "subagent"},
		{"a -after:1d", 2, "before:"},
		{"a -surface:user_prompt", 2, "surface:"},
		{"-lane:left", 0, "subagent"},
	}
	for _, tt := range tests {
		_, err := ParseQuery(tt.in, noon())
		var bad *QueryError
		if !errors.As(err, &bad) || bad.Pos != tt.pos || bad.Query != tt.in || !strings.Contains(bad.Error(), tt.say) {
			t.Errorf("ParseQuery(%q) = %v, want a QueryError at %d that says %q", tt.in, err, tt.pos, tt.say)
		}
	}
}

// sameAgain holds p against what is read from its spelling.
func sameAgain(t interface {
	Helper()
	Errorf(string, ...any)
}, p Parsed) {
	t.Helper()
	again, err := ParseQuery(p.String(), time.Unix(0, 0))
	if err != nil || !reflect.DeepEqual(p, again) {
		t.Errorf("%+v is spelled %q, which is %+v, %v", p, p.String(), again, err)
	}
	if p.All != (len(p.Clauses) == 0) {
		t.Errorf("%+v: All is %v", p, p.All)
	}
	for _, c := range p.Clauses {
		if c.Text == "" || c.Must && c.Not {
			t.Errorf("%+v: clause %+v", p, c)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		`a "b c" +d -e f* g~ project:x`, `project:" "" x "y"`, "+\"-foo -\"n", `project:"“x”" “"q”`, `+project: -project:" - "`,
		"a\n+b -\"c\" session:-d*", "after:0001-01-01T00:00:00Z", "before:9999-12-31", "*~ **~ ~* x*~ x~*", "\xff\"\xfe\u00a0\u2028*", "-.*", "after:2026-01-01T00:00:00.123456789+13:45",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseQuery(s, noon())
		if bad := new(QueryError); err != nil && (!errors.As(err, &bad) || bad.Pos < 0 || bad.Pos >= len(s)) {
			t.Fatalf("ParseQuery(%q): %v", s, err)
		}
		if err == nil {
			sameAgain(t, p)
		}
	})
}

func TestQuerySpellsItself(t *testing.T) {
	tokens := []string{"a", "foo", "\n", "-", "+", "*", "~", `"`, "\u201C", "\u201D", " ", "  ", "project:", "session:", "after:", "7d", "lane:main", ":", ".", "é", "surface:user_prompt"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), 0, 12).Draw(t, "tokens"), "")
		if p, err := ParseQuery(s, noon()); err == nil {
			sameAgain(t, p)
		}
	})
}
