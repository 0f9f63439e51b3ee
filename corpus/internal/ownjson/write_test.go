package ownjson

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching("[ -~]{0,20}"), rapid.StringMatching("([a-z ]{0,20}[!-@\\x5b-\\x60\\x00-\\x7fà-ü]){0,9}"), rapid.StringOfN(rapid.RuneFrom([]rune("ab<>&\"\\\n\t\x00\x7f\u2028é")), 0, 9, -1)).Draw(t, "text")
		if rapid.Bool().Draw(t, "cut") {
			s = s[:len(s)/2] // also within characters
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendText([]byte("x"), s); string(got) != "x"+string(want) {
			t.Fatalf("%q is %s, want %s", s, got[1:], want)
		}
	})
}

func BenchmarkAppendText(b *testing.B) {
	text := strings.Repeat("func (r *Reader) Next() (Line, error) {\n\treturn r.fill(\"x\", 1 < 2)\n}\n", 20)
	b.SetBytes(int64(len(text)))
	var to []byte
	for b.Loop() {
		to = AppendText(to[:0], text)
	}
}
