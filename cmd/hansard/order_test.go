package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"
)

func TestArrange(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"search retry --project api", "search --project=api -- retry"},
		{"search --project api retry backoff", "search --project=api -- retry backoff"},
		{"search retry --json --limit=3 backoff", "search --json --limit=3 -- retry backoff"},
		{"--json --limit 3 search retry", "search --json --limit=3 -- retry"},
		{"search -limit 3 retry", "search --limit=3 -- retry"},
		{"search deploy -cache", "search -- deploy -cache"},
		{"search -- --project api", "search -- --project api"},
		{"search a -- b -- --json", "search -- a b -- --json"},
		{"search - x", "search -- - x"},
		{"search x --exclude -odd", "search --exclude=-odd -- x"},
		{"search 'why did' '-x y' '--dry run'", "search -- 'why did' '-x y' '--dry run'"},
		{"search '--project=my api' x", "search '--project=my api' -- x"},
		{"show abc --offset 5", "show --offset=5 -- abc"},
		{"index --include full --include tools", "index --include=full --include=tools --"},
		{"index --include=", "index --include= --"},
		{"search --help", "search --help --"},
		{"help search", "help -- search"},
		{"--version", "--version --"},
		{"", "--"},
	} {
		c, err := arrange((&program{}).app(), split(test.args))
		want := append([]string{"hansard"}, split(test.want)...)
		if d := cmp.Diff(want, c.argv()); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", test.args, err, d)
		}
	}
}

// split is how a shell takes a line apart, with single quotes only.
func split(line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

func TestArrangeErrors(t *testing.T) {
	for _, test := range []struct{ args, message, next string }{
		{"serach x", `no command "serach"`, "did you mean hansard search?"},
		{"foo", `no command "foo"`, "commands are search, show"},
		{"search x --projekt api", "no flag --projekt", "did you mean --project? To search for such a word, put it after --"},
		{"search x --qqqqqqq", "no flag --qqqqqqq", "see hansard search --help. To search for such a word, put it after --"},
		{"status --wide", "no flag --wide", "see hansard status --help"},
		{"status -x", "no flag --x", "see hansard status --help"},
		{"search x --limit", "--limit needs a value", "see hansard search --help"},
		{"search x --limit --json", "--limit needs a value", "see hansard search --help"},
		{"--limit 3 status", "no flag --limit", "see hansard status --help"},
		{"--nothing search x", "no flag --nothing", "see hansard --help"},
		{"--json", "--json stands with a command, and there is none", "see hansard --help"},
		{"version", `no command "version"`, "did you mean hansard --version?"},
	} {
		_, err := arrange((&program{}).app(), split(test.args))
		var f *failure
		if !errors.As(err, &f) || f.Message != test.message || !strings.HasPrefix(f.Next, test.next) || f.exit != exitUsage {
			t.Errorf("%s: %+v", test.args, err)
		}
	}
}

// TestArrangeLosesNothing: whatever order words and flags come in, the words
// stay in order and each flag keeps its value.
func TestArrangeLosesNothing(t *testing.T) {
	app := (&program{}).app()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-z+"*]{1,6}`)).Draw(t, "words")
		args := []string{"search"}
		var flags, plain []string
		for _, w := range words {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				args, flags = append(args, "--project", w), append(flags, "--project="+w)
			case 1:
				args, flags = append(args, "--json"), append(flags, "--json")
			default:
				args, plain = append(args, w), append(plain, w)
			}
		}
		c, err := arrange(app, args)
		if err != nil || !cmp.Equal(c.flags, flags) || !cmp.Equal(c.words, plain) {
			t.Fatalf("%q: %+v, %v", args, c, err)
		}
	})
}

// TestFewerCommandsSayTheSame: whatever is typed, a command that is made alone takes
// it and explains it as it does among all.
func TestFewerCommandsSayTheSame(t *testing.T) {
	p := &program{}
	for _, m := range p.makers() {
		if name := m.make().Name; name != m.name {
			t.Errorf("%s is made as %s", m.name, name)
		}
		for _, rest := range []string{"", "--help", "x -y --json", "--limit", "--limit 3 x", "--version", "--nothing", "help", "search x"} {
			args := split(m.name + " " + rest)
			got, err := arrange(p.appFor(args), args)
			want, wanted := arrange(p.app(), args)
			if !cmp.Equal(got, want, cmp.AllowUnexported(call{})) || fmt.Sprint(err) != fmt.Sprint(wanted) {
				t.Errorf("%s: %+v, %v; want %+v, %v", args, got, err, want, wanted)
			}
		}
	}
	for _, args := range []string{"", "help", "man", "completion bash", "--help search", "--json search x", "serach x", "--version"} {
		if n := len(p.appFor(split(args)).Commands); n != len(p.makers()) {
			t.Errorf("%q needs all commands, not %d", args, n)
		}
	}
}

// TestFewerFlagsSayTheSame: with each flag of each command, what a command reads of all
// its flags is what it reads where none is taken from the parser.
func TestFewerFlagsSayTheSame(t *testing.T) {
	p := &program{}
	for _, m := range p.makers() {
		flags := m.make().Flags
		lines := []string{m.name}
		for _, f := range flags {
			lines = append(lines, m.name+" --"+f.Names()[0]+sampleValue(f))
		}
		for _, line := range lines {
			got, left := p.readFlags(t, m, line, true)
			want, all := p.readFlags(t, m, line, false)
			if !cmp.Equal(got, want) {
				t.Errorf("%s: %s", line, cmp.Diff(want, got))
			}
			if all > 8 && left > all/2 {
				t.Errorf("%s: %d of %d flags are left", line, left, all)
			}
		}
	}
	app := p.appOf(p.makers()[:1])
	before := len(app.Commands[0].Flags)
	if (call{flags: []string{"--help"}}).trim(app); len(app.Commands[0].Flags) != before {
		t.Error("the help does not tell of all flags")
	}
}

func sampleValue(f cli.Flag) string {
	switch f.(type) {
	case *cli.BoolFlag:
		return ""
	case *cli.DurationFlag:
		return "=3s"
	}
	return "=3"
}

// readFlags is what a command reads of its flags, and how many its parser has.
func (p *program) readFlags(t *testing.T, m maker, line string, trimmed bool) (said []string, left int) {
	app := p.appOf([]maker{m})
	cmd := app.Commands[0]
	all := slices.Clone(cmd.Flags)
	cmd.Action = func(c *cli.Context) error {
		for _, f := range all {
			name := f.Names()[0]
			var v any
			switch f.(type) {
			case *cli.BoolFlag:
				v = c.Bool(name)
			case *cli.IntFlag:
				v = c.Int(name)
			case *cli.StringFlag:
				v = c.String(name)
			case *cli.StringSliceFlag:
				v = c.StringSlice(name)
			case *cli.DurationFlag:
				v = c.Duration(name)
			default:
				t.Fatalf("%s: a flag of another type", name)
			}
			said = append(said, fmt.Sprintf("%s: %v %t", name, v, c.IsSet(name)))
		}
		return nil
	}
	c, err := arrange(app, split(line))
	if err == nil {
		if trimmed {
			c.trim(app)
		}
		left = len(cmd.Flags)
		err = app.Run(c.argv())
	}
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return said, left
}
