package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
)

func TestFirstIndexThenNothing(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "why is the build red", "a flaky test", 0), pair("t2", "fix it", "done", 1))
	b.src.AppendRecords("s2", pair("t3", "name the package", "call it sift", 2))
	rep := b.sync()
	if rep.Added != 3 || rep.Turns != 3 || rep.Sessions != 2 || rep.Transcripts.Opened != 2 {
		t.Errorf("first index: %+v", rep)
	}
	opens := b.src.Opens()
	before := listing(t, b.dir)
	rep = b.sync()
	if rep.Added+rep.Changed+rep.Removed != 0 || rep.Unchanged != 3 || b.src.Opens() != opens {
		t.Errorf("second index: %+v, %d opens", rep, b.src.Opens()-opens)
	}
	if after := listing(t, b.dir); !slices.Equal(before, after) {
		t.Errorf("an index of nothing new changed files:\n%v\n%v", before, after)
	}
	if rep.LedgerOpened {
		t.Error("an index of nothing new opened the ledger")
	}
}

// listing is what is in a corpus's folder with sizes, but for the lock.
func listing(t *testing.T, dir string) []string {
	var list []string
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() && filepath.Base(path) != lock.Name {
			list = append(list, path+" "+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestGrowthReportsWhatGrew(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "answer one", 0), pair("t2", "second", "answer two", 1))
	b.sync()
	b.src.AppendRecords("s1", pair("t3", "third", "answer three", 2), pair("t4", "fourth", "", 3))
	if rep := b.sync(); rep.Added != 2 || rep.Changed != 0 {
		t.Errorf("two turns more: %+v", rep)
	}
	b.src.Append(sources.Info{Session: "s1"}, sources.Event{Kind: sources.AssistantText, Text: "answer four", Time: began.Add(5 * time.Minute)})
	if rep := b.sync(); rep.Added != 0 || rep.Changed != 1 {
		t.Errorf("an answer to the open turn: %+v", rep)
	}
	if got := b.turns(Filter{}); len(got) != 4 {
		t.Errorf("turns: %v", got)
	}
}

func TestTitleTouchesOneRecord(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "answer one", 0))
	b.sync()
	for range 3 {
		b.src.Append(sources.Info{Session: "s1"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "A name"})
	}
	rep := b.sync()
	if rep.Added+rep.Changed != 0 || rep.RecordsChanged != 1 {
		t.Errorf("a title: %+v", rep)
	}
	b.src.Append(sources.Info{Session: "s1"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "A name"})
	if rep := b.sync(); rep.RecordsChanged != 0 {
		t.Errorf("the same title again: %+v", rep)
	}
}

func TestCopiesAreOneTurnWithPlaces(t *testing.T) {
	b := newBench(t)
	shared := []sources.Record{pair("t1", "first", "answer one", 0), pair("t2", "second", "answer two", 1)}
	b.src.AppendRecords("fork", append(shared, pair("t4", "in the fork", "yes", 5))...)
	b.sync()
	b.src.AppendRecords("main", append(shared, pair("t3", "in the main line", "yes", 4))...)
	if rep := b.sync(); rep.Added != 1 || rep.Changed != 2 {
		t.Errorf("the copied session: %+v", rep)
	}
	r, err := b.open().Turn(t.Context(), "t1")
	if err != nil || !slices.Equal(r.Places, []string{"fork", "main"}) {
		t.Errorf("places of a copied turn: %v %v", r, err)
	}
	if got := b.turns(Filter{Session: "main"}); !slices.Equal(got, []string{"t1", "t2", "t3"}) {
		t.Errorf("turns of main: %v", got)
	}
	if got := b.turns(Filter{Exclude: []string{"main"}}); len(got) != 0 {
		t.Errorf("a family left out still shows %v", got)
	}
}

