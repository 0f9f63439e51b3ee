package jsonl

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

var seeds = []string{
	`{"type":"user","n":-1.5e3,"x":[1,"a\"b\\",{"y":null}],"type":"again"}`, `{}`, `[]`, `""`, `7`, ` true `, `{"a":}`, `{"a":1,}`, `[1 2]`, `"\ud83d"`, `"\ud83d\ude00"`,
	"\"\xff\"", "\"a\tb\"", `"\x"`, `{"a":1}{"b":2}`, `{"a":"` + strings.Repeat(`\\`, 40) + `"}`, `01`, `-`, `{"a" : [ ] , "b":{ } }`, `{"a":1}x`, "\"\x7f\u2028\"", `nul`, `"\u00"`,
}

// FuzzValue holds the parser to encoding/json: what is accepted, and what is in it.
func FuzzValue(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Parser
		v, before, rest, err := p.Next(data)
		if err == io.EOF {
			return
		}
		first := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, bom)))
		first.UseNumber()
		var want any
		wantErr := first.Decode(&want)
		if (err == nil) != (wantErr == nil) {
			// A decoder looks at the byte behind a number, this one too, but they differ in when.
			if json.Valid(bytes.TrimPrefix(data, bom)) || len(bytes.TrimSpace(rest)) == 0 {
				t.Fatalf("%q: error %v, encoding/json says %v", data, err, wantErr)
			}
			return
		}
		if err != nil {
			return
		}
		if before+len(v)+len(rest) != len(bytes.TrimPrefix(data, bom))+len(data)-len(bytes.TrimPrefix(data, bom)) {
			t.Fatalf("%q: %d + %d + %d bytes", data, before, len(v), len(rest))
		}
		if got := valueTree(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %#v, encoding/json says %#v", data, got, want)
		}
		if new(scanner).scan(data[before:]) < 0 {
			t.Fatalf("%q: only the decoder accepts it", data)
		}
		if got := nodeTree(p.Root()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %#v by nodes, encoding/json says %#v", data, got, want)
		}
	})
}

// TestLongStrings: quotes, backslashes and faults are found wherever they stand
// in a block of 64 bytes, beside the ends of blocks and windows, and after long prose.
func TestLongStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(
			rapid.SampledFrom([]string{`\\`, `\"`, `\n`, `\u00e9`, `\\\"`, `]`, `#`, "\xff", "\u00e9", `\x`, `\u12g4`, `"`, "\t"}),
			rapid.Custom(func(t *rapid.T) string { return strings.Repeat("a", rapid.IntRange(0, 300).Draw(t, "plain")) }),
			rapid.Custom(func(t *rapid.T) string {
				return strings.Repeat("a", rapid.IntRange(window*blockBytes-300, window*blockBytes).Draw(t, "window"))
			}))
		line := `{"a":"` + strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "") + `","b":[1]}`
		var p Parser
		_, _, rest, err := p.Next([]byte(line))
		if got, want := err == nil && len(rest) == 0, json.Valid([]byte(line)); got != want {
			t.Fatalf("%q: %v, encoding/json says %v", line, got, want)
		}
		if err != nil {
			return
		}
		var want map[string]any
		if json.Unmarshal([]byte(line), &want) == nil && p.Root().Get("a").String() != want["a"] {
			t.Fatalf("%q: %q", line, p.Root().Get("a").String())
		}
	})
}

// TestDeep: nesting is bounded where encoding/json bounds it.
func TestDeep(t *testing.T) {
	for n := maxDepth - 2; n <= maxDepth+2; n++ {
		for _, s := range []string{strings.Repeat("[", n) + strings.Repeat("]", n), strings.Repeat(`{"":`, n) + "7" + strings.Repeat("}", n)} {
			var p Parser
			if _, _, _, err := p.Next([]byte(s)); (err == nil) != json.Valid([]byte(s)) {
				t.Errorf("%d deep: %v", n, err)
			}
		}
	}
}

// nodeTree is valueTree by nodes.
func nodeTree(v Node) any {
	switch v.Kind() {
	case '{':
		m := map[string]any{}
		v.Members(func(name []byte, v Node) bool {
			m[quoted(name).String()] = nodeTree(v)
			return true
		})
		return m
	case '[':
		a := []any{}
		v.Elements(func(v Node) bool {
			a = append(a, nodeTree(v))
			return true
		})
		return a
	}
	return valueTree(v.Value())
}

// valueTree builds what encoding/json would.
func valueTree(v Value) any {
	switch v.Kind() {
	case '{':
		m := map[string]any{}
		v.Members(func(name []byte, v Value) bool {
			m[quoted(name).String()] = valueTree(v)
			return true
		})
		return m
	case '[':
		a := []any{}
		v.Elements(func(v Value) bool {
			a = append(a, valueTree(v))
			return true
		})
		return a
	case '"':
		return v.String()
	case 't':
		return true
	case 'f':
		return false
	case 'n':
		return nil
	}
	return json.Number(v)
}

// quoted puts quotes around the inside of a string.
func quoted(raw []byte) Value {
	v := make(Value, 0, len(raw)+2)
	v = append(v, '"')
	v = append(v, raw...)
	return append(v, '"')
}

func TestObjectsOnOneLine(t *testing.T) {
	var p Parser
	rest := []byte("\xef\xbb\xbf {\"a\":1} {\"b\":2}{\"c\":3")
	var got []string
	for {
		v, _, tail, err := p.Next(rest)
		if err != nil {
			if err.Error() != "not JSON: unexpected end" {
				t.Error(err)
			}
			break
		}
		got = append(got, string(v))
		rest = tail
	}
	if strings.Join(got, "|") != `{"a":1}|{"b":2}` {
		t.Error(got)
	}
}

func TestGetAndNumbers(t *testing.T) {
	v := Value(`{"a":1,"b":"x","a":-2,"c":3.9,"d":1e99,"e":[true]}`)
	if v.Get("a").Int() != -2 || v.Get("c").Int() != 3 || v.Get("d").Int() != 0 || v.Get("b").Int() != 0 {
		t.Error("numbers")
	}
	if v.Get("nothing") != nil || v.Get("nothing").String() != "" || v.Get("nothing").Get("x").Kind() != 0 {
		t.Error("what is not there")
	}
	n := 0
	v.Members(func([]byte, Value) bool { n++; return false })
	if n != 1 {
		t.Error("did not stop")
	}
}

// TestEnds: whatever is cut out of the middle, both ends are what they are.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat(rapid.StringOf(rapid.SampledFrom([]rune{'a', '"', '\\', '\n', 'é', '\U0001f600', 0})).Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "times"))
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "escaped") {
			raw = bytes.ReplaceAll(raw, []byte("\U0001f600"), []byte(`\ud83d\ude00`))
		}
		n := rapid.IntRange(1, 30).Draw(t, "n")
		got := Value(raw).Ends(n)
		if !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
		if k := min(n, len(s)); !strings.HasPrefix(got, s[:k]) || !strings.HasSuffix(got, s[len(s)-k:]) {
			t.Fatalf("%d bytes of both ends of %q: %q", n, s, got)
		}
	})
}

// TestInt: numbers of any length are what strconv makes of them, where they fit.
func TestInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?(0|[1-9][0-9]{0,21})(\.[0-9]{1,2})?`).Draw(t, "number")
		f, err := strconv.ParseFloat(text, 64)
		want := int64(0)
		if err == nil && f < math.MaxInt64 && f > math.MinInt64 {
			want = int64(f)
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			want = n
		}
		if got := Value(text).Int(); got != want {
			t.Fatalf("%s is %d, not %d", text, got, want)
		}
	})
}
