package ownjson

import "testing"

func TestReader(t *testing.T) {
	r := NewReader(`{"a":"é b","n":[1,20],"z":0}`)
	r.Word(`{"a":`)
	if got := r.Text(); got != "é b" {
		t.Errorf("text %q", got)
	}
	if r.Try(`,"x":`) {
		t.Error("read what is not there")
	}
	r.Word(`,"n":[`)
	sum := int64(0)
	r.Each("]", func() { sum += r.Number() })
	r.Word(`,"z":`)
	if zero := r.Number(); sum != 21 || zero != 0 {
		t.Errorf("numbers %d and %d", sum, zero)
	}
	if r.Ended() {
		t.Error("ended before the end")
	}
	if r.Word("}"); !r.Ended() {
		t.Error("not ended at the end")
	}
}

func TestReaderReadsPathsOfWindows(t *testing.T) {
	for _, tt := range []struct{ text, want string }{{`"D:\\go\\é"`, `D:\go\é`}, {`"\\"`, `\`}, {`"a \"b\""`, `a "b"`}} {
		if r := NewReader(tt.text); r.Text() != tt.want || !r.Ended() {
			t.Errorf("%s was not read as %s", tt.text, tt.want)
		}
	}
}

// What encoding/json writes or reads in another way is left to it.
func TestReaderLeavesTheRest(t *testing.T) {
	read := map[string]func(*Reader){
		"text":   func(r *Reader) { r.Text() },
		"number": func(r *Reader) { r.Number() },
		"word":   func(r *Reader) { r.Word(`{"a":`) },
		"list":   func(r *Reader) { r.Each("]", func() { r.Number() }) },
	}
	for _, tt := range []struct{ what, text string }{
		{"text", `"a\n"`}, {"text", "\"\x00\""}, {"text", "\"\xff\""}, {"text", `"a`}, {"text", `a"`}, {"text", `"\`}, {"text", `"\\`}, {"text", `"\\\n"`}, {"text", "\"\\\\\x00\""}, {"text", "\"\\\\\xff\""}, {"text", ""},
		{"number", ""}, {"number", "-1"}, {"number", "01"}, {"number", "1234567890123456789"}, {"number", "1.5"}, {"number", "1e3"},
		{"word", `{ "a":`}, {"word", `{"A":`}, {"list", "]"}, {"list", "1,]"}, {"list", "1 ]"}, {"list", "1"},
	} {
		r := NewReader(tt.text)
		if read[tt.what](r); r.Ended() {
			t.Errorf("%s of %q was taken", tt.what, tt.text)
		}
	}
}
