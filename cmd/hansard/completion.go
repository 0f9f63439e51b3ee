package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/install"
	"github.com/hansard-search/hansard/presets"
	"github.com/hansard-search/hansard/surfaces"
)

const completionHelp = `
Prints a script that completes commands, flags and their values.

  bash  hansard completion bash > ~/.local/share/bash-completion/completions/hansard
  zsh   hansard completion zsh > "${fpath[1]}/_hansard"
  fish  hansard completion fish > ~/.config/fish/completions/hansard.fish
`

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script",
		ArgsUsage:   "bash | zsh | fish",
		Description: completionHelp,
		UsageText:   exits(exitFound, exitUsage),
		Action:      p.completion,
	}
}

func (p *program) completion(c *cli.Context) error {
	if err := atMost(c, 1); err != nil {
		return err
	}
	t := p.tree(c.App)
	script, ok := map[string]func() string{"bash": t.bash, "zsh": t.zsh, "fish": t.fish}[c.Args().First()]
	if !ok {
		return usage("use bash, zsh or fish", "no completion for %q", c.Args().First())
	}
	_, err := fmt.Fprint(p.out, script())
	return err
}

// A tree is what can be completed: commands, their flags, the flags' values.
type tree []branch

type branch struct {
	name, usage string
	words       []string // that may follow it
	flags       []leaf
}

type leaf struct {
	name, usage string
	value       bool
	words       []string // values it takes; nil: files
}

func (p *program) tree(app *cli.App) tree {
	var t tree
	for _, c := range app.VisibleCommands() {
		b := branch{name: c.Name, usage: c.Usage}
		switch c.Name {
		case "completion":
			b.words = []string{"bash", "zsh", "fish"}
		case "install":
			b.words = install.Agents()
		case "help":
			for _, other := range app.VisibleCommands() {
				b.words = append(b.words, other.Name)
			}
		}
		for _, f := range c.VisibleFlags() {
			_, isBool := f.(*cli.BoolFlag)
			b.flags = append(b.flags, leaf{f.Names()[0], flagUsage(f), !isBool, p.values(f.Names()[0])})
		}
		t = append(t, b)
	}
	return t
}

// flagUsage is what a flag's help says, without the marks of its placeholder.
func flagUsage(f cli.Flag) string {
	if d, ok := f.(cli.DocGenerationFlag); ok {
		return strings.ReplaceAll(d.GetUsage(), "`", "")
	}
	return ""
}

// values are the words that a flag takes.
func (p *program) values(flag string) []string {
	var words []string
	switch flag {
	case "surface":
		for _, s := range surfaces.All() {
			words = append(words, string(s.Name))
		}
	case "include":
		for _, s := range presets.Switches() {
			words = append(words, s.Name)
		}
		words = append(words, "none")
	case "preset":
		list := presets.All()
		if file, err := p.Load(); err == nil { // a broken config must not break the shell
			list = file.All()
		}
		for _, s := range list {
			words = append(words, s.Name)
		}
	case "group":
		words = []string{"session", "turn"}
	case "lane":
		words = corpus.Lanes()
	case "agent":
		words = presets.Kinds()
	case "source":
		for _, k := range presets.Kinds() {
			words = append(words, k+"=")
		}
	case "since", "after", "before":
		words = []string{"7d", "30d", "90d", "yesterday"}
	}
	return words
}

func (t tree) names() string {
	var names []string
	for _, b := range t {
		names = append(names, b.name)
	}
	return strings.Join(names, " ")
}

func (t tree) bash() string {
	var b strings.Builder
	b.WriteString("# bash completion for hansard\n_hansard() {\n")
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= i\n  COMPREPLY=()\n")
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in -*) ;; *) cmd=${COMP_WORDS[i]}; break ;; esac\n  done\n")
	b.WriteString("  case $cmd:$prev in\n")
	for _, c := range t {
		for _, f := range c.flags {
			switch {
			case f.words != nil:
				fmt.Fprintf(&b, "  %s:--%s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;\n", c.name, f.name, quote(strings.Join(f.words, " ")))
			case f.value:
				fmt.Fprintf(&b, "  %s:--%s) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", c.name, f.name)
			}
		}
	}
	b.WriteString("  esac\n  case $cmd in\n")
	fmt.Fprintf(&b, "  '') COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;\n", quote(t.names()+" --help --version"))
	for _, c := range t {
		fmt.Fprintf(&b, "  %s) COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;\n", c.name, quote(strings.Join(append(c.words, c.flagWords()...), " ")))
	}
	b.WriteString("  esac\n}\ncomplete -F _hansard hansard\n")
	return b.String()
}

func (c branch) flagWords() []string {
	var words []string
	for _, f := range c.flags {
		words = append(words, "--"+f.name)
	}
	return words
}

func (t tree) zsh() string {
	var b strings.Builder
	b.WriteString("#compdef hansard\n_hansard() {\n  local -a commands\n  commands=(\n")
	for _, c := range t {
		fmt.Fprintf(&b, "    %s\n", quote(c.name+":"+c.usage))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n")
	b.WriteString("  local cmd=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $cmd in\n")
	for _, c := range t {
		fmt.Fprintf(&b, "  %s)\n    _arguments", c.name)
		for _, f := range c.flags {
			spec := "*--" + f.name + "[" + zshText(f.usage) + "]"
			switch {
			case f.words != nil:
				spec += ":value:(" + strings.Join(f.words, " ") + ")"
			case f.value:
				spec += ":value:_files"
			}
			fmt.Fprintf(&b, " \\\n      %s", quote(spec))
		}
		if c.words != nil {
			fmt.Fprintf(&b, " \\\n      %s", quote("*:word:("+strings.Join(c.words, " ")+")"))
		}
		b.WriteString("\n    ;;\n")
	}
	b.WriteString("  esac\n}\nif [[ $funcstack[1] == _hansard ]]; then _hansard \"$@\"; else compdef _hansard hansard; fi\n")
	return b.String()
}

// zshText takes out what would end a description.
func zshText(s string) string { return strings.NewReplacer("[", "(", "]", ")", ":", ",").Replace(s) }

func (t tree) fish() string {
	var b strings.Builder
	b.WriteString("# fish completion for hansard\ncomplete -c hansard -f\n")
	for _, c := range t {
		fmt.Fprintf(&b, "complete -c hansard -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.usage))
		seen := "'__fish_seen_subcommand_from " + c.name + "'"
		if c.words != nil {
			fmt.Fprintf(&b, "complete -c hansard -n %s -a %s\n", seen, quote(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c hansard -n %s -l %s -d %s", seen, f.name, quote(f.usage))
			switch {
			case f.words != nil:
				fmt.Fprintf(&b, " -x -a %s", quote(strings.Join(f.words, " ")))
			case f.value:
				b.WriteString(" -r -F")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// quote makes one word of s for all three shells.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "'\\''") + "'" }
