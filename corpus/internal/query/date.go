package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// aWeek is how many days before and after one that is named are near it: what
// somebody remembers to be of a day was told of one close by.
const aWeek = 3

// dateWords finds the days and months that the words of a question name: "on 8
// March 2026", "October 9, 2025", "in June", "2026-03-08". A day is a word of the
// turns of that day, the week around it one of that week's, and its month one of
// that month's: who remembers a day may be wrong by a few. A month without a year
// is that of any year.
// used are the words that spell them.
func dateWords(clauses []Clause) (words []Word, used map[string]bool) {
	var parts []string
	for _, c := range clauses {
		if c.Kind == Plain && !c.Not {
			parts = append(parts, c.Text)
		}
	}
	tokens := dateTokens(strings.Join(parts, " "))
	used = map[string]bool{}
	seen := map[string]bool{}
	add := func(text string, days ...string) {
		if !seen[text] {
			seen[text] = true
			words = append(words, Word{Text: text, clause: -1, Minor: true, Days: days})
		}
	}
	for i := range tokens {
		d, ok := dateAt(tokens, i)
		if !ok {
			continue
		}
		for _, t := range tokens[d.begin:d.end] {
			used[t] = true
		}
		month := d.pattern(d.year, time.Month(d.month))
		add(month, month+"-")
		if d.day > 0 {
			near := d.around()
			add(near[aWeek], near[aWeek])
			add("around "+near[aWeek], near...)
		}
	}
	return words, used
}

// dateTokens divides a text where no letter or digit stands.
func dateTokens(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// spellsDate reports whether a word of a question only spells a date.
func spellsDate(text string, used map[string]bool) bool {
	for _, t := range dateTokens(text) {
		if !used[t] {
			return false
		}
	}
	return len(used) > 0
}

// A namedDate is a date that tokens[begin:end] name; year and day are 0 where none
// is named.
type namedDate struct{ year, month, day, begin, end int }

// pattern spells a month as the facet of days does, with signs that stand for any
// digit where the year is not known.
func (d *namedDate) pattern(year int, month time.Month) string {
	if d.year == 0 {
		return fmt.Sprintf("%s-%02d", anyYear, month)
	}
	return fmt.Sprintf("%04d-%02d", year, month)
}

// around are the days of the week around a day, which is in its middle.
func (d *namedDate) around() []string {
	const leap = 2024
	year, days := d.year, []string{}
	if year == 0 {
		year = leap
	}
	for n := -aWeek; n <= aWeek; n++ {
		at := time.Date(year, time.Month(d.month), d.day+n, 0, 0, 0, 0, time.UTC)
		days = append(days, fmt.Sprintf("%s-%02d", d.pattern(at.Year(), at.Month()), at.Day()))
	}
	return days
}

// anyYear stands for a year in a pattern of days.
const anyYear = "????"

// OnDay reports whether a day, as the facet of days spells it, is one that the word
// names: in whole, by its month, or in any year.
func (w *Word) OnDay(day string) bool {
	return slices.ContainsFunc(w.Days, func(d string) bool { return onDay(day, d) })
}

// onDay reports whether a day, as the facet spells it, begins with a pattern.
func onDay(day, pattern string) bool {
	if rest, ok := strings.CutPrefix(pattern, anyYear); ok {
		return len(day) > len(anyYear) && strings.HasPrefix(day[len(anyYear):], rest)
	}
	return strings.HasPrefix(day, pattern)
}

// dateAt reads the date whose month is tokens[i], or that begins there with a
// year in numbers.
func dateAt(tokens []string, i int) (d namedDate, ok bool) {
	at := func(j int) string {
		if j < 0 || j >= len(tokens) {
			return ""
		}
		return tokens[j]
	}
	d.begin, d.end = i, i+1
	if d.month = monthOf(at(i)); d.month == 0 {
		d.year, d.month, d.day, d.end = yearOf(at(i)), dayOfMonth(at(i+1)), dayOfMonth(at(i+2)), i+3
		return d, d.year > 0 && d.month > 0 && d.month <= 12 && d.day > 0 && len(at(i+1)) == 2 && len(at(i+2)) == 2
	}
	if d.day = dayOfMonth(at(d.end)); d.day > 0 {
		d.end++
	} else if d.day = dayOfMonth(at(i - 1)); d.day > 0 {
		d.begin--
	}
	if d.year = yearOf(at(d.end)); d.year > 0 {
		d.end++
	}
	return d, d.year > 0 || monthAlone(at(i), at(i-1), d.day > 0)
}

// monthAlone reports whether a word that can be a month's name is one where no year
// stands beside it: may, march and dec are something else as well, and so are names
// as April and June.
func monthAlone(name, before string, day bool) bool {
	switch strings.ToLower(name) {
	case "january", "february", "july", "september", "october", "november", "december":
		return true
	case "march", "april", "may", "june", "august":
		switch strings.ToLower(before) {
		case "in", "since", "until", "during", "last", "early", "late":
			return true
		}
	}
	return day && unicode.IsUpper(rune(name[0]))
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
