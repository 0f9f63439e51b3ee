package corpus

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestLostManifestKeepsItsParameters: what was asked for outlives the manifest, also
// when it was changed, and is not made up where its file is damaged too.
func TestLostManifestKeepsItsParameters(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "yes", 0))
	path := filepath.Join(b.dir, paramsName)
	for _, since := range []string{"all", "2026-01-01"} {
		b.par = Params{
			Since: since, Projects: []string{"/home/u/api"}, MaxSessions: 7, Include: []string{"tools"}, Config: "{}",
			Roots: []Root{{Kind: "claude", Dir: "/elsewhere"}, {Kind: "pi", Dir: "/usual", Default: true}},
		}
		b.sync()
		b.loseManifest()
		if rep := b.repair(); !rep.Rebuilt || rep.Default {
			t.Errorf("%+v", rep)
		}
		c := b.open()
		if got := c.Params(); !reflect.DeepEqual(got, b.par) {
			t.Errorf("parameters %+v, not %+v", got, b.par)
		}
		if m := c.cur.Manifest.Params; m.Terms != "" || m.Redaction != "" || m.Strategy != "" {
			t.Errorf("how documents were made cannot be known: %+v", m)
		}
		c.Close()
		b.sync()
		checkCorpus(t, b.dir)
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(kept); at += 7 {
		bad := append([]byte(nil), kept...)
		bad[at] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if p, ok, err := readParams(b.dir); ok || err == nil && p.Since != "" {
			t.Fatalf("byte %d: %+v", at, p)
		}
	}
	b.loseManifest()
	if rep := b.repair(); !rep.Default {
		t.Errorf("damaged parameters: %+v", rep)
	}
}

func (b *bench) loseManifest() {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, "MANIFEST"), []byte("nonsense"), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// TestParametersAreWrittenWhenTheyChange: no other run syncs a file for them, and an
// index that has no such file gets one.
func TestParametersAreWrittenWhenTheyChange(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(b.dir, paramsName)
	run := func(turn string) os.FileInfo {
		t.Helper()
		b.src.AppendRecords("s1", pair(turn, "question "+turn, "yes", 0))
		b.sync()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := run("t1")
	if !os.SameFile(first, run("t2")) {
		t.Error("written though nothing changed")
	}
	b.par.Since = "30d"
	if changed := run("t3"); os.SameFile(first, changed) {
		t.Error("not written though they changed")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	run("t4")
}
