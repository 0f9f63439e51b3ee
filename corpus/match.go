package corpus

import (
	"strings"
	"unicode/utf8"
)

// The matchers below read both / and \ as separators and take capitals for
// small letters, whatever system they run on: transcripts come from several,
// and people type names loosely. An empty pattern matches everything.

// MatchProject reports whether value is the path that pattern names, whole or
// by its last components: "api" and "u/api" match /home/u/api, "pi" does not.
// A pattern that is absolute must be the whole path. A * in it stands for any
// characters of one component.
func MatchProject(value, pattern string) bool {
	want, have := components(pattern), components(value)
	if len(want) > len(have) || isAbsolute(pattern) && (len(want) < len(have) || !isAbsolute(value)) {
		return false
	}
	have = have[len(have)-len(want):]
	for i := range want {
		if !MatchGlob(have[i], want[i]) {
			return false
		}
	}
	return true
}

// MatchPath reports whether value is the file that pattern names, whole or by
// its last components, as MatchProject does: "config.ts", "src/*.ts".
func MatchPath(value, pattern string) bool { return MatchProject(value, pattern) }

// UnderDir reports whether value is the folder dir or lies below it: /a/b is
// under /a and not under /a/bc. A relative dir holds relative paths only.
func UnderDir(value, dir string) bool {
	if dir == "" {
		return true
	}
	want, have := components(dir), components(value)
	if len(want) > len(have) || isAbsolute(dir) != isAbsolute(value) {
		return false
	}
	for i := range want {
		if !strings.EqualFold(have[i], want[i]) {
			return false
		}
	}
	return true
}

// MatchGlob reports whether value is pattern, where * stands for any
// characters, separators included, or none.
func MatchGlob(value, pattern string) bool {
	if pattern == "" {
		return true
	}
	value, pattern = strings.ToLower(value), strings.ToLower(pattern)
	rest, v := -1, 0 // pattern after the last *, and where in value it was tried last
	for i, p := 0, 0; ; {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			p++
			rest, v = p, i
		case i == len(value) && p == len(pattern):
			return true
		case i < len(value) && p < len(pattern) && value[i] == pattern[p]:
			i, p = i+1, p+1
		case rest < 0 || v == len(value):
			return false
		default: // let the last * take one character more
			v++
			i, p = v, rest
		}
	}
}

// LocalPath reports whether what somebody typed for a project or a file can only be
// a path of this machine, to be made absolute before it is matched, and is no name:
// ".", "..", "~" and what begins with "./", "../" or "~".
func LocalPath(typed string) bool {
	return typed == "." || typed == ".." || strings.HasPrefix(typed, "~") || strings.HasPrefix(typed, "./") || strings.HasPrefix(typed, "../")
}

// components divides a path; empty and "." ones do not count.
func components(path string) []string {
	parts := strings.FieldsFunc(path, isSeparator)
	kept := parts[:0]
	for _, p := range parts {
		if p != "." {
			kept = append(kept, p)
		}
	}
	return kept
}

func isSeparator(r rune) bool { return r == '/' || r == '\\' }

// isAbsolute holds for /a, \a, \\host\a and C:\a.
func isAbsolute(path string) bool {
	if path == "" {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(path); isSeparator(r) {
		return true
	}
	letter := path[0] | 0x20
	return len(path) >= 2 && path[1] == ':' && 'a' <= letter && letter <= 'z' && (len(path) == 2 || isSeparator(rune(path[2])))
}
