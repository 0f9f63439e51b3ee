package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample is a program with a command that has a flag of each kind and calls do.
func sample(out *bytes.Buffer, do func(*Context) error) *App {
	return &App{
		Name: "tool", Version: "1.2", About: "tool does things.\n", Out: out,
		Wrong: func(command string, err error) error { return fmt.Errorf("%s: %w", command, err) },
		Commands: []*Command{{
			Name: "do", Usage: "do a thing", ArgsUsage: "THING", Description: "Does it.", UsageText: "END",
			Flags: []Flag{
				{Name: "dry", Usage: "do nothing"},
				{Name: "name", Kind: String, Usage: "call it `NAME`", Default: "it"},
				{Name: "tag", Kind: Strings, Usage: "tag it `T`"},
				{Name: "limit", Kind: Int, Usage: "at most `N`", Default: "10"},
				{Name: "offset", Kind: Int, Usage: "leave out `N`"},
				{Name: "wait", Kind: Duration, Usage: "wait `D`"},
			},
			Action: do,
		}},
	}
}

// TestFlags: flags have their values, or their defaults, and words come behind them.
func TestFlags(t *testing.T) {
	type seen struct {
		Dry           bool
		Name          string
		Tags          []string
		Limit, Offset int
		Wait          time.Duration
		Set           bool
		Args          []string
	}
	for line, want := range map[string]seen{
		"do --": {Name: "it", Limit: 10, Args: []string{}},
		"do --dry --name=x --tag=a,b --tag=c --limit=3 --offset=-1 --wait=2s -- one --dry": {true, "x", []string{"a,b", "c"}, 3, -1, 2 * time.Second, true, []string{"one", "--dry"}},
		"do --dry=false --limit=0x10 x": {Name: "it", Limit: 16, Set: true, Args: []string{"x"}},
		"-- do x":                       {Name: "it", Limit: 10, Args: []string{"x"}},
	} {
		var got seen
		app := sample(nil, func(c *Context) error {
			got = seen{c.Bool("dry"), c.String("name"), c.Strings("tag"), c.Int("limit"), c.Int("offset"), c.Duration("wait"), c.IsSet("limit"), c.Args()}
			if c.NArg() != len(got.Args) || c.Command.Name != "do" || c.App.Name != "tool" || c.String("nope") != "" {
				t.Errorf("%s: %d words of %s", line, c.NArg(), c.Command.Name)
			}
			return nil
		})
		if err := app.Run(context.Background(), strings.Fields(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", line, d)
		}
	}
}

// TestWrong: what cannot be parsed is told with its command, and nothing runs.
func TestWrong(t *testing.T) {
	for line, want := range map[string]string{
		"do --limit=x":  `do: invalid value "x" for flag -limit: parse error`,
		"do --dry=x":    `do: invalid boolean value "x" for -dry: parse error`,
		"do --nope":     "do: flag provided but not defined: -nope",
		"--nope":        ": flag provided but not defined: -nope",
		"undo":          `: no command "undo"`,
		"-- undo":       `: no command "undo"`,
		"do --wait=1wk": `do: invalid value "1wk" for flag -wait: parse error`,
	} {
		app := sample(nil, func(*Context) error { return errors.New("it ran") })
		if err := app.Run(context.Background(), strings.Fields(line)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestHelp: help is the same however it is asked for.
func TestHelp(t *testing.T) {
	const page = `tool do THING [flags]

Does it.

FLAGS
  --dry                do nothing
  --name NAME          call it NAME (default: "it")
  --tag T [ --tag T ]  tag it T
  --limit N            at most N (default: 10)
  --offset N           leave out N (default: 0)
  --wait D             wait D
  --help, -h           show help

END
`
	const all = "tool does things.\n\nCOMMANDS\n  do  do a thing\n"
	for line, want := range map[string]string{
		"do --help": page, "do -h": page, "do --dry --h": page,
		"": all, "--help": all, "-h": all, "--help -v": all, "--": all, "--version": "tool 1.2\n", "-v": "tool 1.2\n",
	} {
		var out bytes.Buffer
		err := sample(&out, func(*Context) error { return errors.New("it ran") }).Run(context.Background(), strings.Fields(line))
		if d := cmp.Diff(want, out.String()); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", line, err, d)
		}
	}
}
