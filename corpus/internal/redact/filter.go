package redact

import (
	"slices"
	"strings"
	"sync"
)

// A match is a secret: s[start:end], of a kind.
type match struct {
	start, end int
	kind       string
}

// A rule looks at one place of a text.
type rule interface {
	// triggers are strings of at least four bytes, one of which stands wherever
	// the rule may match; upper and lower case are the same to the filter.
	triggers() []string
	// find tells whether there is a secret about the trigger at s[at:]. What
	// stands before from is dealt with and must not be part of the match.
	find(s string, at, from int) (match, bool)
}

// A table finds places that are worth a rule's look: it knows the hash of the
// first four bytes of every trigger, letters in lower case.
type table struct {
	buckets  [1 << tableBits]uint8 // 0, or 1 + index into rules
	families families
	rules    [][]rule
}

const (
	// tableBits makes a table of 16 KB, which fits the smallest L1 cache; about
	// 250 triggers then let 1.5 % of other places through.
	tableBits = 14
	lower     = 0x20202020 // sets the bit that tells small letters from capitals
	spread    = 0x9E3779B1 // 2^32 divided by the golden ratio, an odd number
)

// filter returns the table of all rules, built at first use and never changed.
var filter = sync.OnceValue(func() *table {
	t := &table{}
	var rules []rule
	for _, p := range known() {
		rules = append(rules, p)
	}
	rules = append(rules, jwt{}, pem{}, urlPassword{}, authHeader{}, slackHook{}, assignment{})
	var all []string
	for _, r := range rules {
		for _, trigger := range r.triggers() {
			t.add(trigger, r)
			all = append(all, trigger)
		}
	}
	t.families = familiesOf(all)
	return t
})

func (t *table) add(trigger string, r rule) {
	b := &t.buckets[bucket(four(trigger, 0))]
	if *b == 0 {
		t.rules = append(t.rules, nil)
		*b = uint8(len(t.rules)) // as many as different triggers: TestTableFits
	}
	list := &t.rules[*b-1]
	if !slices.Contains(*list, r) {
		*list = append(*list, r)
	}
}

func four(s string, i int) uint32 {
	_ = s[i+3]
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func bucket(v uint32) uint32 { return (v | lower) * spread >> (32 - tableBits) }

// nextWords is next, five places in one load.
func (t *table) nextWords(s string, i int) int {
	for ; i+8 <= len(s); i += 5 {
		v := eight(s, i) | lower | lower<<32
		const m, sh = spread, 32 - tableBits
		if t.buckets[uint32(v)*m>>sh]|
			t.buckets[uint32(v>>8)*m>>sh]|
			t.buckets[uint32(v>>16)*m>>sh]|
			t.buckets[uint32(v>>24)*m>>sh]|
			t.buckets[uint32(v>>32)*m>>sh] == 0 {
			continue
		}
		for j := i; j < i+5; j++ {
			if t.buckets[bucket(four(s, j))] != 0 && t.families.has(s, j) {
				return j
			}
		}
	}
	for ; i+4 <= len(s); i++ {
		if t.buckets[bucket(four(s, i))] != 0 && t.families.has(s, i) {
			return i
		}
	}
	return -1
}

func eight(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// match asks the rules for the trigger at s[at:].
func (t *table) match(s string, at, from int) (match, bool) {
	for _, r := range t.rules[t.buckets[bucket(four(s, at))]-1] {
		m, ok := r.find(s, at, from)
		if ok && m.start >= from && m.start < m.end && !strings.HasPrefix(s[m.end:], mark) {
			return m, true
		}
	}
	return match{}, false
}

// hasFold is strings.HasPrefix(s[at:], word) whatever the case of s; word is
// in lower case ASCII.
func hasFold(s string, at int, word string) bool {
	return len(s)-at >= len(word) && strings.EqualFold(s[at:at+len(word)], word)
}

// wordAfter spells triggers of four bytes out of one of three: any letter,
// digit, _ or - may follow.
func wordAfter(three string) []string {
	var list []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789_-" {
		list = append(list, three+string(c))
	}
	return list
}
