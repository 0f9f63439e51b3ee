package corpus

import (
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// TestAddPlainTurns: a turn of which little is said is shown as one of which all is.
func TestAddPlainTurns(t *testing.T) {
	ctx := t.Context()
	ix, err := OpenIndexer(ctx, Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	s := segment.Session{ID: "session", Source: "desk", Project: "/desk"}
	for _, turn := range []segment.Turn{
		{ID: "answered", Prompt: "where is it?", Summary: "Here."},
		{ID: "begun", Prompt: "and now?", Partial: "Let me see."},
		{ID: "asked", Prompt: "why?", Lane: sources.Cron, Source: "clock", State: segment.Failed},
		{ID: "silent", Prompt: "hello?"},
	} {
		if err := ix.Add(ctx, s, turn); err != nil {
			t.Fatal(err)
		}
	}
	c, err := ix.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for id, want := range map[string]TurnRecord{
		"answered": {Source: "desk", Lane: "main", State: segment.Final, Project: "/desk", Messages: make([]MessageRecord, 2)},
		"begun":    {Source: "desk", Lane: "main", State: segment.Open, Project: "/desk", Messages: make([]MessageRecord, 2)},
		"asked":    {Source: "clock", Lane: "cron", State: segment.Failed, Project: "/desk", Messages: make([]MessageRecord, 1)},
		"silent":   {Source: "desk", Lane: "main", State: segment.NoReply, Project: "/desk", Messages: make([]MessageRecord, 1)},
	} {
		got, err := c.Turn(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if got.Source != want.Source || got.Lane != want.Lane || got.State != want.State || got.Project != want.Project || len(got.Messages) != len(want.Messages) || got.Missing {
			t.Errorf("%s: %+v", id, got)
		}
	}
	if p, err := c.Session(ctx, "session", 0, 0); err != nil || p.Total != 6 || p.Session.Missing || p.Session.Lane != "main" {
		t.Errorf("%+v %v", p, err)
	}
	if a, err := c.Search(ctx, Query{Text: "see", Filter: Filter{Lane: "main"}, Window: true, Before: 1}); err != nil || a.Total != 1 || len(a.Results[0].Window) != 2 || a.Results[0].Missing {
		t.Errorf("%+v %v", a, err)
	}
}

// TestMissingOfWhatIsNoFile: nobody says of a transcript that is no file that it is gone.
func TestMissingOfWhatIsNoFile(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "why?", "because", 1))
	b.src.Append(sources.Info{Session: "s2", Path: b.dir + "/not there"}, pair("t2", "how?", "so", 2).Events()...)
	b.sync()
	c := b.open()
	for id, want := range map[string]bool{"s1": false, "s2": true} {
		p, err := c.Session(t.Context(), id, 0, 0)
		if err != nil || p.Session.Missing != want {
			t.Errorf("%s: %+v %v", id, p, err)
		}
	}
}
