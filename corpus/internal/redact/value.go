package redact

import "strings"

// A class is a set of ASCII characters.
type class [128]bool

func classOf(ranges string, more string) *class {
	c := &class{}
	for i := 0; i+1 < len(ranges); i += 2 {
		for b := ranges[i]; b <= ranges[i+1]; b++ {
			c[b] = true
		}
	}
	for i := range len(more) {
		c[more[i]] = true
	}
	return c
}

var (
	alnum     = classOf("azAZ09", "")
	upperNum  = classOf("AZ09", "")
	word      = classOf("azAZ09", "_")
	urlSafe   = classOf("azAZ09", "_-")
	dotted    = classOf("azAZ09", "_-.")
	base64Set = classOf("azAZ09", "+/=_-")
	tokenSet  = classOf("azAZ09", "._~+/=-")
	valueSet  = classOf("azAZ09", "_-+/=.~!@#$%^&*?:|") // of a value without quotes
)

func (c *class) has(b byte) bool { return b < 128 && c[b] }

// run returns the end of the longest run of the class from s[at:].
func (c *class) run(s string, at int) int {
	for at < len(s) && c.has(s[at]) {
		at++
	}
	return at
}

// startsWord reports whether nothing that belongs to a word stands before
// s[at], an escaped newline or tab of a string in a string aside.
func startsWord(s string, at int) bool {
	if at == 0 || !word.has(s[at-1]) {
		return true
	}
	return at >= 2 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0
}

// A shape counts what tells a random string from words.
type shape struct {
	length, digits, letters, symbols int
	changes                          int // neighbours of two sorts, among small letters, capitals and digits
}

func shapeOf(v string) shape {
	sh := shape{length: len(v)}
	before := byte(0)
	for i := range len(v) {
		sort := byte(0)
		switch b := v[i]; {
		case b >= '0' && b <= '9':
			sort = '0'
			sh.digits++
		case b >= 'a' && b <= 'z':
			sort = 'a'
			sh.letters++
		case b >= 'A' && b <= 'Z':
			sort = 'A'
			sh.letters++
		case strings.IndexByte("!@#$%^&*?", b) >= 0:
			sh.symbols++
		}
		if sort != 0 && before != 0 && sort != before {
			sh.changes++
		}
		before = sort
	}
	return sh
}

// random reports whether a string of at least least bytes looks drawn by lot.
// Of neighbours in random hexadecimal 47 % differ in sort, in base62 62 %; in
// words joined by - or _, with numbers, below 15 %, in camelCase up to 40 %
// but hardly with digits. Bounds lie between, so that under 1 in 100 random
// strings of 32 is missed.
func random(v string, least int) bool {
	sh := shapeOf(v)
	if sh.length < least || placeholder(v) {
		return false
	}
	return sh.digits >= 2 && sh.letters >= 2 && sh.changes*5 >= sh.length-1 ||
		sh.letters >= 2 && sh.changes*100 >= 45*(sh.length-1)
}

// placeholder reports whether a value stands for one that is elsewhere.
func placeholder(v string) bool {
	if v == "" || strings.IndexByte("$<{%*[(&", v[0]) >= 0 {
		return true
	}
	low := strings.ToLower(v)
	for _, sign := range []string{"your", "example", "placeholder", "changeme", "change-me", "xxxx", "****", "....", "${", "{{", mark} {
		if strings.Contains(low, sign) {
			return true
		}
	}
	return false
}

// isUUID reports whether v has the form of one.
func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		b := v[i]
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
		if dash != (b == '-') || !dash && !hex {
			return false
		}
	}
	return true
}
