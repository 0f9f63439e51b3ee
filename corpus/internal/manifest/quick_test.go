package manifest

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hansard-search/hansard/surfaces"
)

var lines = []string{
	`{"name":"000012.shard","size":5120000,"turns":12,"sessions":3,"surfaces":{"user_prompt":{"docs":12,"length":340}}}` + "\n",
	`{"name":"a","size":0,"turns":0,"sessions":0,"goneTurns":"AAEC/w==","goneSessions":"AA==","surfaces":{"a":{"docs":1,"length":2},"b":{"docs":1,"length":2}}}` + "\n",
	`{"name":"a","size":0,"turns":0,"sessions":0,"surfaces":{}}` + "\n",
}

// What Encode writes is read the quick way, or the way is for nothing.
func TestQuickReadsWhatIsWritten(t *testing.T) {
	for _, line := range lines {
		if _, ok := quickShard(line); !ok {
			t.Errorf("%s went the slow way", line)
		}
	}
	b, err := json.Marshal(Shard{Name: "x", Surfaces: map[surfaces.Name]SurfaceStats{surfaces.UserPrompt: {Docs: 1, Length: 2}}, GoneTurns: []byte{1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := quickShard(string(b) + "\n"); !ok {
		t.Errorf("%s went the slow way", b)
	}
}

// What the quick way accepts means the same to encoding/json.
func FuzzQuickShard(f *testing.F) {
	for _, line := range lines {
		f.Add(line)
	}
	f.Add(`{"name":"a","size":01,"turns":-1,"sessions":1e3,"surfaces":{"a":{"docs":1,"length":2},}}` + "\n")
	f.Add(`{"name":"a","size":1,"turns":1,"sessions":1,"goneTurns":"A","surfaces":null}` + "\n")
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := quickShard(line)
		if !ok {
			return
		}
		var want Shard
		if err := json.Unmarshal([]byte(line), &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: -json +quick:\n%s", line, diff)
		}
	})
}
