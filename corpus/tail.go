package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// The tail is sealed, that is written and published, when it holds tailTurns
// turns or its oldest has waited tailAge, at the next Add, Flush, Sync or Close.
const (
	tailTurns = 256
	tailAge   = time.Second

	// tailGroup one-turn shards in memory become one, so that a search of the tail
	// opens at most 2*tailGroup of them.
	tailGroup = 16
)

// A tail is what Add took and nobody wrote yet: a run whose shards are in
// memory, searchable in this process at once.
type tail struct {
	run   *run
	b     *builder
	small int // shards at the end of run.sealed that hold one turn
	turns int
	since time.Time

	failed error // of an Add that had begun to change what the tail holds
}

// Add takes one turn of a session into the corpus. It is searchable through
// Snapshot when Add returns, and durable and visible to everybody after Flush. A
// turn that is known with the same content costs a look-up; one that is known
// with another is replaced. The session's titles and summaries are recorded too.
// After an error of Add itself nothing more is taken until Flush has told what
// was lost; where ctx was done before, nothing happened.
//
// Both need an ID. The turn is placed in s, with its Path. What else answers show of it
// is its own, but for what it leaves empty: Source, Project and Lane are then those of s,
// the Lane of neither is Main; a turn with a Summary is Final, with a Partial alone Open,
// else NoReply; and its Messages, which are what Session and windows show, are its prompt
// and its answer. The slices of both are Add's from then on: secrets are replaced in them.
func (ix *Indexer) Add(ctx context.Context, s segment.Session, t segment.Turn) error {
	if err := cmp.Or(ix.usable(), ctx.Err()); err != nil {
		return err
	}
	if s.ID == "" || t.ID == "" {
		return errors.New("adding a turn: it, or its session, has no ID")
	}
	if ix.tail != nil && (ix.tail.turns >= tailTurns || ix.cfg.Now().Sub(ix.tail.since) >= tailAge) {
		if err := ix.Flush(ctx); err != nil {
			return err
		}
	}
	if ix.tail == nil {
		ix.tail = ix.beginTail()
	}
	if ix.tail.failed != nil {
		return ix.tail.failed
	}
	err := ix.tail.add(s, t)
	ix.tail.failed = err
	return err
}

func (ix *Indexer) beginTail() *tail {
	r := ix.begin(SyncOptions{Small: true})
	if r.man.Params.Strategy == "" {
		r.man.Params = Params{}.manifest(ix.cfg.Strategy)
	}
	return &tail{run: r, b: r.newBuilder(), since: r.started}
}

func (t *tail) add(s segment.Session, turn segment.Turn) error {
	if t.run.forgottenSession(&s, s.ID) {
		return nil
	}
	complete(&s, &turn)
	d := t.b.author.draft(&turn, stored.Place{
		Session: s.ID, Path: s.Path, Began: millis(s.Created), First: turn.First,
		Messages: len(turn.Messages), Complete: turn.State == segment.Final,
	})
	docs, err := t.turnDocs(d)
	if err != nil {
		return err
	}
	record, write, err := t.run.decideRecord(t.b, s, s.Path)
	if err != nil {
		return err
	}
	if write {
		record.Fields = keepFields(t.b.author.analyse(record.Passages))
		docs = append(docs, record)
	}
	if len(docs) == 0 {
		return nil
	}
	t.turns++
	if err := t.build(docs); err != nil {
		return err
	}
	return t.regroup()
}

// complete fills in what who adds a turn left out, see Add.
func complete(s *segment.Session, t *segment.Turn) {
	t.Source, t.Project = cmp.Or(t.Source, s.Source), cmp.Or(t.Project, s.Project)
	t.Lane = cmp.Or(t.Lane, s.Lane, sources.Main)
	s.Lane = cmp.Or(s.Lane, t.Lane)
	if t.State == "" {
		switch {
		case t.Summary != "":
			t.State = segment.Final
		case t.Partial != "":
			t.State = segment.Open
		default:
			t.State = segment.NoReply
		}
	}
	if t.Messages != nil {
		return
	}
	for _, m := range []segment.Message{{Role: segment.User, Time: t.Created, Text: t.Prompt}, {Role: segment.Assistant, Time: t.Updated, Text: t.Answer()}} {
		if m.Text != "" {
			t.Messages = append(t.Messages, m)
		}
	}
}

