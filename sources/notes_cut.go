package sources

import "strings"

// notesEntry is a part of a file of notes: the text below one heading.
type notesEntry struct {
	path   string // headings from the outermost to its own, "" before the first
	twin   int    // counts the entries with the same path, from 1
	body   string // without the heading, trimmed
	offset int    // bytes before it
	length int    // bytes
	line   int    // lines before it
}

// notesEntries cuts a text at its headings, those in code blocks excepted. Lines
// between --- at the very beginning describe the file: name and description there
// are the heading of what follows up to the first one. A heading with nothing below
// it but other headings is no entry, except as the beginning of the file.
func notesEntries(text string) []notesEntry {
	c := notesCutter{twins: map[string]int{}}
	var skip int
	c.cur.path, skip = notesFront(text)
	fence := ""
	offset, n := 0, 0
	for line := range strings.Lines(text) {
		depth, name := notesHeading(line)
		switch {
		case offset < skip:
		case fence == "" && depth > 0:
			c.finish(offset)
			c.cur = notesEntry{path: c.below(depth, name), offset: offset, line: n}
		default:
			fence = notesFence(fence, line)
			c.body.WriteString(line)
		}
		offset += len(line)
		n++
	}
	c.finish(len(text))
	return c.list
}

// notesCutter is what is known between two lines.
type notesCutter struct {
	list  []notesEntry
	cur   notesEntry
	body  strings.Builder // of cur
	above []notesLevel    // headings that cur stands below, its own included
	twins map[string]int  // entries so far, by path
}

type notesLevel struct {
	depth int
	name  string
}

// below takes a heading and returns its path.
func (c *notesCutter) below(depth int, name string) string {
	for len(c.above) > 0 && c.above[len(c.above)-1].depth >= depth {
		c.above = c.above[:len(c.above)-1]
	}
	c.above = append(c.above, notesLevel{depth, name})
	names := make([]string, len(c.above))
	for i, l := range c.above {
		names[i] = l.name
	}
	return strings.Join(names, " > ")
}

// finish keeps the current entry, which ends at an offset, unless it is none.
func (c *notesCutter) finish(end int) {
	e := c.cur
	e.body, e.length = strings.TrimSpace(c.body.String()), end-e.offset
	c.body.Reset()
	if e.length == 0 || e.body == "" && e.offset > 0 {
		return
	}
	if e.body == "" {
		e.path = ""
	}
	c.twins[e.path]++
	e.twin = c.twins[e.path]
	c.list = append(c.list, e)
}

// notesHeading is the depth and the words of a heading, 0 for other lines.
func notesHeading(line string) (depth int, name string) {
	rest := strings.TrimLeft(line, "#")
	depth = len(line) - len(rest)
	name = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#"))
	if depth == 0 || depth > 6 || name == "" || rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	return depth, name
}

// notesFence is the fence of the code block in which the line after this one
// stands, "" for none.
func notesFence(in, line string) string {
	trimmed := strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if !strings.HasPrefix(trimmed, mark) {
			continue
		}
		if in == "" {
			return mark
		}
		if in == mark && strings.Trim(trimmed, mark[:1]) == "" {
			return ""
		}
	}
	return in
}

// notesFront reads the description of the file that stands before its text: its
// words, and how many bytes it takes.
func notesFront(text string) (head string, length int) {
	if !strings.HasPrefix(text, "---\n") && !strings.HasPrefix(text, "---\r\n") {
		return "", 0
	}
	var name, about string
	for line := range strings.Lines(text) {
		length += len(line)
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch {
		case length > len(line) && strings.TrimSpace(line) == "---":
			if name != "" && about != "" {
				name += ": "
			}
			return name + about, length
		case key == "name":
			name = value
		case key == "description":
			about = value
		}
	}
	return "", 0 // it does not end: a rule, not a description
}