func TestVanishedTranscriptStays(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "answer one", 0))
	b.src.AppendRecords("s2", pair("t2", "second", "answer two", 1))
	b.sync()
	b.src.Remove("memory:s1")
	for _, opts := range []SyncOptions{{}, {Full: true}} {
		if rep := b.syncWith(opts); rep.Removed != 0 || rep.Turns != 2 || rep.Transcripts.Gone != 1 {
			t.Errorf("a vanished transcript, %+v: %+v", opts, rep)
		}
	}
	st, err := b.open().Status(t.Context())
	if err != nil || st.Missing != 1 {
		t.Errorf("status: %+v %v", st, err)
	}
}

func TestStrategySwitchesAndBack(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "short", 0))
	b.src.Append(sources.Info{Session: "s1"}, sources.Event{Kind: sources.Prompt, ID: "t2", Text: "second", Time: began.Add(time.Hour)},
		sources.Event{Kind: sources.AssistantText, Group: "a", Text: "let me look", Time: began.Add(time.Hour)},
		sources.Event{Kind: sources.ToolCall, Group: "a", Tool: sources.Tool{ID: "c", Name: "Bash", Command: "ls"}, Time: began.Add(time.Hour)},
		sources.Event{Kind: sources.ToolResult, Tool: sources.Tool{ID: "c", Name: "Bash"}, Time: began.Add(time.Hour)},
		sources.Event{Kind: sources.AssistantText, Group: "b", Text: "it is empty", Time: began.Add(time.Hour)})
	b.sync()
	lean := dump(t, b.open())
	has := func() bool {
		st, err := b.open().Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(st.Surfaces, func(s SurfaceStatus) bool { return s.Name == "assistant_full" })
	}
	b.cfg.Strategy = strategies.ClaudeTurn{Full: true}
	b.sync()
	if !has() {
		t.Error("full: no such surface")
	}
	b.cfg.Strategy = nil
	b.sync()
	if has() {
		t.Error("full is still there after it was switched off")
	}
	if got := dump(t, b.open()); got != lean {
		t.Errorf("after switching back:\n%s\nwas:\n%s", got, lean)
	}
}

