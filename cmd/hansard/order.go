package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// The parser of flags stops at the first argument and takes what follows for
// words. People write flags where they occur to them: so they are sorted to the
// front first, and each is joined to its value.

// A call is a command line in order.
type call struct {
	command string   // "" when none was named
	flags   []string // --name=value
	words   []string // everything else
}

// argv is what the parser gets.
func (c call) argv() []string {
	args := []string{"hansard"}
	if c.command != "" {
		args = append(args, c.command)
	}
	return append(append(append(args, c.flags...), "--"), c.words...)
}

// arrange sorts a command line. What comes after "--" is words, whatever it
// looks like. The call is useful even when there is an error.
func arrange(app *cli.App, args []string) (call, error) {
	var c call
	known := arity(app, "")
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			c.words = append(c.words, args[i+1:]...)
			break
		}
		if !isFlag(arg, known, wordy(c.command)) {
			if c.command == "" {
				cmd := app.Command(arg)
				if cmd == nil {
					return c, unknownCommand(app, arg)
				}
				c.command = cmd.Name
				known = arity(app, c.command)
				if bad := strangers(c.flags, known); bad != "" {
					return c, unknownFlag(bad, c.command, known)
				}
				continue
			}
			c.words = append(c.words, arg)
			continue
		}
		flag, used, err := oneFlag(c.command, args[i:], known)
		if err != nil {
			return c, err
		}
		c.flags = append(c.flags, flag)
		i += used - 1
	}
	if bad := strangers(c.flags, map[string]bool{"help": false, "h": false, "version": false, "v": false}); c.command == "" && bad != "" {
		return c, usage(helpOf(""), "--%s stands with a command, and there is none", bad)
	}
	return c, nil
}

// trim leaves the parser those flags of the called command that were given or have a
// value of their own. It compares each flag with all others, by an expression: of the
// thirty flags of search that is a fortieth of a run.
func (c call) trim(app *cli.App) {
	given := map[string]bool{}
	for _, f := range c.flags {
		name, _, _ := flagName(f)
		given[name] = true
	}
	if len(app.Commands) != 1 || given["help"] || given["h"] {
		return // all are shown
	}
	cmd := app.Commands[0]
	cmd.Flags = slices.DeleteFunc(cmd.Flags, func(f cli.Flag) bool {
		d, ok := f.(cli.DocGenerationFlag)
		return ok && slices.Contains([]string{"", "0", "false"}, d.GetDefaultText()) &&
			!slices.ContainsFunc(f.Names(), func(name string) bool { return given[name] })
	})
}

// wordy tells the commands whose words are a query: there "-cache" means
// "without cache", and only what is a flag is one.
func wordy(command string) bool { return command == "search" }

// arity says of each flag of a command, or of all commands, whether it takes a value.
func arity(app *cli.App, command string) map[string]bool {
	known := map[string]bool{"help": false, "h": false}
	add := func(flags []cli.Flag) {
		for _, f := range flags {
			_, isBool := f.(*cli.BoolFlag)
			for _, n := range f.Names() {
				known[n] = !isBool
			}
		}
	}
	if command == "" {
		known["version"], known["v"] = false, false
	}
	for _, c := range app.Commands {
		if command == "" || c.Name == command {
			add(c.Flags)
		}
	}
	return known
}

// flagName takes "--name=value" and "-name" apart.
func flagName(arg string) (name, value string, joined bool) {
	return strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
}

// isFlag tells flags from words. An argument with a space in it was quoted, and
// is words unless its beginning is a flag.
func isFlag(arg string, known map[string]bool, wordy bool) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := flagName(arg)
	if _, ok := known[name]; ok {
		return true
	}
	quoted := strings.ContainsAny(arg, " \t\n")
	negated := !strings.HasPrefix(arg, "--")
	return !(wordy && (quoted || negated))
}

// oneFlag joins the first of args to its value; used is how many args that took.
func oneFlag(command string, args []string, known map[string]bool) (flag string, used int, err error) {
	name, value, joined := flagName(args[0])
	wants, ok := known[name]
	switch {
	case !ok:
		return "", 0, unknownFlag(name, command, known)
	case joined:
		return "--" + name + "=" + value, 1, nil
	case !wants:
		return "--" + name, 1, nil
	case len(args) < 2 || looksKnown(args[1], known):
		return "", 0, usage(helpOf(command), "--%s needs a value", name)
	}
	return "--" + name + "=" + args[1], 2, nil
}

func looksKnown(arg string, known map[string]bool) bool {
	if !strings.HasPrefix(arg, "--") {
		return false
	}
	name, _, _ := flagName(arg)
	_, ok := known[name]
	return ok
}

// strangers is the first of the flags that is not known, "" when all are.
func strangers(flags []string, known map[string]bool) string {
	for _, f := range flags {
		name, _, _ := flagName(f)
		if _, ok := known[name]; !ok {
			return name
		}
	}
	return ""
}

func helpOf(command string) string {
	return strings.Join(strings.Fields("see hansard "+command+" --help"), " ")
}

func unknownFlag(name, command string, known map[string]bool) error {
	next := helpOf(command)
	if wordy(command) {
		next += "."
	}
	if n := nearest(name, slices.Sorted(maps.Keys(known))); n != "" {
		next = "did you mean --" + n + "?"
	}
	if wordy(command) {
		next += " To search for such a word, put it after --"
	}
	return usage(next, "no flag --%s", name)
}

func unknownCommand(app *cli.App, arg string) error {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	next := "commands are " + strings.Join(names, ", ")
	if n := nearest(arg, append(names, "version")); n != "" {
		next = "did you mean hansard " + strings.Replace(n, "version", "--version", 1) + "?"
	}
	return usage(next, "no command %q", arg)
}

// nearest is the name that is at most two letters away from what was typed.
func nearest(typed string, names []string) string {
	best, name := 3, ""
	for _, n := range names {
		if d := distance(typed, n); d < best && len(n) > 2 {
			best, name = d, n
		}
	}
	return name
}

// distance counts the letters to insert, drop or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
