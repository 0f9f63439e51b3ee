package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"github.com/hansard-search/hansard/install"
)

// A screen collects text for people. Only safe text can be put on it. The
// zero value has no colours and does not wrap.
type screen struct {
	buf   bytes.Buffer
	width int // columns; 0: as long as lines are
	color bool
	named string    // the preset that commands have to name, "" where it is the usual one
	now   time.Time // dates are told relative to it, in its location
}

// showing is the command that shows what an id names.
func (s *screen) showing(id string) safe {
	command := "hansard show " + line(install.ShellWord(id))
	if s.named != "" {
		command += " --preset " + line(s.named)
	}
	return command
}

// put writes the parts as one line.
func (s *screen) put(parts ...safe) {
	for _, p := range parts {
		s.buf.WriteString(string(p))
	}
	s.buf.WriteByte('\n')
}

// para writes text wrapped to the width, each line indented.
func (s *screen) para(indent int, text safe) { s.item(indent, "", text) }

// item is para with a mark before the first line; what follows stands below
// the text. Lines that fit stay as they are, tables and code with them.
func (s *screen) item(indent int, mark, text safe) {
	room := 1 << 20
	margin := strings.Repeat(" ", indent+width(string(mark)))
	if s.width > 0 {
		room = max(s.width-len(margin), 20) // narrower than that nobody reads
	}
	first := strings.Repeat(" ", indent) + string(mark)
	for l := range strings.SplitSeq(string(text), "\n") {
		for _, row := range wrap(l, room) {
			s.buf.WriteString(strings.TrimRight(first+row, " "))
			s.buf.WriteByte('\n')
			first = margin
		}
	}
}

// fit cuts text to the columns, with an ellipsis where something is missing.
func fit(text safe, columns int) safe {
	return safe(displaywidth.Options{ControlSequences: true}.TruncateString(string(text), columns, "…"))
}

// width is how many columns text takes, colours not counted.
func width(text string) int {
	if plain(text) {
		return len(text) - strings.Count(text, "\n")
	}
	return displaywidth.Options{ControlSequences: true}.String(text)
}

func (s *screen) style(code string, text safe) safe {
	if !s.color || text == "" {
		return text
	}
	return safe("\x1b["+code+"m") + text + "\x1b[0m"
}

func (s *screen) bold(text safe) safe  { return s.style("1", text) }
func (s *screen) dim(text safe) safe   { return s.style("2", text) }
func (s *screen) match(text safe) safe { return s.style("1;33", text) }

// rows writes label and value in two columns; rows without a value are left out.
func (s *screen) rows(pairs ...safe) {
	wide := 0
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			wide = max(wide, len(pairs[i]))
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			s.put(s.dim(pairs[i]+safe(strings.Repeat(" ", wide-len(pairs[i])))), "  ", pairs[i+1])
		}
	}
}

// num is a number with its thousands apart.
func num(n int) safe {
	t := strconv.Itoa(n)
	for i := len(t) - 3; i > 0 && t[i-1] != '-'; i -= 3 {
		t = t[:i] + "," + t[i:]
	}
	return safe(t)
}

// count is a number with its noun, which gets an s where there is not one.
func count(n int, noun safe) safe {
	if n != 1 {
		if strings.HasSuffix(string(noun), "ch") {
			noun += "e"
		}
		noun += "s"
	}
	return num(n) + " " + noun
}

// size is a number of bytes as people say it.
func size(n int64) safe {
	f, units := float64(n), []safe{"bytes", "KB", "MB", "GB", "TB"}
	i := 0
	for ; f >= 1000 && i < len(units)-1; i++ {
		f /= 1000
	}
	if i == 0 {
		return safe(fmt.Sprintf("%d bytes", n))
	}
	return safe(fmt.Sprintf("%.1f ", f)) + units[i]
}

// date is a moment both ways: "3 days ago (2026-11-17 10:11)".
func (s *screen) date(t time.Time) safe {
	if t.IsZero() {
		return "no date"
	}
	return ago(s.now, t) + " (" + s.stamp(t) + ")"
}

func (s *screen) stamp(t time.Time) safe {
	return safe(t.In(s.now.Location()).Format("2006-01-02 15:04"))
}

// ago is how long before now t was, in the largest unit that fits.
func ago(now, t time.Time) safe {
	d := now.Sub(t)
	switch {
	case d < -time.Minute:
		return "in the future"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return safe(fmt.Sprintf("%d min ago", d/time.Minute))
	case d < 24*time.Hour:
		return safe(fmt.Sprintf("%d h ago", d/time.Hour))
	}
	days := int(d / (24 * time.Hour))
	switch {
	case days == 1:
		return "yesterday"
	case days < 14:
		return count(days, "day") + " ago"
	case days < 60:
		return count(days/7, "week") + " ago"
	case days < 730:
		return count(days/30, "month") + " ago"
	}
	return count(days/365, "year") + " ago"
}

// list joins the parts that are not empty.
func list(sep safe, parts ...safe) safe {
	var out safe
	for _, p := range parts {
		if p == "" {
			continue
		}
		if out != "" {
			out += sep
		}
		out += p
	}
	return out
}

// lines makes safe lines of texts.
func lines[S ~string](texts []S) []safe {
	out := make([]safe, len(texts))
	for i, t := range texts {
		out[i] = line(string(t))
	}
	return out
}

// short is a path's last component, as people name a project.
func short(path string) safe {
	path = strings.TrimRight(strings.ReplaceAll(path, `\`, "/"), "/")
	return line(path[strings.LastIndexByte(path, '/')+1:])
}
