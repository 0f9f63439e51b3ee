package presets

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"github.com/tailscale/hujson"
)

// A node is a value of the config file that knows where it stands, so that
// each complaint can name line and key.
type node struct {
	file string
	text []byte
	key  string
	v    hujson.Value
	name int // offset of the key, or of the value where it has none
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
	return node{file: file, text: text, key: "config", v: v, name: v.StartOffset}, nil
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
	return place{file: n.file, line: 1 + bytes.Count(n.text[:n.name], []byte("\n")), key: n.key}
}

func (n node) child(key string, v hujson.Value, name int) node {
	return node{file: n.file, text: n.text, key: key, v: v, name: name}
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
		name := m.Name.Value.(hujson.Literal).String()
		c := n.child(n.under(name), m.Value, m.Name.StartOffset)
		if seen[name] {
			return nil, c.place().err("is given twice", "keep one of them")
		}
		seen[name] = true
		list = append(list, c)
	}
	return list, nil
}

func (n node) under(name string) string {
	if n.key == "config" {
		return name
	}
	return n.key + "." + name
}

// elements are the elements of a list.
func (n node) elements(of string) ([]node, error) {
	arr, ok := n.v.Value.(*hujson.Array)
	if !ok {
		return nil, n.wrong("a list of " + of)
	}
	var list []node
	for i, v := range arr.Elements {
		list = append(list, n.child(fmt.Sprintf("%s[%d]", n.key, i), v, v.StartOffset))
	}
	return list, nil
}

func (n node) text1() (string, error) {
	lit, ok := n.v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '"' {
		return "", n.wrong("a text")
	}
	return lit.String(), nil
}

func (n node) texts() ([]string, error) {
	list, err := n.elements("texts")
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, c := range list {
		s, err := c.text1()
		if err != nil {
			return nil, err
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
