package search

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// accepts decides about a text of a document.
type accepts func(doc uint32, s surfaces.Name, text string) bool

// An acceptor decides about texts of documents. It is for one goroutine.
type acceptor struct {
	text   accepts
	pieces *shard.Pieces // reads texts as they are packed; nil: text decides about all
	packed func(doc uint32, s surfaces.Name, codes []uint16) bool
	done   func() // called at the end
}

// readShare is how many documents a processor reads before it asks for more.
const readShare = 64

// verify returns the documents of set of which a text is accepted. All
// processors read; each makes an acceptor of its own.
func (q *Search) verify(ctx context.Context, v *view, k shard.Kind, set *postings.Set, makes func(*terms.Analyzer) acceptor) (*postings.Set, error) {
	docs := set.Slice()
	workers := max(1, min(runtime.GOMAXPROCS(0), len(docs)/readShare))
	found, errs := make([][]uint32, workers), make([]error, workers)
	var next atomic.Int64
	work := func(n int) {
		a := q.searcher.analyzer()
		defer q.searcher.analyzers.Put(a)
		accept := makes(a)
		defer accept.done()
		errs[n] = q.snap.Protected(func() error {
			for from := int(next.Add(readShare)) - readShare; from < len(docs); from = int(next.Add(readShare)) - readShare {
				some, err := v.accepted(ctx, k, docs[from:min(from+readShare, len(docs))], &accept)
				if err != nil {
					return err
				}
				found[n] = append(found[n], some...)
			}
			return nil
		})
	}
	var others sync.WaitGroup
	for n := 1; n < workers; n++ {
		others.Go(func() { work(n) })
	}
	work(0)
	others.Wait()
	out := postings.New()
	for _, some := range found {
		out.AddMany(some)
	}
	return out, cmp.Or(errs...)
}

// accepted reads documents.
func (v *view) accepted(ctx context.Context, k shard.Kind, docs []uint32, accept *acceptor) (out []uint32, err error) {
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := v.accepts(k, doc, accept)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, doc)
		}
	}
	return out, nil
}

// accepts reads a document.
func (v *view) accepts(k shard.Kind, doc uint32, accept *acceptor) (ok bool, err error) {
	if accept.pieces != nil {
		read, err := accept.pieces.Read(k, doc, func(s surfaces.Name, codes []uint16) (more bool) {
			ok = accept.packed(doc, s, codes)
			return !ok
		})
		if read || err != nil {
			return ok, err
		}
	}
	ok = false
	err = v.ReadPassages(k, doc, func(s surfaces.Name, text string) { ok = ok || accept.text(doc, s, text) })
	return ok, err
}
