package corpus

import (
	"maps"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// keptRoom is how many bytes of content a run keeps of turns that moved.
const keptRoom = 8 << 20

// A content is what a document is made of, but for its places.
type content struct {
	meta             turnMeta
	passages         []shard.Passage
	messages         []byte
	hash             signal.Hash
	created, updated int64
	flags            uint32
}

// content is a draft's, with its passages and messages. It keeps nothing of the turn
// that is used again.
func (d *draft) content() content {
	t := d.turn
	m := turnMeta{
		ID: t.ID, Source: t.Source, Lane: t.Lane, Project: t.Project, Cwd: t.Cwd, Branch: t.Branch,
		Models: t.Models, State: t.State, Tools: t.Tools, Paths: t.Paths, Commands: t.Commands,
		Usage: t.Usage, Partial: t.Summary == "" && t.Partial != "", Abandoned: t.Abandoned, Generated: t.Generated,
	}
	m.keepTexts(d)
	return content{m, d.passages, d.messages, d.hash, millis(t.Created), millis(t.Updated), flagsOf(t, 0)}
}

// document makes the document of a content that stands at the given places, the
// first of which it was taken from.
func (a *author) document(c *content, places []place) shard.Doc {
	c.meta.Places = places
	flags := c.flags &^ flagCopied
	if len(places) > 1 {
		flags |= flagCopied
	}
	return a.turnDoc(&c.meta, c.passages, c.messages, c.hash, c.created, c.updated, flags)
}

// keep keeps what a turn that moved is made of, so that it need not be read back
// from the shard that holds it. Holds mu.
func (r *run) keep(id signal.Hash, d *draft) {
	if c := r.kept[id]; c != nil && c.hash == d.hash {
		return
	}
	n := len(d.messages)
	for _, p := range d.passages {
		n += len(p.Text)
	}
	if r.room += n; r.room <= keptRoom {
		c := d.content()
		c.passages, c.messages = slices.Clone(c.passages), slices.Clone(c.messages)
		r.kept[id] = &c
	}
}

// spread shares the turns that moved, and whose content was kept, out among the
// builders. One that had a turn once cannot have it again: a shard holds a key once.
func (r *run) spread() [][]signal.Hash {
	lists := make([][]signal.Hash, len(r.builders))
	for i, id := range r.moves() {
		if r.kept[id] == nil {
			continue
		}
		for k := range lists {
			if to := (i + k) % len(lists); r.builders[to].slots[shard.Turn].of(id) == nil {
				lists[to] = append(lists[to], id)
				break
			}
		}
	}
	return lists
}

// moves are the turns that moved, in a fixed order.
func (r *run) moves() []signal.Hash {
	return slices.SortedFunc(maps.Keys(r.replaced), func(a, b signal.Hash) int { return slices.Compare(a[:], b[:]) })
}

// moveInto writes turns again into b, which is not sealed yet.
func (r *run) moveInto(b *builder, ids []signal.Hash) error {
	for _, id := range ids {
		c, places, err := r.moveKept(b, id)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		if err := b.add(b.author.document(c, places)); err != nil {
			return err
		}
	}
	return nil
}

// moveKept gives a turn that moved to b, unless it is another than what was kept.
func (r *run) moveKept(b *builder, id signal.Hash) (*content, []place, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, places := r.kept[id], r.replaced[id]
	e, err := r.locate(shard.Turn, id)
	if err != nil || e == nil || e.hash != c.hash {
		return nil, nil, err
	}
	r.retire(shard.Turn, id, e)
	r.claim(b, id, c.hash, places)
	delete(r.replaced, id)
	return c, places, nil
}

// moveTurns writes the other documents again of which only the places changed. It
// runs when everything else is sealed, so that their content can be read back
// wherever it is.
func (r *run) moveTurns() error {
	if len(r.replaced) == 0 {
		return nil
	}
	b := r.newBuilder()
	author := &r.builders[0].author // a worker's, if there was one: it knows the words
	for _, id := range r.moves() {
		places := r.replaced[id]
		e, err := r.locate(shard.Turn, id)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		doc, err := author.moved(e.ref, places)
		if err != nil {
			return err
		}
		r.retire(shard.Turn, id, e)
		r.claim(b, id, doc.Hash, places)
		if err := b.add(doc); err != nil {
			return err
		}
	}
	clear(r.replaced)
	return r.seal(b)
}

// moved is the document at ref with other places.
func (a *author) moved(ref docRef, places []place) (shard.Doc, error) {
	s, err := readStored(shard.Turn, ref)
	if err != nil {
		return shard.Doc{}, err
	}
	m, err := unpackTurn(s.meta)
	if err != nil {
		return shard.Doc{}, err
	}
	return a.document(&content{*m, s.passages, s.messages, s.head.Hash, s.head.Created, s.head.Updated, s.head.Flags}, places), nil
}
