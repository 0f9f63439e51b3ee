package terms

import (
	"strings"
)

const (
	// lexiconLimit is how many words an Analyzer remembers: transcripts of a year
	// use some ten thousand again and again, and a word costs about 250 bytes. With
	// half as many, 100,000 turns of 60,000 different words took a fifth longer.
	lexiconLimit = 1 << 16
	// rawLimit is the longest word that is remembered as it was written: longer
	// are only those that are hashed.
	rawLimit = joinLimit + MaxTerm
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
	raw    string
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
	recent   [recentWords]recentWord // where to look before entries
	records  map[string]*record
	stems    stemmer
	key      []byte // for look-ups
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
		clear(l.recent[:])
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
	clear(l.recent[:])
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

// recentWords is how many words are found without a map: the few thousand that
// make up most of any text, in 256 KB of the processor's cache.
const (
	recentWords = 1 << recentBits
	recentBits  = 14
)

// slot is where a word with these bytes may be: the upper bits of a product
// with 2^64 divided by the golden ratio.
func slot(bytes uint64) uint64 { return bytes * 0x9E3779B97F4A7C15 >> (64 - recentBits) }

// A recentWord is the entry of a word, and the word's bytes where eight hold it.
type recentWord struct {
	bytes uint64
	entry *entry
}

// entry returns what is known of the word text[start:end] that the scanner found.
func (l *lexicon) entry(text string, start, end int, flags uint8) *entry {
	raw := text[start:end]
	if start+8 > len(text) {
		return l.find(raw, flags)
	}
	b := load(text[start:])
	h := b
	if n := end - start; n <= 8 {
		b &= ^uint64(0) >> (64 - 8*n)
		h = b
	} else {
		h ^= load(text[end-8:])*3 + uint64(n)
	}
	r := &l.recent[slot(h)]
	if r.bytes == b && r.entry != nil && (end-start <= 8 && len(r.entry.raw) <= 8 || r.entry.raw == raw) {
		r.entry.uses++
		return r.entry
	}
	e := l.find(raw, flags)
	if e.raw != "" {
		*r = recentWord{b, e}
	}
	return e
}

// load reads eight bytes.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// find is entry by the map.
func (l *lexicon) find(raw string, flags uint8) *entry {
	if e := l.entries[raw]; e != nil {
		e.uses++
		return e
	}
	e := &entry{uses: 1}
	l.describe(e, raw, flags)
	if len(raw) <= rawLimit {
		if e.raw = e.whole.stem.text; e.raw != raw {
			e.raw = strings.Clone(raw)
		}
		l.entries[e.raw] = e
	}
	return e
}

// pair returns what is known of one or two characters of a script without
// spaces. The same character is different tokens alone and within a run, so
// kinds are remembered apart.
func (l *lexicon) pair(raw string, kind Kind) *entry {
	const short = 6 // two characters without marks
	if len(raw) > short {
		return l.findPair(raw, kind)
	}
	b := uint64(0xFF-kind) << 56 // a byte that no word holds
	for i := 0; i < len(raw); i++ {
		b |= uint64(raw[i]) << (8 * i)
	}
	r := &l.recent[slot(b)]
	if r.bytes != b || r.entry == nil {
		*r = recentWord{b, l.findPair(raw, kind)}
	}
	r.entry.uses++
	return r.entry
}

// findPair is pair by the map.
func (l *lexicon) findPair(raw string, kind Kind) *entry {
	b := append(append(l.key[:0], 0xFF-byte(kind)), raw...)
	l.key = b
	if e := l.entries[string(b)]; e != nil {
		e.uses++
		return e
	}
	e := &entry{uses: 1, leaves: 1}
	e.whole = piece{stem: l.record(fold(raw)), end: uint32(len(raw)), leaves: 1, kind: kind}
	if len(raw) <= rawLimit {
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
	if flags&(blob|signed) != 0 || flags&^lower == 0 || len(raw) > rawLimit+joinLimit {
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
}

// piece describes raw[start:end] as a word of its own.
func (l *lexicon) piece(raw string, start, end int, stems bool) piece {
	form := fold(raw[start:end])
	p := piece{start: uint32(start), end: uint32(end), leaves: 1}
	if known := l.entries[form]; stems && known != nil && known.whole.kind == Word {
		p.stem, p.exact, p.word = known.whole.stem, known.whole.exact, known.whole.word
		return p
	}
	p.word = classify(form)
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
