package sources

import "strings"

// claudeSignal says what an object means for a slash command that is held.
type claudeSignal uint8

const (
	claudeNothing claudeSignal = iota
	claudeReply                // a model answers
	claudeEcho                 // a local command's output
	claudeDivide               // a prompt, a notification, a compaction: a reply behind it does not answer the command
)

// claudeHeldMax bounds how many events wait for a command to be decided.
const claudeHeldMax = 1000

// claudeHeld is a slash command of which it is not yet known whether it goes to
// the model (then it is a prompt) or is done by the program itself.
type claudeHeld struct {
	name   string
	args   bool
	echoes int // local commands met meanwhile, whose echo is not this one's
	events []Event
}

// command reads a slash command. Built-in ones are the program's; any other is
// held until a reply or an echo tells.
func (r *claudeReader) command(l *claudeLine, text string) {
	name, args := claudeCommand(text)
	if name == "" {
		r.prompt(l, text)
		return
	}
	r.answered()
	if claudeBuiltin(name) {
		if r.held != nil {
			r.held.echoes++
		}
		return
	}
	r.signal = claudeDivide
	e := r.base
	e.Kind, e.Text, e.From, e.Lane = Prompt, strings.TrimSpace("/"+name+" "+args), r.position(), r.lane(l)
	e.name()
	r.next = &claudeHeld{name: name, args: args != "", events: []Event{e}}
}

// claudeCommand takes a command line apart. The order of the tags differs
// between versions; words outside of them are the human's.
func claudeCommand(text string) (name, args string) {
	name, text = claudeTag(text, "command-name")
	_, text = claudeTag(text, "command-message")
	args, text = claudeTag(text, "command-args")
	if text = strings.TrimSpace(text); text != "" {
		args = strings.TrimSpace(args + "\n" + text)
	}
	return strings.TrimPrefix(name, "/"), args
}

// claudeTag takes the first element of that name out of s.
func claudeTag(s, tag string) (inside, rest string) {
	before, after, ok := strings.Cut(s, "<"+tag+">")
	if !ok {
		return "", s
	}
	inside, after, ok = strings.Cut(after, "</"+tag+">")
	if !ok {
		return "", s
	}
	return strings.TrimSpace(inside), before + after
}

// echo reads the output of a local command, which may tell the session's new name.
func (r *claudeReader) echo(text string) {
	if r.held != nil && r.held.echoes > 0 {
		r.held.echoes--
	} else {
		r.signal = claudeEcho
	}
	out, _ := claudeTag(text, "local-command-stdout")
	if name, ok := strings.CutPrefix(out, claudeRenamed); ok {
		e := r.emit(Title, strings.TrimSpace(name))
		e.Rank, e.Parent = 4, ""
		r.emit(Other, "")
	}
}

// settle decides the held command if the object tells, and orders events.
func (r *claudeReader) settle() {
	if h := r.held; h != nil {
		switch {
		case r.signal == claudeReply:
			r.release(true)
		case r.signal == claudeEcho:
			r.release(false)
		case r.signal == claudeDivide || len(h.events) > claudeHeldMax:
			r.release(h.args)
		default:
			h.events = append(h.events, r.fresh...)
			return
		}
	}
	if len(r.out) == 0 {
		r.out, r.fresh = r.fresh, r.out
	} else {
		r.out = append(r.out, r.fresh...)
	}
	r.held = r.next
}

// release gives out what was held. Behind a command that is no prompt, nothing
// that happened says how the turn before it ended.
func (r *claudeReader) release(prompt bool) {
	events := r.held.events
	r.held = nil
	if !prompt {
		for i := range events {
			e := &events[i]
			switch e.Kind {
			case Prompt, Failure, Interrupt, TurnEnd:
				*e = Event{ID: e.ID, Parent: e.Parent, Time: e.Time, Cwd: e.Cwd, Branch: e.Branch, Span: e.Span}
			}
		}
	}
	r.out = append(r.out, events...)
}

// finish decides at the end of the transcript: a command with arguments counts
// as a prompt, a bare name may be that of any local command.
func (r *claudeReader) finish() {
	if r.held != nil {
		r.release(r.held.args)
	}
}

// claudeBuiltin names the commands that the program carries out itself, in any
// version. Those that send a prompt of their own to the model (init, review,
// security-review, pr-comments, insights, statusline) are not among them.
func claudeBuiltin(name string) bool {
	switch name {
	case "add-dir", "agents", "allowed-tools", "approved-tools", "app", "bashes", "bg", "bug", "branch", "btw", "chrome",
		"clear", "color", "compact", "config", "context", "continue", "copy", "cost", "desktop", "diff", "doctor", "effort",
		"exit", "export", "extra-usage", "fast", "feedback", "fork", "help", "hooks", "ide", "install-github-app",
		"install-slack-app", "keybindings", "login", "logout", "mcp", "memory", "migrate-installer", "mobile", "model",
		"new", "output-style", "passes", "permissions", "plugin", "plugins", "privacy-settings", "quit", "rc",
		"release-notes", "reload-plugins", "remote-control", "remote-env", "rename", "reset", "resume", "rewind",
		"sandbox", "session", "settings", "skills", "stats", "status", "stickers", "tag", "tasks", "teleport",
		"terminal-setup", "theme", "think-back", "todos", "upgrade", "usage", "vim", "voice":
		return true
	}
	return false
}
