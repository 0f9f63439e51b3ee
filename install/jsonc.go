package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON with comments is edited as text: what is not ours keeps every byte. The
// parser only says where things stand. (It is imported here beside the package
// that reads hansard's own config file, because that one needs meanings and no
// places to write at, and neither may depend on the other.)

// A box is an object or a list in a text.
type box struct {
	open, close int // offsets of its brackets
	items       []item
}

// An item is a member or an element.
type item struct {
	key        string // of a member
	start, end int    // offsets of the whole item
	comma      int    // offset of the comma behind it, -1 where there is none
	value      hujson.Value
}

// parse reads JSON with comments.
func parse(text []byte) (hujson.Value, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return v, fmt.Errorf("not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return v, nil
}

// boxOf looks at an object or a list; ok is false for anything else.
func boxOf(v hujson.Value) (b box, ok bool) {
	b.open, b.close = v.StartOffset, v.EndOffset-1
	switch t := v.Value.(type) {
	case *hujson.Object:
		for _, m := range t.Members {
			b.items = append(b.items, item{key: m.Name.Value.(hujson.Literal).String(), start: m.Name.StartOffset, value: m.Value})
		}
	case *hujson.Array:
		for _, e := range t.Elements {
			b.items = append(b.items, item{start: e.StartOffset, value: e})
		}
	default:
		return b, false
	}
	for i := range b.items {
		it := &b.items[i]
		it.end, it.comma = it.value.EndOffset, it.value.EndOffset+len(it.value.AfterExtra)
		if i == len(b.items)-1 && it.value.AfterExtra == nil {
			it.comma = -1
		}
	}
	return b, true
}

func (b box) find(key string) (item, int, bool) {
	for i, it := range b.items {
		if it.key == key {
			return it, i, true
		}
	}
	return item{}, 0, false
}

// A style is how a text is laid out.
type style struct{ newline, unit string }

func styleOf(text []byte, root box) style {
	s := style{"\n", "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if len(root.items) > 0 {
		if in := indent(text, root.items[0].start); in != "" {
			s.unit = in
		}
	}
	return s
}

// indent is the white space at the beginning of the line in which at stands.
func indent(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// insert puts an item at the end of a box. key is "" in a list.
func (s style) insert(text []byte, b box, key string, value any) []byte {
	base := indent(text, b.open)
	in, wide := base+s.unit, len(b.items) == 0 || bytes.ContainsRune(text[b.open:b.close], '\n')
	if len(b.items) > 0 && wide {
		in = indent(text, b.items[0].start)
	}
	body := s.render(key, value, in, wide)
	pos := len(bytes.TrimRight(text[:b.close], " \t\r\n"))
	var out []byte
	comma := ""
	if n := len(b.items); n > 0 && b.items[n-1].comma >= 0 {
		out, comma = append(out, text[:pos]...), "," // it was the custom here before
	} else if n > 0 {
		out = append(append(append(out, text[:b.items[n-1].end]...), ','), text[b.items[n-1].end:pos]...)
	} else {
		out = append(out, text[:pos]...)
	}
	if wide {
		out = append(out, s.newline+in+body+comma...)
		if !bytes.ContainsRune(text[pos:b.close], '\n') {
			out = append(out, s.newline+base...)
			pos = b.close
		}
	} else {
		out = append(out, " "+body+comma...)
	}
	return append(out, text[pos:]...)
}

// render writes an item, its further lines indented by in.
func (s style) render(key string, value any, in string, wide bool) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if wide {
		enc.SetIndent(in, s.unit)
	}
	_ = enc.Encode(value) // maps, lists and texts of ours
	text := strings.ReplaceAll(strings.TrimSpace(buf.String()), "\n", s.newline)
	if key == "" {
		return text
	}
	return fmt.Sprintf("%q: %s", key, text)
}

// remove takes an item out of a box, with the comma that it no longer needs.
// Comments beside it stay.
func remove(text []byte, b box, i int) []byte {
	it := b.items[i]
	blank := func(from, to int) bool { return len(bytes.Trim(text[from:to], " \t\r\n,")) == 0 }
	cut := func(from, to int) []byte { return append(append([]byte{}, text[:from]...), text[to:]...) }
	switch {
	case i+1 < len(b.items) && blank(it.end, b.items[i+1].start):
		return cut(it.start, b.items[i+1].start)
	case i+1 < len(b.items):
		return append(cut(it.start, it.end)[:it.comma-(it.end-it.start)], text[it.comma+1:]...)
	case i > 0 && blank(b.items[i-1].end, it.start):
		return cut(b.items[i-1].end, it.end)
	case i == 0 && blank(b.open+1, it.start) && blank(it.end, b.close):
		return cut(b.open+1, b.close)
	}
	out := cut(it.start, it.end)
	if it.comma >= 0 {
		at := it.comma - (it.end - it.start)
		return append(out[:at], out[at+1:]...)
	}
	if i > 0 {
		at := b.items[i-1].comma
		return append(out[:at], out[at+1:]...)
	}
	return out
}
