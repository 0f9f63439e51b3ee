package corpus

import (
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// place puts a transcript of n turns of session s at path.
func (b *bench) place(path string, n int) {
	var events []sources.Event
	for i, id := range []string{"t1", "t2", "t3"}[:n] {
		events = append(events, pair(id, "question "+id, "answer "+id, i).Events()...)
	}
	b.src.Replace(sources.Info{Session: "s", Path: path}, events...)
}

// TestMovedTranscript: a transcript that is found at another path is not gone, in
// whatever order it was copied, deleted and looked for.
func TestMovedTranscript(t *testing.T) {
	for _, test := range []struct {
		name string
		move func(b *bench)
	}{
		{"moved", func(b *bench) { b.src.Remove("memory:a"); b.place("memory:b", 2) }},
		{"copied, then deleted", func(b *bench) { b.place("memory:b", 2); b.sync(); b.src.Remove("memory:a") }},
		{"deleted, then restored", func(b *bench) { b.src.Remove("memory:a"); b.sync(); b.place("memory:b", 2) }},
		{"moved and grown", func(b *bench) { b.src.Remove("memory:a"); b.place("memory:b", 3) }},
		{"copied, then deleted and grown", func(b *bench) {
			b.place("memory:b", 2)
			b.sync()
			b.src.Remove("memory:a")
			b.place("memory:b", 3)
		}},
		{"there and back", func(b *bench) {
			b.src.Remove("memory:a")
			b.place("memory:c", 2)
			b.sync()
			b.src.Remove("memory:c")
			b.place("memory:b", 2)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.place("memory:a", 2)
			b.sync()
			test.move(b)
			if rep := b.sync(); rep.Transcripts.Gone != 0 {
				t.Errorf("gone: %+v", rep.Transcripts)
			}
			c := b.open()
			st, err := c.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if st.Missing != 0 || len(st.Sources) != 1 || st.Sources[0].Transcripts != 1 || st.Sources[0].Gone != 0 {
				t.Errorf("%d turns missing, %+v", st.Missing, st.Sources)
			}
			for r, err := range c.Export(t.Context(), Filter{}) {
				if err != nil {
					t.Fatal(err)
				}
				if r.Path != "memory:b" {
					t.Errorf("%s at %s", r.TurnID, r.Path)
				}
			}
			list, err := c.Sessions(t.Context(), Filter{}, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Sessions) != 1 || list.Sessions[0].Path != "memory:b" {
				t.Errorf("sessions: %+v", list.Sessions)
			}
			if rep := b.sync(); rep.Transcripts.Opened != 0 {
				t.Errorf("opened again: %+v", rep.Transcripts)
			}
		})
	}
}

// TestShortenedCopy: where less is left of a session than there was, the rest is gone.
func TestShortenedCopy(t *testing.T) {
	b := newBench(t)
	b.place("memory:a", 3)
	b.sync()
	b.src.Remove("memory:a")
	b.place("memory:b", 1)
	if rep := b.sync(); rep.Transcripts.Gone != 1 || rep.Turns != 3 {
		t.Errorf("%+v", rep)
	}
}

// TestOtherCopy: of two copies that went on on their own, each counts.
func TestOtherCopy(t *testing.T) {
	b := newBench(t)
	put := func(path string, ids ...string) {
		var events []sources.Event
		for i, id := range ids {
			events = append(events, pair(id, "question "+id, "answer "+id, i).Events()...)
		}
		b.src.Replace(sources.Info{Session: "s", Path: path}, events...)
	}
	put("memory:a", "t1", "t2", "t3")
	put("memory:b", "t1", "t4")
	b.sync()
	b.src.Remove("memory:b")
	if rep := b.sync(); rep.Transcripts.Gone != 1 {
		t.Errorf("gone: %+v", rep.Transcripts)
	}
	put("memory:c", "t1", "t4")
	if rep := b.sync(); rep.Transcripts.Gone != 0 {
		t.Errorf("gone: %+v", rep.Transcripts)
	}
	for r, err := range b.open().Export(t.Context(), Filter{}) {
		if err != nil || r.TurnID == "t4" && r.Path != "memory:c" {
			t.Error(r, err)
		}
	}
}

// TestGoneOfNothing: a transcript that held no turn, or was out of bounds, does not
// count as gone: nothing that was said there is kept.
func TestGoneOfNothing(t *testing.T) {
	b := newBench(t)
	b.cfg.Bounds.Projects = []string{"api"}
	b.src.AppendRecords("in", pair("t1", "first", "answer one", 0))
	elsewhere := pair("t2", "second", "answer two", 1)
	elsewhere.Cwd = "/home/u/web"
	b.src.AppendRecords("out", elsewhere)
	b.src.Append(sources.Info{Session: "empty"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "A name", Time: began})
	b.sync()
	for _, s := range []string{"in", "out", "empty"} {
		b.src.Remove("memory:" + s)
	}
	for range 2 {
		if rep := b.sync(); rep.Transcripts.Gone != 1 {
			t.Errorf("gone: %+v", rep.Transcripts)
		}
	}
	st, err := b.open().Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if st.Missing != 1 || st.Sources[0].Transcripts != 1 || st.Sources[0].Gone != 1 {
		t.Errorf("%d turns missing, %+v", st.Missing, st.Sources)
	}
}
