package sources

import (
	"strings"
)

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
func notesEntries(text string) (list []notesEntry) {
	type level struct {
		depth int
		name  string
	}
	var above []level
	twins := map[string]int{}
	cur := notesEntry{}
	head, skip := notesFront(text)
	cur.path = head
	var body strings.Builder
	flush := func(end int) {
		cur.body, cur.length = strings.TrimSpace(body.String()), end-cur.offset
		body.Reset()
		if cur.length > 0 && (cur.body != "" || cur.offset == 0) {
			if cur.body == "" {
				cur.path = ""
			}
			twins[cur.path]++
			cur.twin = twins[cur.path]
			list = append(list, cur)
		}
	}
	fence := ""
	offset, n := 0, 0
	for line := range strings.Lines(text) {
		depth, name := notesHeading(line)
		switch {
		case offset < skip:
		case fence == "" && depth > 0:
			flush(offset)
			for len(above) > 0 && above[len(above)-1].depth >= depth {
				above = above[:len(above)-1]
			}
			above = append(above, level{depth, name})
			names := make([]string, len(above))
			for i, l := range above {
				names[i] = l.name
			}
			cur = notesEntry{path: strings.Join(names, " > "), offset: offset, line: n}
		default:
			fence = notesFence(fence, line)
			body.WriteString(line)
		}
		offset += len(line)
		n++
	}
	flush(len(text))
	return list
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