// turnDocs decides about a turn and returns what has to be written for it.
func (t *tail) turnDocs(d *draft) ([]shard.Doc, error) {
	id := signal.Of(d.turn.ID)
	places, err := t.run.decide(t.b, id, d)
	if err != nil {
		return nil, err
	}
	var doc shard.Doc
	switch moved, only := t.run.moved[id]; {
	case places != nil:
		c := d.content()
		doc = t.b.author.document(&c, places)
	case only:
		var e *sighting
		if e, err = t.run.known(id); err == nil {
			doc, err = t.b.author.moved(e.ref, moved)
			t.run.retire(shard.Turn, id, e)
			t.run.claim(t.b, id, doc.Hash, moved)
			delete(t.run.moved, id)
		}
	default:
		return nil, nil
	}
	doc.Fields = keepFields(doc.Fields)
	return []shard.Doc{doc}, err
}

// keepFields copies what analyse returned, to outlive its next call.
func keepFields(fs []shard.Field) []shard.Field {
	fs = slices.Clone(fs)
	for i := range fs {
		fs[i].Counts, fs[i].Marks = slices.Clone(fs[i].Counts), slices.Clone(fs[i].Marks)
	}
	return fs
}

// build makes a shard in memory.
func (t *tail) build(docs []shard.Doc) error {
	b, err := shard.Build(slices.Values(docs))
	if err != nil {
		return fmt.Errorf("adding to the tail: %w", err)
	}
	t.small++
	return t.open(b)
}

func (t *tail) open(b []byte) error {
	r, err := shard.OpenBytes(b)
	if err != nil {
		return fmt.Errorf("adding to the tail: %w", err)
	}
	h := published.NewHandle(r, fmt.Sprintf("tail-%d", t.run.next.Add(1)))
	t.run.sealed = append(t.run.sealed, &published.View{Handle: h, Gone: t.b.gone})
	t.b.reset()
	return nil
}

// regroup makes one shard of the last tailGroup small ones.
func (t *tail) regroup() error {
	if t.small < tailGroup {
		return nil
	}
	views := t.run.sealed[len(t.run.sealed)-tailGroup:]
	b, err := shard.MergeBytes(t.run.inputs(views))
	if err != nil {
		return fmt.Errorf("merging the tail: %w", err)
	}
	t.run.drop(views)
	t.small = 0
	return t.open(b)
}

// inputs are the views without what is gone.
func (r *run) inputs(views []*published.View) []shard.Input {
	var inputs []shard.Input
	for _, v := range views {
		gone := r.goneOf(v)
		inputs = append(inputs, shard.Input{Reader: v.Reader, GoneTurns: gone[shard.Turn], GoneSessions: gone[shard.Session]})
	}
	return inputs
}

// drop lets go of the run's last shards, which views are.
func (r *run) drop(views []*published.View) {
	for _, v := range views {
		delete(r.gone, v)
		v.Release()
	}
	r.sealed = slices.Clone(r.sealed[:len(r.sealed)-len(views)])
}

// goneOf is all that is gone of a view, before the run and by it.
func (r *run) goneOf(v *published.View) published.Gone { return v.Gone.With(r.gone[v]) }

// Snapshot returns a reader of what is published and of the tail. It is for
// this process only and stays as it is; close it after use.
func (ix *Indexer) Snapshot() (*Corpus, error) {
	if err := ix.usable(); err != nil {
		return nil, err
	}
	c := &Corpus{Name: ix.cfg.Name, dir: ix.cfg.Dir, fixed: true}
	if ix.tail == nil {
		c.cur = ix.snap.Retain()
		return c, nil
	}
	s, err := ix.tail.run.snapshot()
	c.cur = s
	return c, err
}

// snapshot is the published state with what the run did on top.
func (r *run) snapshot() (*published.Snapshot, error) {
	m := *r.man
	m.Shards = nil
	s := published.NewSnapshot(&m)
	for _, views := range [][]*published.View{r.base.Views, r.sealed} {
		for _, v := range views {
			e, err := r.entryOf(v)
			if err != nil {
				return nil, err
			}
			if e != nil {
				m.Shards = append(m.Shards, *e)
				s.Views = append(s.Views, &published.View{Handle: v.Handle.Retain(), Gone: r.goneOf(v)})
			}
		}
	}
	return s, nil
}

// release drops the tail without writing it.
func (t *tail) release() {
	if t != nil {
		t.run.end()
	}
}
