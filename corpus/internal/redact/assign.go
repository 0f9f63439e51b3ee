package redact

import "strings"

// assignment finds NAME=value, "name": "value", name := 'value' and
// --name value, where the name says that the value is secret.
type assignment struct{}

// maxName and maxValue bound what is looked at, in bytes. Longer values under
// such names are documents, not secrets.
const (
	maxName  = 64
	maxValue = 1024
)

func (assignment) triggers() []string {
	return []string{
		"secret", "token", "passw", "passphrase", "credential",
		"pwd=", "pwd:", `pwd"`, "pwd'", "pwd ", "_key", "-key", "ikey", "skey", "tkey", "gkey", "nkey", "ekey", "hkey", "rkey", "_auth",
	}
}

func (assignment) find(s string, at, from int) (match, bool) {
	start, end := at, at
	for start > from && at-start < maxName && dotted.has(s[start-1]) {
		start--
	}
	for end < len(s) && end-at < maxName && urlSafe.has(s[end]) {
		end++
	}
	v, ok := valueAfter(s, end, strings.HasPrefix(s[start:end], "--"))
	if !ok || v.start < from {
		return match{}, false
	}
	kind := nameKind(s[start:end])
	if kind == "" || strings.HasSuffix(s[:start], mark) { // our own word for it
		return match{}, false
	}
	value := s[v.start:v.end]
	if named := issuer(value, ""); named != "" {
		return match{v.start, v.end, named}, true
	}
	if !secretValue(kind, value, v.quoted) || !v.quoted && callFollows(s, v.end) {
		return match{}, false
	}
	return match{v.start, v.end, kind}, true
}

// nameKind returns the kind of what is assigned to name, "" when it is no secret.
func nameKind(name string) string {
	var buf [2 * maxName]byte // both sides of the trigger
	b := buf[:0]
	for i := range len(name) {
		if alnum.has(name[i]) {
			b = append(b, name[i]|lower&0xff)
		}
	}
	name = string(b)
	for _, end := range []string{
		"file", "path", "url", "uri", "endpoint", "name", "dir", "type", "id", "count", "length", "limit", "size",
		"ttl", "policy", "regex", "pattern", "field", "label", "prompt", "hash", "version", "ref", "arn", "env", "var",
	} {
		if strings.HasSuffix(name, end) { // about the secret, not the secret
			return ""
		}
	}
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("password", "passwd", "passphrase") || strings.HasSuffix(name, "pwd"):
		return "password"
	case has("awssecret", "secretaccesskey"):
		return "aws-secret"
	case has("secret", "credential", "apikey", "accesskey", "accountkey", "privatekey", "signingkey", "encryptionkey",
		"authkey", "masterkey", "clientkey", "sharedkey", "servicekey", "appkey", "deploykey"), strings.HasSuffix(name, "auth"):
		return "secret"
	case has("token") && !has("tokens", "tokeniz"):
		return "token"
	}
	return ""
}

// A value is where one stands, without its quotes.
type value struct {
	start, end int
	quoted     bool
}

// valueAfter finds the value that is assigned to the name that ends at pos.
func valueAfter(s string, pos int, flag bool) (value, bool) {
	pos = skip(s, pos, "\\\"'`]")
	gap := skip(s, pos, " \t")
	op := skip(s, gap, ":=")
	switch {
	case op > gap && op-gap <= 3:
		if op < len(s) && s[op] == '>' { // =>
			op++
		}
	case !flag || gap == pos:
		return value{}, false
	}
	start := skip(s, op, " \t")
	open := skip(s, start, "\\")
	if open < len(s) && strings.IndexByte("\"'`", s[open]) >= 0 {
		return quoted(s, open)
	}
	end := valueSet.run(s[:min(len(s), start+maxValue)], start)
	return value{start, end, false}, end > start
}

// quoted finds the end of the string that the quote at s[open] begins. Within
// a string in a string the closing quote is escaped as the opening one.
func quoted(s string, open int) (value, bool) {
	n := strings.IndexByte(s[open+1:min(len(s), open+1+maxValue)], s[open])
	if n <= 0 {
		return value{}, false
	}
	v := value{open + 1, open + 1 + n, true}
	for v.end > v.start && s[v.end-1] == '\\' {
		v.end--
	}
	return v, v.end > v.start
}

// secretValue reports whether v, given to a name of the kind, is a secret and
// not words, a type, code or a placeholder.
func secretValue(kind, v string, quoted bool) bool {
	if placeholder(v) || strings.ContainsAny(v, " \t\r\n") || codePath(v) || strings.Contains(v, "://") {
		return false
	}
	switch kind {
	case "password":
		return password(v, quoted)
	case "token":
		return random(v, 16) && !isUUID(v)
	}
	return random(v, 12)
}

// password takes what people choose themselves: a letter and a digit or sign
// in eight bytes; without quotes it must look less like the name of a variable.
func password(v string, quoted bool) bool {
	sh := shapeOf(v)
	switch {
	case sh.length < 8 || sh.length > 128 || sh.letters == 0 || strings.IndexByte(`/~.:=\`, v[0]) >= 0:
		return false
	case quoted:
		return sh.digits > 0 || sh.symbols > 0
	}
	return sh.digits > 1 && sh.changes > 3 || sh.digits > 0 && sh.symbols > 0
}

// codePath reports whether v reads like a path of names in code
// (config.auth2.token), none of which looks random.
func codePath(v string) bool {
	parts := strings.Split(v, ".")
	for _, p := range parts {
		if p == "" || p[0] >= '0' && p[0] <= '9' || word.run(p, 0) != len(p) || len(p) > 40 || random(p, 12) {
			return false
		}
	}
	return len(parts) > 1
}

// callFollows reports whether what ends at pos is code that is called,
// indexed or instantiated.
func callFollows(s string, pos int) bool {
	return pos < len(s) && strings.IndexByte("([{<", s[pos]) >= 0
}