func TestLockNamesItsHolder(t *testing.T) {
	b := newBench(t)
	b.cfg.Holder = "hansard index"
	ix, err := OpenIndexer(t.Context(), b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = OpenIndexer(t.Context(), b.cfg)
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || !strings.Contains(err.Error(), "hansard index") {
		t.Errorf("second writer: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}

func TestBounds(t *testing.T) {
	b := newBench(t)
	old := pair("t1", "an old question", "an old answer", 0)
	b.src.AppendRecords("s1", old)
	b.src.AppendRecords("s2", pair("t2", "a newer one", "yes", 48*60))
	b.src.AppendRecords("s3", pair("t3", "the newest", "yes", 72*60))
	b.cfg.Bounds = Bounds{Since: began.Add(24 * time.Hour)}
	b.sync()
	if got := b.turns(Filter{}); !slices.Equal(got, []string{"t2", "t3"}) {
		t.Errorf("since: %v", got)
	}
	b.cfg.Bounds = Bounds{Since: began.Add(60 * time.Hour)}
	b.sync()
	if got := b.turns(Filter{}); len(got) != 2 {
		t.Errorf("a turn left the index because it aged: %v", got)
	}
	b.cfg.Bounds = Bounds{}
	b.sync()
	if got := b.turns(Filter{}); len(got) != 3 {
		t.Errorf("everything: %v", got)
	}
}

func TestMaxSessions(t *testing.T) {
	b := newBench(t)
	for i, s := range []string{"s1", "s2", "s3"} {
		b.src.AppendRecords(s, pair("t"+s, "question", "answer", 60*i))
	}
	b.cfg.Bounds.MaxSessions = 2
	b.sync()
	if got := b.turns(Filter{}); !slices.Equal(got, []string{"ts2", "ts3"}) {
		t.Errorf("the newest two: %v", got)
	}
	if rep := b.sync(); rep.Added != 0 {
		t.Errorf("again: %+v", rep)
	}
}

func TestManySmallSyncsStayMerged(t *testing.T) {
	b := newBench(t)
	for i := range 60 {
		b.src.AppendRecords("s"+string(rune('a'+i%5)), pair("t"+string(rune('A'+i)), "question number", "answer", i))
		b.sync()
	}
	st, err := b.open().Status(t.Context())
	if err != nil || st.Turns != 60 || st.Shards > 15 {
		t.Errorf("after 60 syncs: %+v %v", st, err)
	}
	entries, err := os.ReadDir(filepath.Join(b.dir, published.ShardsDir))
	if err != nil || len(entries) != st.Shards {
		t.Errorf("%d files for %d shards: %v", len(entries), st.Shards, err)
	}
}

// TestAnotherAnalysisRenewsStoredText makes the index believe that it was made
// by older code, and takes a transcript away: its turn is analysed again too.
func TestAnotherAnalysisRenewsStoredText(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "answer one", 0))
	b.src.AppendRecords("s2", pair("t2", "second", "answer two", 1))
	b.sync()
	want := dump(t, b.open())
	b.src.Remove("memory:s1")
	m, err := published.ReadManifest(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	m = m.Successor()
	m.Params.Terms = "terms/0"
	staged, err := m.Stage(files.OS{}, b.dir)
	if err == nil {
		err = staged.Publish()
	}
	if err != nil {
		t.Fatal(err)
	}
	opens := b.src.Opens()
	rep := b.sync()
	if rep.Added+rep.Changed != 0 || b.src.Opens() != opens {
		t.Errorf("another analysis: %+v, %d opens", rep, b.src.Opens()-opens)
	}
	if got := dump(t, b.open()); got != want {
		t.Errorf("renewed:\n%s\nwas:\n%s", got, want)
	}
	if m, err := published.ReadManifest(b.dir); err != nil || m.Params.Terms == "terms/0" {
		t.Errorf("the manifest still says %v %v", m.Params, err)
	}
}

// TestContinuedTranscriptIsFamily reads the continuation before and after what
// it continues.
func TestContinuedTranscriptIsFamily(t *testing.T) {
	older := []sources.Event{
		{Kind: sources.Prompt, ID: "t1", Text: "begin", Time: began},
		{Kind: sources.AssistantText, ID: "a1", Parent: "t1", Text: "begun", Time: began},
	}
	newer := []sources.Event{
		{Kind: sources.Compaction, ID: "c1", Parent: "a1", Time: began.Add(time.Hour)},
		{Kind: sources.Prompt, ID: "t2", Parent: "c1", Text: "go on", Time: began.Add(time.Hour)},
		{Kind: sources.AssistantText, ID: "a2", Parent: "t2", Text: "gone on", Time: began.Add(time.Hour)},
	}
	for _, newerFirst := range []bool{false, true} {
		b := newBench(t)
		add := func(session string, events []sources.Event) {
			b.src.Append(sources.Info{Session: session}, events...)
			b.sync()
		}
		if newerFirst {
			add("newer", newer)
			add("older", older)
		} else {
			add("older", older)
			add("newer", newer)
		}
		if got := b.turns(Filter{Exclude: []string{"older"}}); len(got) != 0 {
			t.Errorf("newer first %v: without the older one's family %v is left", newerFirst, got)
		}
		b.src.Append(sources.Info{Session: "newer"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "named", Time: began.Add(2 * time.Hour)})
		b.sync()
		if rep := b.sync(); rep.RecordsChanged != 0 {
			t.Errorf("newer first %v: the record does not settle: %+v", newerFirst, rep)
		}
		if got := b.turns(Filter{Exclude: []string{"newer"}}); len(got) != 0 {
			t.Errorf("newer first %v: the family was lost with a title: %v", newerFirst, got)
		}
	}
}

func TestSessionOutOfItsLaneIsNone(t *testing.T) {
	b := newBench(t)
	script := pair("t1", "review this change", "fine", 0)
	script.Lane = sources.Headless
	b.src.AppendRecords("s1", script)
	if rep := b.sync(); rep.Turns != 0 || rep.Sessions != 0 || rep.Records != 0 {
		t.Errorf("a headless session: %+v", rep)
	}
	b.cfg.Bounds.Lanes, b.par.Include = []sources.Lane{sources.Headless}, []string{IncludeHeadless}
	if rep := b.sync(); rep.Added != 1 || rep.Sessions != 1 {
		t.Errorf("included: %+v", rep)
	}
}
