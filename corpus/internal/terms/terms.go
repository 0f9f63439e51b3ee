// Package terms turns text into the terms under which it is found. The same
// code reads what is indexed and what is asked.
//
// It knows neither documents nor scores: what a term is worth, and whether a
// stop word may be dropped, is its callers' business.
package terms

// Version names this analysis. It is part of what an index remembers: another
// version means that stored text is analysed again.
const Version = "terms/1"

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Word     Kind = iota // letters; Term is the stem
	Number               // digits, with letters or dots: 42, 1.2.3, v2
	Compound             // an identifier or hyphenated word, whole; its parts follow
	Part                 // a piece of the Compound before it, or a lone character of a CJK run
	Bigram               // two neighbouring characters of a script without spaces
)

// A Token is one term at one place of a text.
type Token struct {
	Term       string // key in the dictionary; all forms of a word share it
	Exact      string // key of this very form; the same as Term where the form is its own stem
	Kind       Kind
	Pos        int  // place in the order of words, from 0; a Compound has the place of its first part
	Start, End int  // bytes of the text: text[Start:End]
	Stop       bool // a word too common to mean much; question words too
	Question   bool // who, what, when, how ...
}

// ExactMark is the first byte of the key of a form that differs from its stem.
// No other key holds it.
const ExactMark = '='

// An Analyzer turns text into terms. The zero value is ready. It keeps buffers
// and a bounded memory of words, so it must not be used by two goroutines at
// once.
type Analyzer struct{}

// Count calls each once for every different term of text with the number of
// times it stands there, in the order of first appearance, and returns the
// number of words in text: variants, exact forms and parts of compounds are
// not counted. The strings that each gets may be kept.
func (a *Analyzer) Count(text string, each func(term string, count uint32)) (length uint32) {
	return 0
}

// Tokens returns the tokens of text in order of Start, a Compound before its
// parts. The slice is valid until the next call; the strings may be kept.
func (a *Analyzer) Tokens(text string) []Token { return nil }

// Form returns the word that a key stands for, to be shown or compared, and
// whether the key is of one form only.
func Form(key string) (form string, exact bool) {
	if key != "" && key[0] == ExactMark {
		return key[1:], true
	}
	return key, false
}

// Prefix returns the keys from which to walk the dictionary for words that
// begin with text: every key that begins with one of them. It is empty where
// text holds no word; of several words the last one counts.
func (a *Analyzer) Prefix(text string) []string { return nil }
