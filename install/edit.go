package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tailscale/hujson"
)

// An edit puts something of ours into a file and takes it out again. A nil text
// is a file that is not there.
type edit interface {
	add(text []byte) ([]byte, error)
	// remove takes out what add put in, wherever it stands by now. What is left of
	// a file that held nothing else is nil.
	remove(text []byte) ([]byte, error)
}

// bom is what some editors on Windows begin a file with.
const bom = "\xef\xbb\xbf"

// A member is a value in an object of a JSON file: path leads to it, and what
// is missing on the way is made. A value that is there stays as it is.
type member struct {
	path  []string
	value any
	ours  func(hujson.Value) bool // whether the value there is of our making; nil: it is
}

func (m member) add(text []byte) ([]byte, error) {
	return inJSON(text, func(text []byte, root hujson.Value) ([]byte, error) {
		top, _ := boxOf(root)
		s, v := styleOf(text, top), root
		for i, key := range m.path {
			b, ok := boxOf(v)
			if _, object := v.Value.(*hujson.Object); !ok || !object {
				return nil, fmt.Errorf("%s is not an object", strings.Join(m.path[:i], "."))
			}
			it, _, ok := b.find(key)
			if !ok {
				return s.insert(text, b, key, nest(m.path[i+1:], m.value)), nil
			}
			v = it.value
		}
		return text, nil
	})
}

// nest wraps a value in objects.
func nest(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}

func (m member) remove(text []byte) ([]byte, error) {
	return inJSON(text, func(text []byte, root hujson.Value) ([]byte, error) {
		trail, v, ok := walk(root, m.path)
		if !ok || m.ours != nil && !m.ours(v) {
			return text, nil
		}
		return prune(text, trail), nil
	})
}

// A step is a box and the item in it that leads on.
type step struct {
	box
	index int
}

func walk(v hujson.Value, path []string) (trail []step, last hujson.Value, ok bool) {
	for _, key := range path {
		b, _ := boxOf(v)
		it, i, ok := b.find(key)
		if !ok {
			return nil, v, false
		}
		trail = append(trail, step{b, i})
		v = it.value
	}
	return trail, v, true
}

// prune removes the last item of a trail, and each box that it leaves empty
// but for the root.
func prune(text []byte, trail []step) []byte {
	i := len(trail) - 1
	for i > 0 && len(trail[i].items) == 1 {
		i--
	}
	return remove(text, trail[i].box, trail[i].index)
}

// An element is a value in a list of a JSON file. mark is a text by which ours
// is told from others.
type element struct {
	path  []string
	value any
	mark  string
}

func (e element) add(text []byte) ([]byte, error) {
	return inJSON(text, func(text []byte, root hujson.Value) ([]byte, error) {
		_, v, ok := walk(root, e.path)
		if !ok {
			return member{path: e.path, value: []any{e.value}}.add(text)
		}
		b, _ := boxOf(v)
		if _, list := v.Value.(*hujson.Array); !list {
			return nil, fmt.Errorf("%s is not a list", strings.Join(e.path, "."))
		}
		if e.index(text, b) >= 0 {
			return text, nil
		}
		top, _ := boxOf(root)
		return styleOf(text, top).insert(text, b, "", e.value), nil
	})
}

func (e element) index(text []byte, b box) int {
	for i, it := range b.items {
		if bytes.Contains(text[it.start:it.end], []byte(e.mark)) {
			return i
		}
	}
	return -1
}

func (e element) remove(text []byte) ([]byte, error) {
	return inJSON(text, func(text []byte, root hujson.Value) ([]byte, error) {
		trail, v, ok := walk(root, e.path)
		b, _ := boxOf(v)
		if _, list := v.Value.(*hujson.Array); !ok || !list {
			return text, nil
		}
		i := e.index(text, b)
		if i < 0 {
			return text, nil
		}
		return prune(text, append(trail, step{b, i})), nil
	})
}

// inJSON edits a JSON file. One that is missing or blank is an empty object,
// and one that is left so is nothing.
func inJSON(text []byte, edit func([]byte, hujson.Value) ([]byte, error)) ([]byte, error) {
	body := bytes.TrimPrefix(text, []byte(bom))
	mark := text[:len(text)-len(body)]
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}\n")
	}
	v, err := parse(body)
	if err != nil {
		return nil, err
	}
	if _, object := v.Value.(*hujson.Object); !object {
		return nil, fmt.Errorf("not JSON: an object is expected")
	}
	out, err := edit(body, v)
	if err != nil {
		return nil, err
	}
	if text == nil && string(out) == "{}\n" {
		return nil, nil
	}
	if len(bytes.TrimSpace(text)) == 0 && string(out) == "{}\n" {
		return text, nil
	}
	return append(append([]byte{}, mark...), out...), nil
}

// sameJSON tells whether a value says the same as ours.
func sameJSON(value any) func(hujson.Value) bool {
	want, _ := json.Marshal(value) // a map, whose keys are sorted
	return func(v hujson.Value) bool {
		v = v.Clone()
		v.Standardize()
		var there any
		if json.Unmarshal(v.Pack(), &there) != nil {
			return false
		}
		got, _ := json.Marshal(there)
		return bytes.Equal(got, want)
	}
}

// A block is a run of lines between two marks, at the end of a file of lines.
type block struct {
	first, last string
	body        string
	there       *regexp.Regexp // what a file has that needs no block
	never       *regexp.Regexp // what a file has to which no block can be added
}

func (b block) add(text []byte) ([]byte, error) {
	if from, _ := b.span(text); from >= 0 || b.there.Match(text) {
		return text, nil
	}
	if at := b.never.Find(text); at != nil {
		return nil, fmt.Errorf("%q leaves no room for a table of ours: write it there by hand", strings.TrimSpace(string(at)))
	}
	out := append([]byte{}, text...)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	return append(out, b.first+"\n"+b.body+b.last+"\n"...), nil
}

// span is where the block stands, the blank line before it included.
func (b block) span(text []byte) (from, to int) {
	from = bytes.Index(text, []byte(b.first+"\n"))
	if from < 0 {
		return -1, -1
	}
	end := bytes.Index(text[from:], []byte(b.last+"\n"))
	if end < 0 {
		return -1, -1
	}
	to = from + end + len(b.last) + 1
	if from > 1 && text[from-1] == '\n' && text[from-2] == '\n' {
		from--
	}
	return from, to
}

func (b block) remove(text []byte) ([]byte, error) {
	from, to := b.span(text)
	if from < 0 {
		return text, nil
	}
	return append(append([]byte{}, text[:from]...), text[to:]...), nil
}

// A whole is a file of our own.
type whole struct{ body []byte }

func (w whole) add([]byte) ([]byte, error) { return w.body, nil }

func (w whole) remove(text []byte) ([]byte, error) {
	if bytes.Equal(text, w.body) {
		return nil, nil
	}
	return text, nil
}
