package query

import (
	"strings"
	"testing"
)

// TestDatesOfWords: what words of a query name days and months, and which of them
// spell it.
func TestDatesOfWords(t *testing.T) {
	for text, want := range map[string]string{
		"the fix on 8 March 2026":         "2026-03 2026-03-08 around 2026-03-08 | 8 March 2026",
		"October 9th, 2025":               "2025-10 2025-10-09 around 2025-10-09 | October 9th 2025",
		"what broke in June 2026?":        "2026-06 | June 2026",
		"deploy of 2026-03-08":            "2026-03 2026-03-08 around 2026-03-08 | 2026 03 08",
		"which release was it in october": "????-10 | october",
		"met on Aug 15th":                 "????-08 ????-08-15 around ????-08-15 | Aug 15th",
		"between August 1 and 15 August 2023": "????-08 ????-08-01 around ????-08-01 2023-08 2023-08-15 around 2023-08-15 | " +
			"August 1 15 2023",
		"what was said in may":             "????-05 | may",
		"May I ask for it, or may 3 of us": "|",
		"march on, April said in 10 dec":   "|",
		"step 3 may fail":                  "|",
	} {
		words, used := dateWords(wordsOf(text))
		var got []string
		for _, w := range words {
			got = append(got, w.Text)
		}
		got = append(got, "|")
		for _, token := range dateTokens(text) {
			if used[token] {
				got = append(got, token)
				delete(used, token)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

// wordsOf are clauses of plain words.
func wordsOf(text string) (list []Clause) {
	for _, word := range strings.Fields(text) {
		list = append(list, Clause{Text: word})
	}
	return list
}
