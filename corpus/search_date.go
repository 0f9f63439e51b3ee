package corpus

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// dateWords finds the days and months that the words of a query name: "on 8
// March 2026", "October 9, 2025", "in June 2026", "2026-03-08". A day is a word
// of the turns of that day, and its month one of that month's: who remembers a
// day may be wrong by a few.
// used are the words that spell them.
func dateWords(clauses []Clause) (words []word, used map[string]bool) {
	var parts []string
	for _, c := range clauses {
		if c.Kind == Word && !c.Not {
			parts = append(parts, c.Text)
		}
	}
	tokens := dateTokens(strings.Join(parts, " "))
	used = map[string]bool{}
	seen := map[string]bool{}
	add := func(text, prefix string) {
		if !seen[prefix] {
			seen[prefix] = true
			words = append(words, word{text: text, clause: -1, minor: true, days: []string{prefix}})
		}
	}
	for i := range tokens {
		year, month, day := dateAt(tokens, i)
		if year == 0 {
			continue
		}
		for _, t := range tokens[max(i-1, 0):min(i+3, len(tokens))] {
			used[t] = used[t] || monthOf(t) > 0 || yearOf(t) > 0 || dayOfMonth(t) > 0
		}
		add(fmt.Sprintf("%04d-%02d", year, month), fmt.Sprintf("%04d-%02d-", year, month))
		if day > 0 {
			full := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
			add(full, full)
		}
	}
	return words, used
}

// dateTokens divides a text where no letter or digit stands.
func dateTokens(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// spellsDate reports whether a word of a query only spells a date.
func spellsDate(text string, used map[string]bool) bool {
	for _, t := range dateTokens(text) {
		if !used[t] {
			return false
		}
	}
	return len(used) > 0
}

// dateAt reads the date whose month is tokens[i], or that begins there with a
// year in numbers; year is 0 when there is none, day where none is named.
func dateAt(tokens []string, i int) (year, month, day int) {
	at := func(j int) string {
		if j < 0 || j >= len(tokens) {
			return ""
		}
		return tokens[j]
	}
	if month = monthOf(at(i)); month == 0 {
		y, m, d := yearOf(at(i)), dayOfMonth(at(i+1)), dayOfMonth(at(i+2))
		if y == 0 || m == 0 || m > 12 || d == 0 || len(at(i+1)) != 2 || len(at(i+2)) != 2 {
			return 0, 0, 0
		}
		return y, m, d
	}
	next := i + 1
	if day = dayOfMonth(at(next)); day > 0 {
		next++
	} else {
		day = dayOfMonth(at(i - 1))
	}
	return yearOf(at(next)), month, day
}

// monthOf is the number of an English month's name, in full or its first three
// letters; 0 for other words.
func monthOf(s string) int {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(s, m.String()) || strings.EqualFold(s, m.String()[:3]) {
			return int(m)
		}
	}
	return 0
}

func yearOf(s string) int {
	if len(s) != 4 || !beginsNumber(s) {
		return 0
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 1970 && n < 2200 {
		return n
	}
	return 0
}

// beginsNumber tells most words from numbers without an error that nobody reads.
func beginsNumber(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// dayOfMonth reads 8, 08 or 8th; 0 for what is no day.
func dayOfMonth(s string) int {
	if !beginsNumber(s) {
		return 0
	}
	s = strings.ToLower(s)
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if rest, ok := strings.CutSuffix(s, end); ok {
			s = rest
			break
		}
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= 31 && len(s) <= 2 {
		return n
	}
	return 0
}
