package cli

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// A Kind is what the value of a flag is.
type Kind uint8

// The kinds.
const (
	Bool    Kind = iota // needs no value
	String              //
	Strings             // may be repeated
	Int                 //
	Duration
)

// A Flag is one of a command's. Its zero value, but for a name, is a Bool.
type Flag struct {
	Name    string
	Short   string // another name, of one letter
	Kind    Kind
	Usage   string // a word in backquotes stands for the value
	Default string // of a String or an Int
}

var (
	helpFlag    = Flag{Name: "help", Short: "h", Usage: "show help"}
	versionFlag = Flag{Name: "version", Short: "v", Usage: "print the version"}
)

// AllFlags are the flags of a command and --help.
func (c *Command) AllFlags() []Flag { return append(c.Flags[:len(c.Flags):len(c.Flags)], helpFlag) }

// newSet makes flags ready to be parsed.
func newSet(flags []Flag) *flag.FlagSet {
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range flags {
		f.add(set)
	}
	return set
}

func (f Flag) add(set *flag.FlagSet) {
	switch f.Kind {
	case Bool:
		on := set.Bool(f.Name, false, "")
		if f.Short != "" {
			set.BoolVar(on, f.Short, false, "")
		}
	case String:
		set.String(f.Name, f.Default, "")
	case Strings:
		set.Var(&list{}, f.Name, "")
	case Int:
		n, _ := strconv.Atoi(f.Default)
		set.Int(f.Name, n, "")
	case Duration:
		set.Duration(f.Name, 0, "")
	}
}

// A list is the values of a flag that is repeated.
type list struct{ values []string }

func (l *list) String() string { return strings.Join(l.values, ",") }

func (l *list) Set(s string) error {
	l.values = append(l.values, s)
	return nil
}

func (l *list) Get() any { return l.values }

// value is what a flag says, the zero value when the command has no such flag.
func value[T any](c *Context, name string) (v T) {
	if f := c.flags.Lookup(name); f != nil {
		v, _ = f.Value.(flag.Getter).Get().(T)
	}
	return v
}

// Bool is a Bool's value.
func (c *Context) Bool(name string) bool { return value[bool](c, name) }

// String is a String's value.
func (c *Context) String(name string) string { return value[string](c, name) }

// Strings are the values of Strings.
func (c *Context) Strings(name string) []string { return value[[]string](c, name) }

// Int is an Int's value.
func (c *Context) Int(name string) int { return value[int](c, name) }

// Duration is a Duration's value.
func (c *Context) Duration(name string) time.Duration { return value[time.Duration](c, name) }

// IsSet reports whether the line has the flag.
func (c *Context) IsSet(name string) (set bool) {
	c.flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// Placeholder is the word that stands for the value of a flag, "" where there is none.
func (f Flag) Placeholder() string {
	_, rest, _ := strings.Cut(f.Usage, "`")
	word, _, _ := strings.Cut(rest, "`")
	return word
}

// About is what help says of a flag.
func (f Flag) About() string { return strings.ReplaceAll(f.Usage, "`", "") }

// DefaultText is how help spells the default, "" where there is none.
func (f Flag) DefaultText() string {
	switch {
	case f.Kind == String && f.Default != "":
		return strconv.Quote(f.Default)
	case f.Kind == Int && f.Default == "":
		return "0"
	}
	return f.Default
}

// row is the flag's line in a table of two columns.
func (f Flag) row() string {
	names := "--" + f.Name
	if f.Short != "" {
		names += ", -" + f.Short
	}
	if p := f.Placeholder(); p != "" {
		names += " " + p
	}
	if f.Kind == Strings {
		names += " [ " + names + " ]"
	}
	about := f.About()
	if d := f.DefaultText(); d != "" {
		about += fmt.Sprintf(" (default: %s)", d)
	}
	return names + "\t" + about
}
