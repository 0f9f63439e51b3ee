package terms

import (
	"strings"
)

// A Target is a term to look for. The zero value stands nowhere.
type Target struct {
	Term   string // a key: Token.Term, or Token.Exact for that form alone; with Prefix, the first key of Analyzer.Prefix
	Exact  string // Token.Exact; "" when no form is better than another
	Prefix bool
}

// A Match is one place of a text where a target stands.
type Match struct {
	Target     int  // index into the targets given to NewMatcher
	Pos        int  // place in the order of words, as Token.Pos
	Words      int  // places it takes, as Token.Words
	Start, End int  // bytes of the text
	Exact      bool // the very form that was asked for, not another form of the word
}

// A Matcher finds a query's terms in texts, without allocating. It must not be
// used by two goroutines at once, nor together with another that shares its
// Analyzer.
type Matcher struct {
	a       *Analyzer
	targets []Target
	id      uint32    // lexicon.matching while entries' hits are of this matcher
	hits    []hit     // of all entries that have any, each ended by piece -1
	first   [256]bool // ASCII bytes with which a word that matches can begin
}

// A hit says that a piece of an entry is a target.
type hit struct {
	piece  int32 // -1 ends the list, 0 is the whole, others are parts + 1
	target int32
	exact  bool
}

// NewMatcher returns a Matcher of targets that reads words with a. A term that
// is several targets is reported for each of them.
func NewMatcher(a *Analyzer, targets []Target) *Matcher {
	m := &Matcher{a: a, targets: targets}
	for _, t := range targets {
		form, _ := Form(t.Term)
		if form == "" {
			continue
		}
		c := form[0]
		if classes[c]&lower != 0 {
			m.first[c], m.first[c-'a'+'A'] = true, true
		} else if classes[c]&digit != 0 {
			m.first[c] = true
		}
	}
	return m
}

// Scan calls yield for each match in text in order of Start, a Compound before
// its parts, until yield returns false, and returns the number of places read.
func (m *Matcher) Scan(text string, yield func(Match) bool) (words int) {
	a := m.a
	a.lex.begin()
	if m.id == 0 || m.id != a.lex.matching {
		a.lex.matching++
		m.id, m.hits = a.lex.matching, m.hits[:0]
	}
	s := a.start(text)
	for s.next() {
		if s.flags&(joined|wide|scriptRun|blob|digit) == 0 && m.passes(text[s.start:s.end], s.flags) {
			words++
			continue
		}
		if s.flags&scriptRun != 0 {
			base, begin, more := words, s.start, true
			words += a.pairs(text[s.start:s.end], func(e *entry, pos, start int) bool {
				more = m.report(e, base+pos, begin+start, yield)
				return more
			})
			if !more {
				return words
			}
			continue
		}
		e := a.lex.entry(text, s.start, s.end, s.flags)
		if !m.report(e, words, s.start, yield) {
			return words + int(e.leaves)
		}
		words += int(e.leaves)
	}
	return words
}

// passes reports whether a word of ASCII letters cannot match: it has no parts,
// since no capital follows its first letter, and a stem begins as its word.
func (m *Matcher) passes(word string, flags uint8) bool {
	if m.first[word[0]] {
		return false
	}
	if flags&upper == 0 || len(word) == 1 {
		return true
	}
	for i := 1; i < len(word); i++ {
		if classes[word[i]] == upper {
			return false
		}
	}
	return true
}

func (m *Matcher) report(e *entry, pos, start int, yield func(Match) bool) bool {
	if e.match != m.id {
		e.match, e.hits = m.id, m.compare(e)
	}
	if e.hits < 0 {
		return true
	}
	for _, h := range m.hits[e.hits:] {
		if h.piece < 0 {
			break
		}
		p := &e.whole
		if h.piece > 0 {
			p = &e.parts[h.piece-1]
		}
		if !yield(Match{
			Target: int(h.target), Pos: pos + int(p.pos), Words: int(p.leaves),
			Start: start + int(p.start), End: start + int(p.end), Exact: h.exact,
		}) {
			return false
		}
	}
	return true
}

// compare finds the targets among the pieces of e; -1 when there are none.
func (m *Matcher) compare(e *entry) int32 {
	at := int32(len(m.hits))
	m.comparePiece(&e.whole, 0)
	for i := range e.parts {
		m.comparePiece(&e.parts[i], int32(i+1))
	}
	if int32(len(m.hits)) == at {
		return -1
	}
	m.hits = append(m.hits, hit{piece: -1})
	return at
}

func (m *Matcher) comparePiece(p *piece, n int32) {
	exact := p.stem.text
	if p.exact != nil {
		exact = p.exact.text
	}
	for i, t := range m.targets {
		form, _ := Form(exact)
		switch {
		case t.Term == "":
		case t.Prefix && strings.HasPrefix(form, t.Term):
			m.hits = append(m.hits, hit{piece: n, target: int32(i)})
		case !t.Prefix && (t.Term == p.stem.text || t.Term == exact):
			m.hits = append(m.hits, hit{piece: n, target: int32(i), exact: exact == t.Exact})
		}
	}
}
