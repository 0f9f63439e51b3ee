package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// A search is one query over one snapshot.
type search struct {
	snap  *snapshot
	pools *searchPools
	plan  *plan
	group Group
	depth int // rows that the second stage puts in order
	// skipFrom is how many turns there are at least where scoring skips some.
	skipFrom int
	pass     []*postings.Set // by view: live turns that pass the filters; nil: all
	could    []*postings.Set // by view: live turns that meet the demands; nil: all
	found    []*viewFound    // by view, as scanned
	turns    rank.Top[row]   // rows of turns, when they are asked for
	total    int             // rows that match
	other    int             // rows that match and do not pass
	lanes    []lane          // of turns
	bound    [][]boundWord   // of turns, by view

	skips   bool    // turns that make no difference are left out
	sampled float64 // as many rows as are wanted score at least that

	demands []demand
	text    *textReader // once rows are ordered; nil where the query has no words
	means   map[surfaces.Name]float64
}

// run scores everything and returns the first rows of the first stage.
func (q *search) run(ctx context.Context, most int) ([]row, error) {
	q.turns = rank.Top[row]{Most: most, Better: compareRows}
	if err := q.prepare(); err != nil {
		return nil, err
	}
	if err := q.scanViews(ctx, most); err != nil {
		return nil, err
	}
	if err := q.unite(); err != nil {
		return nil, err
	}
	rows, err := q.rows(most)
	for _, f := range q.found {
		q.pools.keep(f)
	}
	return rows, err
}

// prepare looks words up, weighs them and applies demands.
func (q *search) prepare() error {
	s := q.snap
	if err := s.expand(q.plan); err != nil {
		return err
	}
	q.means = s.means()
	q.lanes = lanesOf(q.plan.searched, q.means, true, func(f surfaces.Surface) bool { return !f.Session })
	for _, v := range s.views {
		b, err := v.bind(q.plan, q.lanes)
		if err != nil {
			return damage(v.name, err)
		}
		q.bound = append(q.bound, b)
	}
	s.weigh(q.plan, q.bound, q.lanes)
	q.demands = q.plan.demands()
	q.could = make([]*postings.Set, len(s.views))
	if len(q.demands) == 0 {
		return nil
	}
	names := scoredNames(q.lanes)
	for i, v := range s.views {
		set, err := v.meet(shard.Turn, nil, q.demands, names)
		if err != nil {
			return damage(v.name, err)
		}
		q.could[i] = set
	}
	return nil
}

func scoredNames(lanes []lane) []surfaces.Name {
	var names []surfaces.Name
	for i := range lanes {
		if lanes[i].scored {
			names = append(names, lanes[i].surface)
		}
	}
	return names
}

// scanViews scores turns and session records. Where turns are left out, the
// views with most turns come first: they raise the floor most.
func (q *search) scanViews(ctx context.Context, most int) error {
	turns := 0
	order := make([]int, len(q.snap.views))
	for i, v := range q.snap.views {
		order[i] = i
		turns += v.Len(shard.Turn)
		f := &viewFound{view: v, hits: q.pools.sessions(v.Sessions())}
		q.found = append(q.found, f)
		if err := q.scanRecords(f); err != nil {
			return damage(v.name, err)
		}
	}
	q.skips = q.group == ByTurn && most > 0 && turns >= q.skipFrom
	scan := q.scanTurns
	if q.skips {
		scan = q.skipTurns
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(q.snap.views[b].Len(shard.Turn), q.snap.views[a].Len(shard.Turn))
		})
	}
	for _, i := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := scan(q.found[i], i); err != nil {
			return damage(q.snap.views[i].name, err)
		}
	}
	return nil
}

// turnScanner makes a scanner of a view's turns.
func (q *search) turnScanner(f *viewFound, i int) (*scanner, shard.Ords, error) {
	v := f.view
	ords, err := v.SessionOrds(shard.Turn)
	if err != nil {
		return nil, ords, err
	}
	sc := &scanner{pool: &q.pools.scratches, plan: q.plan, lanes: q.lanes, bound: q.bound[i], docs: v.Len(shard.Turn)}
	sc.many = slices.ContainsFunc(q.lanes, func(l lane) bool { return l.slot != slotPrompt })
	sc.limit(v, shard.Turn, q.could[i], q.pass[i])
	sc.tools, err = v.tooled()
	return sc, ords, err
}

func (q *search) scanTurns(f *viewFound, i int) error {
	sc, ords, err := q.turnScanner(f, i)
	if err != nil {
		return err
	}
	v := f.view
	var others func(doc uint32)
	if q.pass[i] != nil {
		others = func(doc uint32) {
			f.hit(ords.At(doc)).other = true
			if q.group == ByTurn {
				q.other++
			}
		}
	}
	return sc.scan(func(doc uint32, score float64) {
		q.turnFound(f.hit(ords.At(doc)), uint32(i), doc, score)
		if q.group == ByTurn {
			q.total++
			if q.turns.Full() && score < q.turns.Worst().score {
				return
			}
			q.turns.Add(row{ref: docRef{v, doc}, score: score, best: rank.Best{score}})
		}
	}, others)
}

