package signal

import "testing"

// TestHashesAreStable: indexes hold them, so they are what they were.
func TestHashesAreStable(t *testing.T) {
	if got := Of("a turn's id").String(); len(got) != 32 || Of("").IsZero() {
		t.Errorf("hash of an id: %s", got)
	}
	if Of("a") == Of("b") {
		t.Error("hashes do not tell strings apart")
	}
	if got := Of("").String(); got != "99aa06d3014798d86001c324468d497f" {
		t.Errorf("xxh3-128 of nothing: %s", got)
	}
	if got := Sum64(nil); got != 0x2d06800538d394c2 {
		t.Errorf("xxh3-64 of nothing: %x", got)
	}
}

// TestFieldsDoNotRunTogether: lists that join to the same text differ.
func TestFieldsDoNotRunTogether(t *testing.T) {
	sum := func(fields ...string) Hash {
		var s Sum
		for _, f := range fields {
			s.String(f)
		}
		return s.Hash()
	}
	if sum("ab", "c") == sum("a", "bc") || sum("a") == sum("a", "") {
		t.Error("different fields have one sum")
	}
	var one, two Sum
	one.Strings([]string{"a", "b"})
	two.Strings([]string{"a"})
	two.String("b")
	if one.Hash() == two.Hash() {
		t.Error("a list and its parts have one sum")
	}
}
