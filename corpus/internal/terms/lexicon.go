package terms

import (
	"slices"
	"strings"
)

const (
	// lexiconLimit is how many words an Analyzer remembers: real transcripts use
	// some ten thousand again and again, and a word costs about 250 bytes.
	lexiconLimit = 1 << 15
	// rawLimit is the longest word that is remembered as it was written.
	rawLimit = 2 * MaxTerm
)

// A record is one key. There is one record a key, so that counting is a look
// at the record and not at a map.
type record struct {
	text     string
	document uint32 // the last text that held it, by lexicon.document
	count    uint32 // how often that text did
}

// A piece is a term within a word.
type piece struct {
	stem, exact *record // exact is nil where the form is its own stem
	start, end  uint32  // bytes of the word
	pos, leaves uint16  // place among the word's leaves, and how many it takes
	kind        Kind
	word        wordClass
}

// An entry is what is known of a word as it was written.
type entry struct {
	whole  piece
	parts  []piece // of a Compound
	leaves uint32  // places that it takes in the order of words
	uses   uint32  // since the last sweep
	match  uint32  // lexicon.matching when it was last compared with targets
	hits   int32   // then: first of Matcher.hits, or -1
}

// A lexicon remembers words and their terms. Neither a key nor a word that is
// known costs an allocation. The zero value is ready.
type lexicon struct {
	entries  map[string]*entry
	records  map[string]*record
	stems    stemmer
	document uint32 // number of the text at hand, from 1
	matching uint32 // which Matcher's targets entries were compared with
}

// begin starts another text. Words are forgotten between texts only: within
// one, counts hang on their records.
func (l *lexicon) begin() {
	if l.entries == nil {
		l.entries, l.records = map[string]*entry{}, map[string]*record{}
	}
	if len(l.entries) > lexiconLimit || len(l.records) > 3*lexiconLimit {
		l.sweep()
	}
	l.document++
	if l.document == 0 { // wrapped: records of the first texts would count on
		l.entries, l.records, l.document = map[string]*entry{}, map[string]*record{}, 1
	}
}

// sweep forgets what was seen once since the last sweep, and everything when
// that is not enough.
func (l *lexicon) sweep() {
	kept := make(map[string]*entry, lexiconLimit/2)
	for w, e := range l.entries {
		if e.uses > 1 && len(kept) < lexiconLimit/2 {
			e.uses = 0
			kept[w] = e
		}
	}
	l.entries, l.records = kept, make(map[string]*record, len(kept))
	for _, e := range kept {
		l.keep(&e.whole)
		for i := range e.parts {
			l.keep(&e.parts[i])
		}
	}
}

func (l *lexicon) keep(p *piece) {
	l.records[p.stem.text] = p.stem
	if p.exact != nil {
		l.records[p.exact.text] = p.exact
	}
}

// entry returns what is known of a word that the scanner found.
func (l *lexicon) entry(raw string, flags uint8) *entry {
	if e := l.entries[raw]; e != nil {
		e.uses++
		return e
	}
	e := &entry{uses: 1}
	l.describe(e, raw, flags)
	if len(raw) <= rawLimit {
		if key := e.whole.stem.text; key == raw {
			raw = key
		} else {
			raw = strings.Clone(raw)
		}
		l.entries[raw] = e
	}
	return e
}

// pair returns what is known of one or two characters of a script without
// spaces.
func (l *lexicon) pair(raw string, kind Kind) *entry {
	// The kinds of one character differ, so they are remembered apart.
	var key string
	switch kind {
	case Part:
		key = "="
	case Word:
		key = "=="
	}
	var buf [64]byte
	b := append(append(buf[:0], key...), raw...)
	if e := l.entries[string(b)]; e != nil {
		e.uses++
		return e
	}
	e := &entry{uses: 1}
	e.whole = piece{stem: l.record(fold(raw)), end: uint32(len(raw)), leaves: 1, kind: kind}
	e.leaves = 1
	if len(b) <= rawLimit {
		l.entries[string(b)] = e
	}
	return e
}

// record returns the record of a key, which it keeps.
func (l *lexicon) record(key string) *record {
	if r := l.records[key]; r != nil {
		return r
	}
	r := &record{text: key}
	l.records[key] = r
	return r
}

// describe fills in the terms of a word.
func (l *lexicon) describe(e *entry, raw string, flags uint8) {
	e.leaves = 1
	e.whole = l.piece(raw, 0, len(raw), flags&(blob|signed) == 0)
	if flags&(blob|signed) != 0 || len(raw) > rawLimit+joinLimit {
		return
	}
	sp := splitter{word: raw}
	leaves := sp.split()
	if len(sp.nodes) == 0 {
		return
	}
	e.leaves = uint32(leaves)
	e.whole.kind, e.whole.leaves = Compound, uint16(leaves)
	e.parts = make([]piece, 0, len(sp.nodes))
	for _, n := range sp.nodes {
		p := l.piece(raw, n.start, n.end, true)
		p.pos, p.leaves, p.kind = uint16(n.pos), uint16(n.leaves), Part
		e.parts = append(e.parts, p)
	}
	e.parts = slices.Clip(e.parts)
}

// piece describes raw[start:end] as a word of its own.
func (l *lexicon) piece(raw string, start, end int, stems bool) piece {
	form := fold(raw[start:end])
	p := piece{start: uint32(start), end: uint32(end), leaves: 1, word: classify(form)}
	if strings.ContainsAny(form, "0123456789") {
		p.kind = Number
	}
	stem := form
	if stems && p.word == plainWord {
		stem = l.stems.stem(form)
	}
	p.stem = l.record(stem)
	if stem != form {
		p.exact = l.record(string(ExactMark) + form)
	}
	return p
}
