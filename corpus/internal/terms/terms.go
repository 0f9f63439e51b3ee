// Package terms turns text into the terms under which it is found. The same
// code reads what is indexed and what is asked.
//
// # Keys
//
// Everything shares one dictionary of keys:
//
//   - A word stands under its stem: "running" and "run" under "run", so one
//     posting list answers for all forms. Letters are folded first (case,
//     diacritics, width), and a final i that the stemmer made of a y is a y
//     again, so that most stems are words.
//   - A form that differs from its stem stands under ExactMark and the form as
//     well ("=running"). A form that is its own stem has no second key: that
//     would double the postings to tell nothing that the text does not tell.
//   - Function words ("the", "does") are marked, kept and never stemmed.
//   - An identifier or a hyphenated word stands under its whole, folded, without
//     the underscores and the hyphens beside letters, so that dry-run, dry_run,
//     dryRun and dryrun are one; dots stay (config.ts, 1.2.3). Its parts stand
//     under keys of their own, and so does what is between: http_server.go is
//     found as httpserver.go, httpserver, http, server and go. Paths are their
//     components, since a slash divides words. A name with a number behind it has
//     its letters as a part, and a number with dots: python3.12, v1.2.3. That, and one
//     by itself, has the versions that it is one of: 1.26.8 stands under 1.26 too.
//   - Don't and its like stand without the apostrophe, as many write them.
//   - Scripts without spaces stand under their neighbouring pairs of characters,
//     Han also under single ones.
//   - No key is longer than MaxTerm bytes: the rest of a longer word is hashed.
//
// A walk over forms (prefixes, misspellings) starts at the bare text and at the
// marked one: every form begins a key in one of the two. Some bare keys are
// stems that are no word ("univers"); all their forms begin alike, but where a
// word is shown to people the marked key is the better one.
//
// A document's length counts the words of its text, not their variants.
//
// The package knows neither documents nor scores: what a term is worth, and
// whether a stop word may be dropped, is its callers' business.
package terms

// For who reads the code, the files by what they are about:
//
//	terms                             tokens and keys, as callers get them
//	scanner runes cut edges           where words stand in a text, one by one or many at a time
//	compound fold stem stop           the parts of a word, and their keys
//	lexicon word_table texts          words that were met before, with their keys
//	count                             the terms of a text that is indexed
//	matcher sieve                     where the terms of a question stand in a text
//	pieces pieces_scan pieces_alone   likewise, in a text that is stored as pieces

// Version names this analysis. It is part of what an index remembers: another
// version means that stored text is analysed again.
const Version = "terms/3"

// MaxTerm is the most bytes a key may have. Longer words are blobs that nobody
// types; their beginning and a hash tell them apart.
const MaxTerm = 64

// ExactMark is the first byte of the key of a form that differs from its stem.
// No other key holds it.
const ExactMark = '='

// CutMark stands in the key of a word of which only the beginning and a hash are
// kept, and in names such as c#. ASCII letters and digits that stand side by side in
// a text stand so in one of its keys as well, in lower case, or one of its keys has a
// CutMark.
const CutMark = '#'

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Word     Kind = iota // letters; Term is the stem
	Number               // has digits: 42, 1.2.3, v2
	Compound             // an identifier or hyphenated word, whole; its parts follow
	Part                 // a piece of the Compound before it, or one Han character of a Bigram
	Bigram               // two neighbouring characters of a script without spaces
)

// A Token is one term at one place of a text.
type Token struct {
	Term       string // key in the dictionary; all forms of a word share it
	Exact      string // key of this very form; the same as Term where the form is its own stem
	Kind       Kind
	Pos        int  // place in the order of words, from 0; a Compound has the place of its first part
	Words      int  // places it takes: 1, or those of a Compound's parts
	Start, End int  // bytes of the text: text[Start:End]
	Stop       bool // a word too common to mean much; question words too
	Question   bool // who, what, when, how ...
}

// An Analyzer turns text into terms. The zero value is ready. It keeps buffers
// and a bounded memory of words, so it must not be used by two goroutines at
// once.
type Analyzer struct {
	lex    lexicon
	scan   scanner
	cut    cutter
	text   uint32     // number of the text that is counted, from 1
	counts []occurred // by term's number
	seen   []uint32   // numbers of the terms of that text
	found  []uint32   // terms of words that were cut together, to be counted
	spent  []uint32   // that were counted
	marks  []Mark     // of the texts
	tokens []Token
	sieves []*sieve // that were released
}

func (a *Analyzer) start(text string) *scanner {
	a.scan.text, a.scan.start, a.scan.end = text, 0, 0
	return &a.scan
}

// Tokens returns the tokens of text in order of Start, a Compound before its
// parts. The slice is valid until the next call; the strings may be kept.
func (a *Analyzer) Tokens(text string) []Token {
	a.lex.begin()
	a.tokens = a.tokens[:0]
	pos := 0
	s := a.start(text)
	for s.next() {
		if s.flags&scriptRun != 0 {
			base, begin := pos, s.start
			pos += a.pairs(text[s.start:s.end], func(e *entry, at, start int) bool {
				a.token(&e.whole, base+at, begin+start, 1)
				return true
			})
			continue
		}
		e := a.lex.entry(text, s.start, s.end, s.flags)
		a.token(&e.whole, pos, s.start, int(e.leaves))
		parts := a.lex.parts(e)
		for i := range parts {
			a.token(&parts[i], pos, s.start, int(parts[i].leaves))
		}
		pos += int(e.leaves)
	}
	return a.tokens
}

func (a *Analyzer) token(p *piece, pos, start, words int) {
	stem := a.lex.vocabulary.text(p.stem)
	t := Token{
		Term: stem, Exact: stem, Kind: p.kind,
		Pos: pos + int(p.pos), Words: words, Start: start + int(p.start), End: start + int(p.end),
		Stop: p.word != plainWord, Question: p.word == questionWord,
	}
	if p.exact != 0 {
		t.Exact = a.lex.vocabulary.text(p.exact)
	}
	a.tokens = append(a.tokens, t)
}

// Form returns the word that a key stands for, to be shown or compared, and
// whether the key is of one form only.
func Form(key string) (form string, exact bool) {
	if key != "" && key[0] == ExactMark {
		return key[1:], true
	}
	return key, false
}

// Prefix returns the keys from which to walk the dictionary for words that
// begin with text: what is looked for begins with one of them. It is empty where
// text holds no word; of several words the last one counts.
func (a *Analyzer) Prefix(text string) []string {
	form := ""
	s := a.start(text)
	for s.next() {
		form = s.text[s.start:s.end]
		if s.flags&scriptRun != 0 {
			form = lastPair(form)
		}
	}
	if form == "" {
		return nil
	}
	folded := fold(form)
	return []string{folded, string(ExactMark) + folded}
}
