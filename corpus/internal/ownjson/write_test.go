package ownjson

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching("[ -~]{0,20}"), rapid.StringOfN(rapid.RuneFrom([]rune("ab<>&\"\\\n\t\x00\x7f\u2028é")), 0, 9, -1)).Draw(t, "text")
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
