package terms

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// A stemmer finds the stem of English words (Porter 2). The zero value is
// ready.
type stemmer struct {
	env *snowballstem.Env
}

// stem returns the stem of a folded word; words that hold anything but ASCII
// letters and apostrophes are their own stem.
func (s *stemmer) stem(word string) string {
	if len(word) < 3 || !plain(word) {
		return word
	}
	if steady(word) {
		return withY(word)
	}
	if stem := s.porter(word); stem != "" {
		return withY(stem)
	}
	return word
}

// porter is the stem by Porter's rules alone.
func (s *stemmer) porter(word string) string {
	if s.env == nil {
		s.env = snowballstem.NewEnv("")
	}
	s.env.SetCurrent(word)
	english.Stem(s.env)
	return s.env.Current()
}

// steady reports of half of all words, by how they end, that no rule of Porter 2
// changes them: finding that out by trying the rules takes a microsecond.
func steady(word string) bool {
	n := len(word)
	last, before := word[n-1], word[n-2]
	if word[0] == '\'' {
		last = '\''
	}
	switch last {
	case 'd': // as of -ed: each case is the last letter of endings that there are rules for
		return before != 'e'
	case 'c':
		return before != 'i'
	case 't':
		return before != 'n'
	case 'r':
		return before != 'e' && before != 'o'
	case 'l':
		return before != 'a' && before != 'u' && before != 'l'
	case 'g', 'n', 'm':
		switch word[n-3:] {
		case "ing", "ion", "ism":
			return false
		}
	case 's':
		return before == 's' && word[n-3] != 'e'
	case 'y', 'i', 'e', '\'':
		return false
	}
	return true
}

// withY undoes what the stemmer does to a final y (librari, compani), since no
// stem but a foreign word ends in a consonant and i: with the y most stems of
// such words are words. It joins simplif, from simplification, with simplify,
// which Porter's rules leave apart. Stems of three letters are names (api, cli,
// uri) but for a few.
func withY(stem string) string {
	n := len(stem)
	switch {
	case n >= 5 && stem[n-2:] == "if":
		return stem + "y"
	case n < 3 || stem[n-1] != 'i':
		return stem
	case n == 3:
		switch stem {
		case "cri", "dri", "fli", "fri", "tri":
			return stem[:2] + "y"
		}
		return stem
	}
	switch stem[n-2] {
	case 'a', 'e', 'i', 'o', 'u':
		return stem
	}
	return stem[:n-1] + "y"
}

func plain(word string) bool {
	for i := 0; i < len(word); i++ {
		if classes[word[i]] != lower && word[i] != '\'' {
			return false
		}
	}
	return true
}
