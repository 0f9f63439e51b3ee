package query

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A place is documents of a kind, the surfaces in which something is looked for, and
// what their texts are read with.
type place struct {
	snap     *published.Snapshot
	texts    *Texts
	view     *published.View
	kind     shard.Kind
	searched []surfaces.Name
}

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
func (p *place) verify(ctx context.Context, set *postings.Set, makes func(*terms.Analyzer) acceptor) (*postings.Set, error) {
	docs := set.Slice()
	workers := max(1, min(runtime.GOMAXPROCS(0), len(docs)/readShare))
	found, errs := make([][]uint32, workers), make([]error, workers)
	var next atomic.Int64
	work := func(n int) {
		a := p.texts.Analyzer()
		defer p.texts.KeepAnalyzer(a)
		accept := makes(a)
		defer accept.done()
		errs[n] = p.snap.Protected(func() error {
			for from := int(next.Add(readShare)) - readShare; from < len(docs); from = int(next.Add(readShare)) - readShare {
				some, err := p.accepted(ctx, docs[from:min(from+readShare, len(docs))], &accept)
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

// accepted returns which of the documents have a text that is accepted.
func (p *place) accepted(ctx context.Context, docs []uint32, accept *acceptor) (out []uint32, err error) {
	for _, doc := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := p.accepts(doc, accept)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, doc)
		}
	}
	return out, nil
}

// accepts reads the texts of a document until one is accepted.
func (p *place) accepts(doc uint32, accept *acceptor) (ok bool, err error) {
	if accept.pieces != nil {
		read, err := accept.pieces.Read(p.kind, doc, func(s surfaces.Name, codes []uint16) (more bool) {
			ok = accept.packed(doc, s, codes)
			return !ok
		})
		if read || err != nil {
			return ok, err
		}
	}
	ok = false
	err = p.view.ReadPassages(p.kind, doc, func(s surfaces.Name, text string) { ok = ok || accept.text(doc, s, text) })
	return ok, err
}
