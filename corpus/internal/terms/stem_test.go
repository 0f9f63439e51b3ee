package terms

import "testing"

// TestSteady tries each ending that a rule has, and others, behind all beginnings of
// two letters, and within each other.
func TestSteady(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz'"
	endings := []string{
		"", "s", "ied", "ies", "sses", "ss", "us", "ed", "eed", "ing", "edly", "eedly", "ingly", "bb", "at", "bl", "iz", "anci", "enci", "ogi",
		"li", "bli", "abli", "alli", "fulli", "lessli", "ousli", "entli", "aliti", "biliti", "iviti", "tional", "ational", "alism", "ation",
		"ization", "izer", "ator", "iveness", "fulness", "ousness", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "ic", "ance",
		"ence", "able", "ible", "ate", "ive", "ize", "iti", "al", "ism", "ion", "er", "ous", "ant", "ent", "ment", "ement", "e", "l", "'s", "'",
		"y", "ly", "if", "ai", "ist", "ogist", "past", "arsen", "commun", "gener",
	}
	exceptions := []string{"succeed", "proceed", "exceed", "canning", "inning", "earring", "herring", "outing", "andes", "atlas", "bias",
		"cosmos", "dying", "early", "gently", "howe", "idly", "lying", "news", "only", "singly", "skies", "skis", "sky", "tying", "ugly"}
	var s stemmer
	tried, steadily := 0, 0
	try := func(word string) {
		if len(word) < 3 {
			return
		}
		if tried++; steady(word) {
			steadily++
			if stem := s.porter(word); stem != word {
				t.Fatalf("the stem of %s is %s", word, stem)
			}
		}
	}
	for _, a := range letters {
		for _, b := range letters {
			for _, c := range letters {
				try(string([]rune{a, b, c}))
				try(string([]rune{'s', 'o', 'm', a, b, c}))
				try(string([]rune{'t', 'r', 'e', 'a', 't', a, b, c}))
			}
			for _, end := range endings {
				for _, more := range endings {
					try(string(a) + string(b) + end + more)
				}
			}
		}
	}
	for _, word := range exceptions {
		try(word)
		try("in" + word)
	}
	if 10*steadily < tried {
		t.Errorf("%d of %d words are steady", steadily, tried)
	}
}
