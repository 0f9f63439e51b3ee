package sources

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHistory(t *testing.T) {
	var got []string
	for tr, err := range (History{Dir: "../testdata/history"}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		in := tr.Info()
		if !in.StandIn || filepath.Base(in.Path) != "history.jsonl#"+in.Session {
			t.Errorf("%+v", in)
		}
		for _, e := range piAll(t, tr, Position{}) {
			got = append(got, in.Session[:8]+" "+kindNames[e.Kind]+" "+e.Cwd+" "+e.ID+" "+e.Text)
		}
	}
	if d := cmp.Diff([]string{
		"00000001 prompt /home/ines/kiln 1790000000000-e9036fb8 why does the kiln cool so slowly?",
		"00000001 prompt /home/ines/kiln 1790000120000-2ab2371d read this log: 900 C\n850 C\n800 C, and explain it",
		"00000003 prompt /home/ines/glaze 1790000180000-a6b370e0 /mix two parts of cobalt",
	}, got); d != "" {
		t.Error(d)
	}
}

func TestHistoryGrows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "history.jsonl")
	text := `{"display":"one","timestamp":1790000000000,"project":"/p","sessionId":"s"}` + "\n"
	info := func() (in Info) {
		for tr, err := range (History{Dir: dir}).Transcripts(t.Context()) {
			if err == nil && tr.Info().Session == "s" {
				in = tr.Info()
			}
		}
		return in
	}
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	before := info()
	text += `{"display":"other","timestamp":1790000001000,"project":"/p","sessionId":"t"}` + "\n"
	write(text)
	if info() != before {
		t.Errorf("another session's prompt changed this one: %+v, %+v", before, info())
	}
	write(text + `{"display":"two","timestamp":1790000002000,"project":"/p","sessionId":"s"}` + "\n")
	if in := info(); in.Size <= before.Size || in.ModTime <= before.ModTime {
		t.Errorf("its own prompt did not: %+v", in)
	}
}
