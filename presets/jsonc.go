package presets

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// A node is a value of the config file that knows where it stands, so that
// each complaint can name line and key.
type node struct {
	file string
	all  []byte // the file's text
	path string // of keys, as in presets.work.since
	key  string // of a member of an object: the last of them
	v    hujson.Value
	at   int // offset of the key, or of the value where it has none
}

// parse reads JSON with comments and trailing commas. An empty file is an empty object.
func parse(file string, text []byte) (node, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}")
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return node{}, broken(file, text, err)
	}
	return node{file: file, all: text, path: "config", v: v, at: v.StartOffset}, nil
}

// broken turns the parser's error into one with a key: the last one begun
// before the mistake.
func broken(file string, text []byte, err error) error {
	p := place{file: file, line: 1, key: "config"}
	what := err.Error()
	atLine, someKey := regexp.MustCompile(`^hujson: line (\d+), column (\d+): `), regexp.MustCompile(`"([^"\\\n]+)"\s*:`)
	column := 0
	if m := atLine.FindStringSubmatch(what); m != nil {
		p.line, _ = strconv.Atoi(m[1])
		column, _ = strconv.Atoi(m[2])
		what = what[len(m[0]):]
	}
	before := text[:offsetOf(text, p.line, column)]
	if keys := someKey.FindAllSubmatch(before, -1); keys != nil {
		p.key = string(keys[len(keys)-1][1])
	}
	return p.err("not JSON: "+what, fmt.Sprintf("mend it near column %d", column))
}

func offsetOf(text []byte, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return min(at+column, len(text))
}

func (n node) place() place {
	return place{file: n.file, line: 1 + bytes.Count(n.all[:n.at], []byte("\n")), key: n.path}
}

func (n node) wrong(want string) error {
	words := map[hujson.Kind]string{'n': "null", 't': "true", 'f': "false", '"': "a text", '0': "a number", '{': "an object", '[': "a list"}
	return n.place().err("must be "+want+", not "+words[n.v.Value.Kind()], "write "+want)
}

// members are the members of an object, in file order. A key given twice is an error.
func (n node) members() ([]node, error) {
	obj, ok := n.v.Value.(*hujson.Object)
	if !ok {
		return nil, n.wrong("an object")
	}
	var list []node
	seen := map[string]bool{}
	for _, m := range obj.Members {
		key := m.Name.Value.(hujson.Literal).String()
		c := node{n.file, n.all, n.under(key), key, m.Value, m.Name.StartOffset}
		if seen[key] {
			return nil, c.place().err("is given twice", "keep one of them")
		}
		seen[key] = true
		list = append(list, c)
	}
	return list, nil
}

// under is the path of a member.
func (n node) under(key string) string {
	if n.path == "config" {
		return key
	}
	return n.path + "." + key
}

// elements are the elements of a list.
func (n node) elements(of string) ([]node, error) {
	arr, ok := n.v.Value.(*hujson.Array)
	if !ok {
		return nil, n.wrong("a list of " + of)
	}
	var list []node
	for i, v := range arr.Elements {
		list = append(list, node{n.file, n.all, fmt.Sprintf("%s[%d]", n.path, i), "", v, v.StartOffset})
	}
	return list, nil
}

func (n node) text() (string, error) {
	lit, ok := n.v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '"' {
		return "", n.wrong("a text")
	}
	return lit.String(), nil
}

// texts are those of a list; known are all that each may be, nil means anything.
func (n node) texts(known []string) ([]string, error) {
	list, err := n.elements("texts")
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, c := range list {
		s, err := c.text()
		if err != nil {
			return nil, err
		}
		if known != nil && !slices.Contains(known, s) {
			return nil, c.place().err(fmt.Sprintf("unknown %q", s), oneOf(known))
		}
		out = append(out, s)
	}
	return out, nil
}

func (n node) count() (int, error) {
	lit, ok := n.v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '0' {
		return 0, n.wrong("a number")
	}
	i, err := strconv.Atoi(string(lit))
	if err != nil || i < 0 {
		return 0, n.place().err("must be a whole number, 0 or more", "0 means no limit")
	}
	return i, nil
}
