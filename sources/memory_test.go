package sources

import (
	"errors"
	"io/fs"
	"testing"
	"time"
)

func memoryOnly(t *testing.T, m *Memory) Transcript {
	t.Helper()
	var all []Transcript
	for tr := range m.Transcripts(t.Context()) {
		all = append(all, tr)
	}
	if len(all) != 1 {
		t.Fatalf("%d transcripts, want 1", len(all))
	}
	return all[0]
}

func TestMemoryGrowsAndCountsOpens(t *testing.T) {
	var m Memory
	at := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
	m.AppendRecords("s", Record{ID: "1", Prompt: "p", Answer: "a", Time: at})
	before := memoryOnly(t, &m).Info()
	m.AppendRecords("s", Record{ID: "2", Prompt: "q", Time: at.Add(time.Hour)})
	after := memoryOnly(t, &m)
	if in := after.Info(); in.Size != 4 || in.Size <= before.Size || in.ModTime <= before.ModTime || in.Inode != before.Inode || in.Lane != Main {
		t.Errorf("before %+v, after %+v", before, in)
	}
	if m.Opens() != 0 {
		t.Errorf("%d opens before any reading", m.Opens())
	}
	events := piAll(t, after, Position{})
	if len(events) != 4 || events[1].Text != "a" || !events[1].Time.Equal(at) || events[3].From.Offset != 3 {
		t.Errorf("events %+v", events)
	}
	if rest := piAll(t, after, events[3].From); len(rest) != 1 || rest[0].ID != "2" {
		t.Errorf("read on to %+v", rest)
	}
	if m.Opens() != 2 {
		t.Errorf("%d opens, want 2", m.Opens())
	}
}

func TestMemoryNoticesAnotherHistory(t *testing.T) {
	var m Memory
	m.AppendRecords("s", Record{ID: "1", Prompt: "p", Answer: "a"}, Record{ID: "2", Prompt: "q"})
	tr := memoryOnly(t, &m)
	from := piAll(t, tr, Position{})[3].From
	m.Replace(tr.Info(), Record{ID: "1", Prompt: "p", Answer: "A"}.Events()...)
	m.AppendRecords("s", Record{ID: "2", Prompt: "q"})
	for _, err := range tr.Events(t.Context(), from) {
		if !errors.Is(err, ErrRewritten) {
			t.Errorf("error %v, want ErrRewritten", err)
		}
	}
	inode := tr.Info().Inode
	if !m.Remove(tr.Info().Path) || m.Remove(tr.Info().Path) {
		t.Error("removing twice")
	}
	for _, err := range tr.Events(t.Context(), Position{}) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v, want not exist", err)
		}
	}
	m.AppendRecords("s")
	if memoryOnly(t, &m).Info().Inode == inode {
		t.Error("a new transcript at an old path has the old inode")
	}
}
