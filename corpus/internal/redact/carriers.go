package redact

import "strings"

// jwt finds JSON web tokens: two parts that are JSON in base64 ("eyJ" is {")
// and a signature, which may be empty.
type jwt struct{}

func (jwt) triggers() []string { return wordAfter("eyJ") }

func (jwt) find(s string, at, _ int) (match, bool) {
	head := urlSafe.run(s, at)
	if !strings.HasPrefix(s[at:], "eyJ") || head-at < 12 || !strings.HasPrefix(s[head:], ".eyJ") {
		return match{}, false
	}
	body := urlSafe.run(s, head+1)
	if body == len(s) || s[body] != '.' {
		return match{}, false
	}
	return match{at, urlSafe.run(s, body+1), "jwt"}, true
}

// pem finds private key blocks, with or without an end, as text, in strings
// with \n written out, or with line numbers in front.
type pem struct{}

// leastPEM is how much base64 makes a block a key: the shortest, Ed25519, has
// 64 characters. Less is somebody writing about keys.
const leastPEM = 40

func (pem) triggers() []string { return []string{"-BEGIN "} }

func (pem) find(s string, at, _ int) (match, bool) {
	start := at - 4
	if start < 0 || !strings.HasPrefix(s[start:], "-----BEGIN ") {
		return match{}, false
	}
	label, rest, ok := strings.Cut(s[at+len("-BEGIN "):min(len(s), at+80)], "-----")
	if !ok || !strings.Contains(label, "PRIVATE KEY") || rest == "" && at+80 < len(s) {
		return match{}, false
	}
	pos := at + len("-BEGIN ") + len(label) + len("-----")
	end, found := pos, 0
	for pos < len(s) {
		line, next := pemLine(s, pos)
		if i := strings.Index(line, "-----END "); i >= 0 {
			if j := strings.Index(line[i+9:], "-----"); j >= 0 {
				end = pos + i + 9 + j + 5
			}
			break
		}
		field, ok := pemField(line)
		if !ok {
			break
		}
		found += len(field)
		pos = next
		if field != "" {
			end = pos
		}
	}
	return match{start, end, "private-key"}, found >= leastPEM
}

// pemLine returns the line at pos and where the next begins; a \n that is
// written out ends a line too.
func pemLine(s string, pos int) (line string, next int) {
	rest := s[pos:]
	n, skip := len(rest), 0
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		n, skip = i, 1
	}
	if i := strings.Index(rest[:n], `\n`); i >= 0 {
		n, skip = i, 2
	}
	return rest[:n], pos + n + skip
}

// pemField returns the base64 of a line of a key; ok is false when the line is
// none. Header lines and empty ones have none, and are ok.
func pemField(line string) (field string, ok bool) {
	fields := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\r\"'`+\\,|>→#*", c) && c != '+' })
	switch {
	case len(fields) == 0:
		return "", true
	case strings.HasPrefix(line, "Proc-Type:"), strings.HasPrefix(line, "DEK-Info:"), strings.HasPrefix(line, "Comment:"):
		return "", true
	case len(fields) > 2: // a line number and the base64
		return "", false
	}
	field = fields[len(fields)-1]
	return field, base64Set.run(field, 0) == len(field)
}

// urlPassword finds the password of scheme://user:password@host.
type urlPassword struct{}

func (urlPassword) triggers() []string {
	var list []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		list = append(list, string(c)+"://")
	}
	return list
}

func (urlPassword) find(s string, at, _ int) (match, bool) {
	if !strings.HasPrefix(s[at+1:], "://") {
		return match{}, false
	}
	user := at + 4
	at = strings.IndexAny(s[user:min(len(s), user+512)], "@/?#[]<>{}()\"'`\\ \t\r\n,")
	if at < 0 || s[user+at] != '@' {
		return match{}, false
	}
	name, password, ok := strings.Cut(s[user:user+at], ":")
	if !ok || len(password) < 3 || placeholder(password) || strings.ContainsAny(password, "$*") && len(password) < 6 {
		return match{}, false
	}
	switch strings.ToLower(password) {
	case "password", "pass", "passwd", "pwd", "secret", "token", "xxx":
		return match{}, false
	}
	start := user + len(name) + 1
	return match{start, user + at, issuer(password, "url-password")}, true
}

// authHeader finds what follows Authorization: and Bearer.
type authHeader struct{}

func (authHeader) triggers() []string { return []string{"bearer", "authorization"} }

func (authHeader) find(s string, at, _ int) (match, bool) {
	least := 16 // Bearer stands in prose too
	pos := at + len("bearer")
	switch {
	case hasFold(s, at, "bearer"):
	case hasFold(s, at, "authorization"):
		least = 8 // name:pw in base64
		pos = skip(s, at+len("authorization"), " \t\"'\\:=")
		for _, scheme := range []string{"basic", "bearer", "token", "apikey", "digest"} {
			if hasFold(s, pos, scheme) {
				pos += len(scheme)
				break
			}
		}
	default:
		return match{}, false
	}
	start := skip(s, pos, " \t")
	if start == pos {
		return match{}, false
	}
	end := tokenSet.run(s, start)
	v := s[start:end]
	sh := shapeOf(v)
	if len(v) < least || placeholder(v) || sh.letters == 0 || sh.digits == 0 && sh.changes < 3 || callFollows(s, end) || codePath(v) {
		return match{}, false
	}
	return match{start, end, issuer(v, "auth-header")}, true
}

// slackHook finds incoming webhooks, whose address is the secret.
type slackHook struct{}

func (slackHook) triggers() []string { return []string{"hooks.slack.com"} }

func (slackHook) find(s string, at, _ int) (match, bool) {
	const begin = "hooks.slack.com/services/"
	if !strings.HasPrefix(s[at:], begin) {
		return match{}, false
	}
	start := at + len(begin)
	end := start
	for end < len(s) && (word.has(s[end]) || s[end] == '/') {
		end++
	}
	return match{start, end, "slack-hook"}, end-start >= 30 && !placeholder(s[start:end])
}

// skip returns the first place at or after pos whose byte is not in set.
func skip(s string, pos int, set string) int {
	for pos < len(s) && strings.IndexByte(set, s[pos]) >= 0 {
		pos++
	}
	return pos
}