// scanRecords scores titles, and summaries.
func (q *search) scanRecords(f *viewFound) error {
	v := f.view
	ords, err := v.SessionOrds(shard.Session)
	if err != nil {
		return err
	}
	all := lanesOf(q.plan.searched, q.means, false, func(s surfaces.Surface) bool { return s.Session })
	if len(all) == 0 || v.Len(shard.Session) == 0 {
		return nil
	}
	set, err := v.meet(shard.Session, nil, q.demands, scoredNames(all))
	if err != nil {
		return err
	}
	for n := range all {
		bound, err := v.bind(q.plan, all[n:n+1])
		if err != nil {
			return err
		}
		sc := &scanner{pool: &q.pools.scratches, plan: q.plan, lanes: all[n : n+1], bound: bound, docs: v.Len(shard.Session)}
		sc.limit(v, shard.Session, set, nil)
		err = sc.scan(func(doc uint32, score float64) {
			if h := f.hit(ords.At(doc)); all[n].surface == surfaces.SessionTitle {
				h.title = score
			} else {
				h.summary = score
			}
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// limit says what could match (all that is live where it is nil) and what of
// that passes (nil: all).
func (s *scanner) limit(v *view, k shard.Kind, could, pass *postings.Set) {
	for i := range s.lanes {
		s.cols = append(s.cols, v.Codes(s.lanes[i].surface))
	}
	n := v.Len(k)
	if gone := v.gone[k]; could == nil && !gone.Empty() {
		could = postings.AndNot(postings.Range(0, uint32(n)), gone)
	}
	if could != nil {
		s.live = bitsOf(could, n)
	}
	s.pass = s.live
	if pass != nil {
		s.pass = bitsOf(pass, n)
	}
}

// rows makes rows of what was found, the best first.
func (q *search) rows(most int) ([]row, error) {
	top := q.turns
	if q.group != ByTurn {
		top = rank.Top[row]{Most: most, Better: compareRows}
	}
	for _, f := range q.found {
		for _, ord := range f.touched {
			h := &f.hits[ord]
			score := rank.Session(&h.best, h.title, h.summary)
			var first docRef
			switch {
			case h.turns > 0 && q.group == ByTurn:
				continue
			case h.turns > 0:
				first = q.ref(h.view, h.doc)
			case h.title > 0 || h.summary > 0:
				id, err := f.view.SessionHash(ord)
				if err != nil {
					return nil, damage(f.view.name, err)
				}
				if q.skips {
					if match, err := q.turnsMatch(id); match || err != nil {
						if err != nil {
							return nil, err
						}
						continue
					}
				}
				r, ok, err := q.recordRow(id, h)
				if err != nil {
					return nil, err
				}
				if !ok {
					q.other++
					continue
				}
				first = r.ref
			case h.other:
				if q.group != ByTurn {
					q.other++
				}
				continue
			default:
				continue
			}
			q.total++
			if !top.Full() || score >= top.Worst().score {
				top.Add(row{ref: first, score: score, best: h.best, title: h.title, summary: h.summary, record: h.turns == 0})
			}
		}
	}
	return top.Sorted(), nil
}

// recordRow makes the row of a session of which only title or summary match;
// ok is false when none of its turns passes.
func (q *search) recordRow(id signal.Hash, h *sessionHit) (r row, ok bool, err error) {
	ref, err := q.firstTurn(id, h)
	return row{ref: ref, score: rank.Session(&rank.Best{}, h.title, h.summary), title: h.title, summary: h.summary, record: true}, ref.view != nil, err
}

// firstTurn is the turn under which a session is shown of which only title or
// summary match, or its id: its first one that passes, or the first after the
// summary that matches; no view when none passes. h may be nil.
func (q *search) firstTurn(id signal.Hash, h *sessionHit) (docRef, error) {
	after, err := q.summarised(id, h)
	if err != nil {
		return docRef{}, err
	}
	var first, later docRef
	var firstAt, laterAt int64
	for i, v := range q.snap.views {
		docs, err := v.TurnsOf(id)
		if err != nil {
			return docRef{}, damage(v.name, err)
		}
		for _, doc := range docs {
			if !v.live(shard.Turn, doc) || q.pass[i] != nil && !q.pass[i].Contains(doc) {
				continue
			}
			head, err := v.Head(shard.Turn, doc)
			if err != nil {
				return docRef{}, damage(v.name, err)
			}
			if first.view == nil || head.Created < firstAt {
				first, firstAt = docRef{v, doc}, head.Created
			}
			if after > 0 && head.Created > after && (later.view == nil || head.Created < laterAt) {
				later, laterAt = docRef{v, doc}, head.Created
			}
		}
	}
	if later.view != nil {
		return later, nil
	}
	return first, nil
}

// summarised is when the session's last summary was written, where the summary
// is what matches best; 0 otherwise.
func (q *search) summarised(id signal.Hash, h *sessionHit) (int64, error) {
	if h == nil || h.summary <= h.title {
		return 0, nil
	}
	ref, ok, err := q.snap.find(shard.Session, id)
	if err != nil || !ok {
		return 0, err
	}
	m, err := ref.sessionMeta()
	if err != nil || len(m.Summaries) == 0 {
		return 0, err
	}
	return m.Summaries[len(m.Summaries)-1].Time, nil
}
