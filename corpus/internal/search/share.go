package search

import (
	"cmp"
	"runtime"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/published"
)

// A share is the blocks of a view that processors go through together.
type share struct {
	view   int
	k      *skipper // of the one that began
	blocks uint32
	each   uint32        // how many are taken at a time
	next   atomic.Uint32 // to be taken
}

// alone reports whether one takes all blocks at once.
func (s *share) alone() bool { return s.each >= s.blocks }

// shared goes through the blocks of views, on all processors where there are
// many.
func (q *Search) shared(views []int, do func(view int, k *skipper, from, to uint32) error) error {
	procs, workers := runtime.GOMAXPROCS(0), 1
	shares := make([]share, len(views))
	for n, i := range views {
		s := &shares[n]
		s.view, s.k, s.blocks = i, q.skips.views[i], q.skips.views[i].blocks()
		s.each = max(1, min(q.scale.Share, s.blocks/uint32(8*procs))) // so that nobody waits long for the last
		if w := int(s.blocks / q.scale.Share); w >= 2 {
			workers = min(procs, max(workers, w))
		} else {
			s.each = s.blocks
		}
	}
	return q.goThrough(shares, workers, do)
}

// goThrough has some goroutines go through shares.
func (q *Search) goThrough(shares []share, workers int, do func(view int, k *skipper, from, to uint32) error) error {
	errs := make([]error, workers)
	twins := q.twins(shares, workers)
	together(workers, func(n int) {
		for at := range shares {
			s := &shares[at]
			from := s.next.Add(s.each) - s.each
			if from >= s.blocks {
				continue
			}
			k := s.k
			if n > 0 && !s.alone() {
				k = twins[n][at]
			}
			err := q.snap.Protected(func() error {
				return k.writing(func() error {
					for ; from < s.blocks; from = s.next.Add(s.each) - s.each {
						if err := do(s.view, k, from, min(from+s.each, s.blocks)); err != nil {
							return err
						}
					}
					return nil
				})
			})
			if err != nil {
				errs[n] = published.Damage(q.snap.views[s.view].Name, err)
				return
			}
		}
	})
	q.keepTwins(twins)
	return cmp.Or(errs...)
}

// twins are skippers for each goroutine but the first, by number and share: nil where
// one takes all blocks. They are made before those of the shares are written on.
func (q *Search) twins(shares []share, workers int) [][]*skipper {
	all := make([][]*skipper, workers)
	for n := 1; n < workers; n++ {
		all[n] = make([]*skipper, len(shares))
		for at := range shares {
			if s := &shares[at]; !s.alone() {
				all[n][at] = q.searcher.skipper()
				all[n][at].twin(s.k)
			}
		}
	}
	return all
}

// keepTwins takes them back.
func (q *Search) keepTwins(all [][]*skipper) {
	for _, twins := range all {
		for _, k := range twins {
			q.searcher.keepSkipper(k)
		}
	}
}
