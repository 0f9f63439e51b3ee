package main

import "strings"

// excerpt cuts a snippet for a terminal: about room bytes where most of its
// matches are, between words. Programs get all of it.
func excerpt(snippet string, spans [][2]int, room int) (string, [][2]int) {
	if len(snippet) <= room {
		return snippet, spans
	}
	from := 0
	if len(spans) > 0 {
		lead := room / 4 // says what leads there
		from = max(0, min(densest(spans, room-lead)-lead, len(snippet)-room))
	}
	to := min(from+room, len(snippet))
	if i := strings.LastIndexAny(snippet[:from], " \n"); from > 0 {
		from = i + 1
	}
	if i := strings.IndexAny(snippet[to:], " \n"); i >= 0 {
		to += i
	} else {
		to = len(snippet)
	}
	var before, after string
	if from > 0 {
		before = "… "
	}
	if to < len(snippet) {
		after = " …"
	}
	var kept [][2]int
	for _, sp := range spans {
		if from <= sp[0] && sp[1] <= to {
			kept = append(kept, [2]int{sp[0] - from + len(before), sp[1] - from + len(before)})
		}
	}
	return before + snippet[from:to] + after, kept
}

// densest is where the first of the most spans begins that room holds.
func densest(spans [][2]int, room int) int {
	at, most := 0, 0
	for i := range spans {
		n := 0
		for n < len(spans)-i && spans[i+n][1] <= spans[i][0]+room {
			n++
		}
		if n > most {
			at, most = spans[i][0], n
		}
	}
	return at
}

// marked is a snippet on one line with the matched words in bold. Marks that
// the snippet carries around them are for programs, and go.
func marked(s *screen, snippet string, spans [][2]int) safe {
	var out safe
	at := 0
	for _, sp := range spans {
		from, to := sp[0], sp[1]
		if from < at || to > len(snippet) || from >= to {
			continue // not a span of this text
		}
		before, word, after := snippet[at:from], snippet[from:to], snippet[to:]
		at = to
		if strings.HasSuffix(before, "**") && strings.HasPrefix(after, "**") {
			before = strings.TrimSuffix(before, "**")
			at += 2
		}
		out += glue(before) + s.match(line(word))
	}
	return safe(strings.TrimSpace(string(out + glue(snippet[at:]))))
}

// glue is line for a piece of a text: white space at its ends joins it to its neighbours.
func glue(piece string) safe {
	l := line(piece)
	if l == "" {
		if piece != "" {
			return " "
		}
		return ""
	}
	if strings.TrimLeft(piece, " \t\r\n") != piece {
		l = " " + l
	}
	if strings.TrimRight(piece, " \t\r\n") != piece {
		l += " "
	}
	return l
}
