package corpus

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// An amendment is a turn of an unsealed shard that moved since it was added.
type amendment struct {
	id     signal.Hash
	doc    uint32
	places []stored.Place
}

// movedIn are those of b, in the order of their documents.
func (r *run) movedIn(b *builder) (list []amendment) {
	for id, places := range r.moved {
		if s := b.slots[shard.Turn].of(id); s != nil && !s.gone {
			list = append(list, amendment{id, s.doc, places})
		}
	}
	slices.SortFunc(list, func(x, y amendment) int { return cmp.Compare(x.doc, y.doc) })
	return list
}

// amendAll brings turns up to date, as far as the shard can still be changed, and
// returns those.
func (b *builder) amendAll(list []amendment) (done []amendment, err error) {
	for _, a := range list {
		ok, err := b.amend(a.doc, a.places)
		if err != nil {
			return nil, err
		}
		if ok {
			done = append(done, a)
		}
	}
	return done, nil
}

// amended notes what amendAll did. Holds mu.
func (r *run) amended(b *builder, done []amendment) {
	for _, a := range done {
		s := b.slots[shard.Turn].of(a.id)
		b.slots[shard.Turn].move(s, a.places)
		r.note(a.id, s.hash, a.places)
		delete(r.moved, a.id)
	}
}

// amendMoved is all of that. Holds mu.
func (r *run) amendMoved(b *builder) error {
	done, err := b.amendAll(r.movedIn(b))
	r.amended(b, done)
	return err
}

// amend gives a turn of the unsealed shard other places. It is false when it is too
// late for that, or when a session is no longer among them.
func (b *builder) amend(doc uint32, places []stored.Place) (ok bool, err error) {
	a := &b.author
	return b.writer.Amend(doc, func(flags uint32, meta []byte) (d shard.Doc, ok bool, err error) {
		m, err := stored.UnpackTurn(meta)
		if err != nil {
			return d, false, err
		}
		for _, p := range m.Places {
			if !slices.ContainsFunc(places, func(q stored.Place) bool { return q.Session == p.Session }) {
				return d, false, nil
			}
		}
		m.Places = places
		a.meta = stored.AppendTurn(a.meta[:0], m)
		a.facets = appendPlaceFacets(a.facets[:0], places)
		return shard.Doc{Session: places[0].Session, Flags: placeFlags(flags, places), Meta: a.meta, Facets: a.facets}, true, nil
	})
}

// spread shares the turns that moved and are in sealed shards out among the
// builders. One that had a turn once cannot have it again: a shard holds a key once.
func (r *run) spread() ([][]signal.Hash, error) {
	lists := make([][]signal.Hash, len(r.builders))
	for i, id := range r.moves() {
		e, err := r.locate(shard.Turn, id)
		if err != nil {
			return nil, err
		}
		if e == nil || e.slot != nil {
			continue
		}
		for k := range lists {
			if to := (i + k) % len(lists); r.builders[to].slots[shard.Turn].of(id) == nil {
				lists[to] = append(lists[to], id)
				break
			}
		}
	}
	return lists, nil
}

// moves are the turns that moved, in a fixed order.
func (r *run) moves() []signal.Hash {
	return slices.SortedFunc(maps.Keys(r.moved), func(a, b signal.Hash) int { return slices.Compare(a[:], b[:]) })
}

// moveInto writes turns again into b, which is not sealed yet.
func (r *run) moveInto(b *builder, ids []signal.Hash) error {
	for _, id := range ids {
		r.mu.Lock()
		places := r.moved[id]
		e, err := r.locate(shard.Turn, id)
		r.mu.Unlock()
		if err != nil {
			return err
		}
		doc, err := b.author.moved(e.ref, places)
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.retire(shard.Turn, id, e)
		r.claim(b, id, doc.Hash, places)
		delete(r.moved, id)
		r.mu.Unlock()
		if err := b.add(doc); err != nil {
			return err
		}
	}
	return nil
}

// moveTurns writes the other turns again of which only the places changed. It runs
// when everything else is sealed, so that their content can be read back wherever it
// is.
func (r *run) moveTurns() error {
	if len(r.moved) == 0 {
		return nil
	}
	b := r.newBuilder()
	author := &r.builders[0].author // a worker's, if there was one: it knows the words
	for _, id := range r.moves() {
		places := r.moved[id]
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
	clear(r.moved)
	return r.seal(b)
}

// moved is the document at ref with other places.
func (a *author) moved(ref published.Ref, places []stored.Place) (shard.Doc, error) {
	s, err := readRaw(shard.Turn, ref)
	if err != nil {
		return shard.Doc{}, err
	}
	m, err := stored.UnpackTurn(s.meta)
	if err != nil {
		return shard.Doc{}, err
	}
	c := s.content(m)
	return a.document(&c, places), nil
}
