package transcripts

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/sources"
)

// Append is Plan, Write and Apply.
func (t *Table) Append(fsys files.FS, dir string, next uint64, room int) (Ref, error) {
	c := t.Plan(next, room)
	if err := c.Write(fsys, dir); err != nil {
		return t.ref, err
	}
	c.Apply()
	return t.ref, nil
}

func example(i int) *Row {
	session := fmt.Sprintf("0fe553fc-e62a-4c1e-8ccc-%012d", i)
	return &Row{
		Source: "claude", Path: "/home/u/.claude/projects/-home-u-api/" + session + ".jsonl",
		Size: int64(i) * 1000, ModTime: 1790000000123456789 + int64(i), Inode: uint64(i),
		From:     sources.Position{Offset: int64(i) * 900, Line: i, Tail: 0x0123456789abcdef, Carry: `{"cwd":"/home/u/api"}`},
		LastTurn: session, LastHash: signal.Of(session), Params: "9f3c5a", State: []byte(strings.Repeat(`{"n":1}`, 20)),
		Session: session, Parent: "p", Lane: sources.Main, Project: "/home/u/api",
		Created: 1790000000123, Updated: -5, Turns: i, Links: []string{"a", "", session}, Flags: Gone | Provisional,
	}
}

func mustLoad(t testing.TB, dir string, ref Ref) *Table {
	t.Helper()
	table, err := Load(dir, ref)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func mustAppend(t testing.TB, table *Table, dir string, next uint64) Ref {
	t.Helper()
	ref, err := table.Append(files.OS{}, dir, next, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func contents(t *Table) map[key]Row {
	all := map[key]Row{}
	for r := range t.All() {
		all[key{r.Source, r.Path}] = *r
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	var table Table
	rows := []*Row{{}, {Source: "pi", Path: "x"}, example(0), example(7)}
	for _, r := range rows {
		table.Put(r)
	}
	ref := mustAppend(t, &table, dir, 3)
	if want := (Ref{Name: "TRANSCRIPTS.3", Length: ref.Length, Rows: 4}); ref != want {
		t.Errorf("ref %+v, want %+v", ref, want)
	}
	got := mustLoad(t, dir, ref)
	for _, want := range rows {
		r, ok := got.Get(want.Source, want.Path)
		if !ok {
			t.Errorf("no row of %q", want.Path)
			continue
		}
		if diff := cmp.Diff(want, r, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if _, ok := got.Get("pi", "y"); ok || got.Len() != 4 {
		t.Errorf("a row that was never put; %d rows", got.Len())
	}
}

func TestOneRowCostsOneRecord(t *testing.T) {
	dir := t.TempDir()
	var table Table
	for i := range 500 {
		table.Put(example(i))
	}
	before := mustAppend(t, &table, dir, 1)
	table.Put(example(3))
	after := mustAppend(t, &table, dir, 2)
	if after.Name != before.Name || after.Length-before.Length > 1000 {
		t.Errorf("one row took the table from %+v to %+v", before, after)
	}
	if again := mustAppend(t, &table, dir, 2); again != after {
		t.Errorf("nothing staged, and the ref went from %+v to %+v", after, again)
	}
	// What was published before can be read still.
	if got := mustLoad(t, dir, before); got.Len() != 500 {
		t.Errorf("%d rows", got.Len())
	}
}

// TestLateRows: few rows stand in the ref, each once, until they do not fit; then
// they all go to the file.
func TestLateRows(t *testing.T) {
	dir := t.TempDir()
	var table Table
	for i := range 500 {
		table.Put(example(i))
	}
	before := mustAppend(t, &table, dir, 1)
	late := func(room int) Ref {
		t.Helper()
		ref, err := table.Append(files.OS{}, dir, 2, room)
		if err != nil {
			t.Fatal(err)
		}
		return ref
	}
	for i := range 20 { // one transcript grows, and takes no more room
		r := *example(3)
		r.Turns = 100 + i
		table.Put(&r)
		ref := late(2000)
		if ref.Late == "" || len(ref.Late) > 1000 || ref.Length != before.Length || ref.Rows != 500 {
			t.Fatalf("round %d: %d bytes late, of %d rows and %d bytes", i, len(ref.Late), ref.Rows, ref.Length)
		}
		if r, _ := mustLoad(t, dir, ref).Get("claude", r.Path); r.Turns != 100+i {
			t.Fatalf("round %d: %d turns", i, r.Turns)
		}
	}
	table.Delete("claude", example(4).Path)
	table.Put(example(1000))
	table.Delete("claude", example(1000).Path) // as if it was never there
	ref := late(2000)
	got := mustLoad(t, dir, ref)
	if _, ok := got.Get("claude", example(4).Path); ok || got.Len() != 499 || ref.Length != before.Length || got.Staged() != 0 {
		t.Errorf("%d rows after one was deleted, %d staged, %+v", got.Len(), got.Staged(), ref)
	}
	table = *got
	table.Put(example(1001))
	ref = late(900)
	if ref.Late != "" || ref.Length <= before.Length || ref.Rows != 500 || mustLoad(t, dir, ref).Len() != 500 {
		t.Errorf("%d bytes late, %d rows, though there was no room", len(ref.Late), ref.Rows)
	}
	for _, bad := range []string{"x", strings.Repeat("x", 100)} {
		ref.Late = bad
		if damage := (*DamageError)(nil); !errors.As(func() error { _, err := Load(dir, ref); return err }(), &damage) {
			t.Errorf("%q is taken for records", bad)
		}
	}
}

func TestCompaction(t *testing.T) {
	dir := t.TempDir()
	var table Table
	for i := range 50 {
		table.Put(example(i))
	}
	ref := mustAppend(t, &table, dir, 1)
	for round := range 100 {
		for i := range 10 {
			r := *example(i)
			r.Turns = round
			table.Put(&r)
		}
		next := mustAppend(t, &table, dir, uint64(round+2))
		if next.Name != ref.Name {
			if got := mustLoad(t, dir, next); got.dead != 0 || got.Len() != 50 {
				t.Errorf("compacted: %d rows, %d bytes dead", got.Len(), got.dead)
			}
			return
		}
		if ref = next; ref.Length > 4*compactAbove {
			break
		}
	}
	t.Errorf("never compacted, %d bytes", ref.Length)
}

func TestLostAndDamaged(t *testing.T) {
	dir := t.TempDir()
	var table Table
	for i := range 3 {
		table.Put(example(i))
	}
	ref := mustAppend(t, &table, dir, 1)
	path := filepath.Join(dir, ref.Name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(what string, ref Ref) {
		t.Helper()
		var damage *DamageError
		if _, err := Load(dir, ref); !errors.As(err, &damage) || damage.Path == "" {
			t.Errorf("%s: got %v, want a DamageError", what, err)
		}
	}
	damaged("other length", Ref{ref.Name, ref.Length - 1, 3, ""})
	damaged("longer", Ref{ref.Name, ref.Length + 1, 3, ""})
	damaged("no length", Ref{ref.Name, 0, 0, ""})
	damaged("negative length", Ref{ref.Name, -1, 3, ""})
	damaged("other rows", Ref{ref.Name, ref.Length, 4, ""})
	damaged("no file", Ref{"TRANSCRIPTS.9", ref.Length, 3, ""})
	apart := 0
	for i := range b {
		bad := append([]byte(nil), b...)
		bad[i] ^= 0x10
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("byte %d flipped", i)
		var damage *DamageError
		if err := Check(dir, ref); !errors.As(err, &damage) || damage.Path == "" {
			t.Errorf("%s: checked, and got %v", what, err)
		}
		if i < len(header)+frame+1 || i >= len(header)+frame+1+3*len(example(0).State) {
			damaged(what, ref)
			continue
		}
		apart++
		lost := 0
		for r := range mustLoad(t, dir, ref).All() {
			want := example(int(r.Inode))
			if r.State == nil {
				lost++
				want.State, want.Params = nil, "" // to be read from the beginning
			}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("%s: -want +got:\n%s", what, diff)
			}
		}
		if lost != 1 {
			t.Errorf("%s: %d states lost, want 1", what, lost)
		}
	}
	if want := 3 * len(example(0).State); apart != want {
		t.Errorf("%d bytes of states, want %d", apart, want)
	}
	if err := os.WriteFile(path, append(b, "a torn record"...), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mustLoad(t, dir, ref)
	got.Put(example(5))
	ref = mustAppend(t, got, dir, 2)
	if got := mustLoad(t, dir, ref); got.Len() != 4 {
		t.Errorf("%d rows after a torn tail, want 4", got.Len())
	}
}

// TestFirstVersion: a table that begins with another header and has all States in
// its records is read, grows, and is written again as a whole.
func TestFirstVersion(t *testing.T) {
	dir := t.TempDir()
	b := appendRow(appendRow([]byte(header1), example(1)), example(2))
	if err := os.WriteFile(filepath.Join(dir, "TRANSCRIPTS.1"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	table := mustLoad(t, dir, Ref{Name: "TRANSCRIPTS.1", Length: int64(len(b)), Rows: 2})
	table.Put(example(3))
	ref := mustAppend(t, table, dir, 2)
	for _, name := range []string{"TRANSCRIPTS.1", "TRANSCRIPTS.3"} {
		if ref.Name != name {
			t.Fatalf("written to %s, want %s", ref.Name, name)
		}
		if err := Check(dir, ref); err != nil {
			t.Fatal(err)
		}
		table = mustLoad(t, dir, ref)
		for i := 1; i <= 3; i++ {
			r, _ := table.Get("claude", example(i).Path)
			if diff := cmp.Diff(example(i), r); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		}
		table.Compact()
		ref = mustAppend(t, table, dir, 3)
	}
}

// Against a map, through any puts, deletes, appends, broken appends and reloads.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "transcripts")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		table, next := &Table{}, uint64(1)
		model, published := map[key]Row{}, map[key]Row{}
		big := strings.Repeat("x", compactAbove/8) // so that tables are compacted
		check := func(what string, got *Table, want map[key]Row) {
			if diff := cmp.Diff(want, contents(got), cmp.AllowUnexported(key{}), cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("%s: -want +got:\n%s", what, diff)
			}
			checkWalk(rt, what, got, want)
			if got.Len() != len(want) {
				rt.Fatalf("%s: %d rows, want %d", what, got.Len(), len(want))
			}
		}
		room := func() int { return rapid.SampledFrom([]int{0, 100, 300, 2 * compactAbove}).Draw(rt, "room") }
		path := func() string { return fmt.Sprint(rapid.IntRange(0, 4).Draw(rt, "path")) }
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(rt *rapid.T) {
				r := Row{Source: "s", Path: path(), Size: rapid.Int64().Draw(rt, "size"), Project: big[:rapid.IntRange(0, len(big)).Draw(rt, "bulk")]}
				r.State = []byte(big[:rapid.SampledFrom([]int{0, 1, 100}).Draw(rt, "state")])
				table.Put(&r)
				model[key{r.Source, r.Path}] = r
			},
			"delete": func(rt *rapid.T) {
				p := path()
				table.Delete("s", p)
				delete(model, key{"s", p})
			},
			"append": func(rt *rapid.T) {
				ref, err := table.Append(files.Unsynced{}, dir, next, room())
				if err != nil {
					rt.Fatal(err)
				}
				next++
				published = maps.Clone(model)
				got, err := Load(dir, ref)
				if err != nil {
					rt.Fatal(err)
				}
				check("loaded", got, published)
				if got.dead != table.dead {
					rt.Fatalf("loaded with %d dead bytes, appended with %d", got.dead, table.dead)
				}
			},
			"broken append": func(rt *rapid.T) {
				before := table.Ref()
				faulty := &files.Faulty{FS: files.Unsynced{}, At: rapid.IntRange(1, 6).Draw(rt, "at"), Kill: true}
				if _, err := table.Append(faulty, dir, next, room()); err == nil {
					published = maps.Clone(model)
					next++
					return
				}
				got, err := Load(dir, before)
				if err != nil {
					rt.Fatal(err)
				}
				check("loaded after a broken append", got, published)
			},
			"compact": func(rt *rapid.T) { table.Compact() },
			"killed": func(rt *rapid.T) {
				got, err := Load(dir, table.Ref())
				if err != nil {
					rt.Fatal(err)
				}
				table, model = got, maps.Clone(published)
			},
			"": func(rt *rapid.T) { check("in memory", table, model) },
		})
	})
}

// checkWalk looks half of the rows up, and the others must be missed.
func checkWalk(rt *rapid.T, what string, got *Table, want map[key]Row) {
	got.BeginWalk()
	missed := map[key]Row{}
	for k, row := range want {
		if row.Size%2 == 0 {
			missed[k] = row
			continue
		}
		if s, ok := got.Look(k.source, k.path); !ok || s != stampOf(&row) {
			rt.Fatalf("%s: stamp %+v of %+v", what, s, row)
		}
	}
	for row := range got.Missed() {
		k := key{row.Source, row.Path}
		if _, ok := missed[k]; !ok {
			rt.Fatalf("%s: missed %v, which was looked up or is gone", what, k)
		}
		delete(missed, k)
	}
	if len(missed) > 0 {
		rt.Fatalf("%s: did not miss %v", what, missed)
	}
}

// What was given out outlives the table and its file's map.
func TestRowsOutliveTheTable(t *testing.T) {
	dir := t.TempDir()
	var table Table
	loose := example(1)
	loose.Parent = ""
	table.Put(loose)
	table.Put(example(2))
	loaded := mustLoad(t, dir, mustAppend(t, &table, dir, 1))
	var rows []*Row
	for r := range loaded.Loose() {
		rows = append(rows, r)
	}
	row, _ := loaded.Get("claude", example(2).Path)
	stamp, _ := loaded.Look("claude", loose.Path)
	if err := loaded.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]*Row{loose, example(2)}, append(rows, row)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if stamp != stampOf(loose) {
		t.Errorf("stamp %+v", stamp)
	}
}

func FuzzReplay(f *testing.F) {
	b := appendDelete(appendRow(appendRow([]byte(header), example(1)), example(2)), key{"claude", example(1).Path})
	f.Add(b, 1)
	f.Add(b[:len(b)/2], 1)
	f.Add(appendRow(nil, &Row{})[frame:], 1)
	apart := &Table{}
	apart.Put(example(1))
	b, _ = apart.encodeAll()
	f.Add(b, 1)
	f.Add(b[len(header):], 1)
	f.Fuzz(func(t *testing.T, b []byte, rows int) {
		// As a file, and as a payload behind a right checksum.
		sealed := appendRecord([]byte(header), func(dst []byte) []byte { return append(dst, b...) })
		for _, file := range [][]byte{b, sealed} {
			table := &Table{ref: Ref{Name: "x", Length: int64(len(file)), Rows: rows}}
			table.file = file
			if err := table.replay(file); err != nil && err.Err == nil {
				t.Fatal("damage without a reason")
			}
			table.verify()
		}
	})
}

func BenchmarkLoad2000(b *testing.B) {
	dir := b.TempDir()
	var table Table
	for i := range 2000 {
		table.Put(example(i))
	}
	ref := mustAppend(b, &table, dir, 1)
	b.SetBytes(ref.Length)
	for b.Loop() {
		if err := mustLoad(b, dir, ref).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendOne(b *testing.B) {
	dir := b.TempDir()
	var table Table
	for i := range 2000 {
		table.Put(example(i))
	}
	mustAppend(b, &table, dir, 1)
	for i := uint64(2); b.Loop(); i++ {
		table.Put(example(5))
		mustAppend(b, &table, dir, i)
	}
}
