package shard

import (
	"slices"
	"strings"
	"testing"
)

func TestBegins(t *testing.T) {
	keys := []string{
		"0fe553fc-e62a-4c1e-8ccc-9e67ef72c414", "0fe553fd-e62a-4c1e-8ccc-9e67ef72c414", "0fe553fc-e62b-4c1e-8ccc-9e67ef72c414",
		"0fe553fc-e62a-4c1e-8ccc-9e67ef72c414:2", "1770851225094-0fe553fc", "0FE553FC", "0fe5", "zebra-0fe553fc",
	}
	var docs []Doc
	for _, k := range keys {
		docs = append(docs, Doc{Key: k, Session: "s"})
	}
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range append(keys, "0fe553fe", "unheard of", "") {
		for n := range len(key) + 1 {
			var want, got []string
			for _, k := range keys {
				if strings.HasPrefix(k, key[:n]) {
					want = append(want, k)
				}
			}
			err := r.Begins(Turn, key[:n], func(doc uint32, key string) bool {
				if keys[doc] != key {
					t.Errorf("document %d has key %q", doc, key)
				}
				got = append(got, key)
				return true
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%q begins %v, not %v; %v", key[:n], got, want, err)
			}
		}
	}
}
