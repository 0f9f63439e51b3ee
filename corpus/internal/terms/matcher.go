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
	Pos        int  // place in the order of words, of which Reach says how far it tells
	Words      int  // places it takes, as Token.Words
	Start, End int  // bytes of the text
	Exact      bool // the very form that was asked for, not another form of the word
}

// Reach is how many places apart two matches may be for the difference of their
// Pos to be exact. Of two that are farther apart it only tells that they are: the
// words between them are not counted to the end, nor those before the first.
const Reach = 3

// A Matcher finds a query's terms in texts, without allocating. It must not be
// used by two goroutines at once, nor together with another that shares its
// Analyzer. It keeps nothing of a text.
type Matcher struct {
	a       *Analyzer
	targets []Target
	sieve   *sieve
	id      uint32   // lexicon.matching while entries' hits are of this matcher
	hits    []hit    // of all entries that have any, each ended by piece -1
	forms   []uint32 // see Misses; nil: not asked for yet

	end   int // of the text's last word that matched
	words int // places up to there, 0 before the first
	ahead int // places before the text at hand that are not counted yet, where it is a part of one

	pieces cutText
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
	return &Matcher{a: a, targets: targets, sieve: a.sieve(targets)}
}

// Release lets the next Matcher of the Analyzer have what m was made of, which
// is not to be used any more.
func (m *Matcher) Release() {
	if m.sieve != nil {
		m.a.sieves = append(m.a.sieves, m.sieve)
		m.sieve = nil
	}
}

// Scan calls yield for each match in text in order of Start, a Compound before
// its parts, until yield returns false. It reads only the words that the sieve
// lets through. A blank is no part of any word, so that from there on the scanner
// finds the same words as from the beginning.
func (m *Matcher) Scan(text string, yield func(Match) bool) {
	m.begin()
	m.end, m.words = 0, 0
	m.scan(text, yield)
}

// begin readies the matcher for another text.
func (m *Matcher) begin() {
	m.a.lex.begin()
	if m.id == 0 || m.id != m.a.lex.matching {
		m.a.lex.matching++
		m.id, m.hits = m.a.lex.matching, m.hits[:0]
	}
}

// scan is Scan for a text, or for what stands between blanks in one. It returns
// false when yield did.
func (m *Matcher) scan(text string, yield func(Match) bool) (more bool) {
	s := m.a.start(text)
	for i := m.sieve.next(text, 0); i < len(text); i = m.sieve.next(text, s.end) {
		from := i
		for from > s.end && text[from-1] > ' ' {
			from--
		}
		for s.end = from; s.end <= i; {
			if !s.next() {
				return true
			}
		}
		if s.start > i {
			s.end = s.start // at i there is no word, and this one the sieve has not seen
		} else if !m.read(s, yield) {
			return false
		}
	}
	return true
}

// read looks for the targets in the word that the scanner found.
func (m *Matcher) read(s *scanner, yield func(Match) bool) (more bool) {
	if s.flags&scriptRun != 0 {
		return m.readRun(s, yield)
	}
	known := m.a.lex.entry(s.text, s.start, s.end, s.flags)
	if !m.matches(known) {
		return true
	}
	e := *known // which is good until another word is looked up
	m.reach(s)
	more = m.report(&e, 0, s.start, yield)
	m.end, m.words = s.end, m.words+int(e.leaves)
	return more
}

// readRun looks for the targets in the run of a script without spaces that the
// scanner found.
func (m *Matcher) readRun(s *scanner, yield func(Match) bool) (more bool) {
	if !m.sieve.wide {
		return true
	}
	more = true
	reached, start := false, s.start
	n := m.a.pairs(s.text[s.start:s.end], func(e *entry, pos, at int) bool {
		if !m.matches(e) {
			return true
		}
		if !reached {
			m.reach(s)
			reached = true
		}
		more = m.report(e, pos, start+at, yield)
		return more
	})
	if reached {
		m.end, m.words = s.end, m.words+n
	}
	return more
}

// reach counts the places between the last word that matched and the one that
// the scanner found, as far as anybody asks.
func (m *Matcher) reach(s *scanner) {
	if m.words == 0 {
		return
	}
	start, end, flags := s.start, s.end, s.flags
	n := m.ahead
	m.words, m.ahead = m.words+n, 0
	s.end = m.end
	for n <= Reach && s.next() && s.start < start {
		p := m.places(s)
		m.words += p
		n += p
	}
	s.start, s.end, s.flags = start, end, flags
}

// places is how many places the word takes that the scanner found.
func (m *Matcher) places(s *scanner) (n int) {
	switch {
	case s.flags&^(lower|digit) == 0:
		return 1
	case s.flags&scriptRun == 0:
		return int(m.a.lex.entry(s.text, s.start, s.end, s.flags).leaves)
	}
	s.runes.characters(s.text[s.start:s.end], func(int, int) bool {
		n++
		return true
	})
	return n
}

// matches reports whether a piece of an entry is a target.
func (m *Matcher) matches(e *entry) bool {
	if e.match != m.id {
		e.match, e.hits = m.id, m.compare(e)
	}
	return e.hits >= 0
}

// report yields the matches of an entry that stands pos places behind the words
// read so far, at the byte start.
func (m *Matcher) report(e *entry, pos, start int, yield func(Match) bool) (more bool) {
	for _, h := range m.hits[e.hits:] {
		if h.piece < 0 {
			break
		}
		p := &e.whole
		if h.piece > 0 {
			p = &m.a.lex.parts(e)[h.piece-1]
		}
		if !yield(Match{
			Target: int(h.target), Pos: m.words + pos + int(p.pos), Words: int(p.leaves),
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
	parts := m.a.lex.parts(e)
	for i := range parts {
		m.comparePiece(&parts[i], int32(i+1))
	}
	if int32(len(m.hits)) == at {
		return -1
	}
	m.hits = append(m.hits, hit{piece: -1})
	return at
}

func (m *Matcher) comparePiece(p *piece, n int32) {
	stem := m.a.lex.vocabulary.text(p.stem)
	exact := stem
	if p.exact != 0 {
		exact = m.a.lex.vocabulary.text(p.exact)
	}
	for i := range m.targets {
		switch t := &m.targets[i]; {
		case t.Term == "":
		case t.Prefix:
			if form, _ := Form(exact); strings.HasPrefix(form, t.Term) {
				m.hits = append(m.hits, hit{piece: n, target: int32(i)})
			}
		case t.Term == stem || t.Term == exact:
			m.hits = append(m.hits, hit{piece: n, target: int32(i), exact: exact == t.Exact})
		}
	}
}
