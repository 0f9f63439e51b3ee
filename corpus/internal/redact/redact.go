// Package redact replaces secrets in text before anything else sees it: it
// runs once, before hashing, indexing and storing.
//
// It does not know where a text came from. Whoever cuts texts redacts first:
// of a secret that was cut in two neither half is recognised for certain.
//
// Ordinary text costs one table look-up a byte at most (see filter.go); only where
// four bytes begin something that a secret begins with, or a name that secrets
// are assigned to, does a rule look closer. Rules know shapes (prefixes.go),
// what carries secrets (carriers.go), and names with values (assign.go). They
// miss a weak password rather than black out code: a UUID, a commit's hash or
// `token := next()` stays.
package redact

import "strings"

// Version names the rules. It is part of a corpus's parameters, so that a
// change of the rules reads transcripts again. History: 1, the first.
const Version = "redact/1"

// mark begins every replacement. No rule matches text that begins with it,
// nor text right before it, so that redacting twice is redacting once.
const mark = "[redacted:"

// A Redactor replaces secrets with "[redacted:kind]". The zero value applies
// all rules and is ready. One goroutine at a time.
type Redactor struct {
	counts map[string]int
	clean  [remembered]string // texts without secrets, by their length
}

// remembered is how many clean texts are not gone over again: a turn's texts
// stand in its summary and its messages too, and strings that are the same in
// memory are compared by that. It is a power of two. Longer texts are not worth
// the memory.
const (
	remembered      = 256
	rememberedBytes = 64 << 10
)

// maxPasses bounds how often a text is gone over. Two are the rule: the one
// that finds secrets, and one that finds no more. A secret that stood within
// the name of another takes a third.
const maxPasses = 8

// Text returns s with its secrets replaced; s itself, without a copy, when it
// holds none. Text(Text(s)) is Text(s). Bytes that are not UTF-8 pass through.
func (r *Redactor) Text(s string) string {
	if r.clean[len(s)%remembered] == s {
		return s
	}
	for range maxPasses {
		again, found := r.pass(s)
		if !found {
			break
		}
		s = again
	}
	if len(s) <= rememberedBytes {
		r.clean[len(s)%remembered] = s
	}
	return s
}

// pass replaces what it finds from left to right.
func (r *Redactor) pass(s string) (redacted string, found bool) {
	var out strings.Builder
	f := filter()
	done := 0 // what stands before is in out
	for i := f.next(s, 0); i >= 0; {
		m, ok := f.match(s, i, done)
		if !ok {
			i = f.next(s, i+1)
			continue
		}
		if !found {
			out.Grow(len(s))
		}
		out.WriteString(s[done:m.start])
		out.WriteString(mark)
		out.WriteString(m.kind)
		out.WriteByte(']')
		r.count(m.kind)
		found, done = true, m.end
		i = f.next(s, done)
	}
	if !found {
		return s, false
	}
	out.WriteString(s[done:])
	return out.String(), true
}

func (r *Redactor) count(kind string) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[kind]++
}

// Counts tells how many secrets were replaced so far, by kind. The map is the
// Redactor's own; nil when there were none.
func (r *Redactor) Counts() map[string]int { return r.counts }
