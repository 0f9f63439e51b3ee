package query

import (
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// withPhrase returns the documents of set in a text of which the phrase stands:
// it reads those that have all its words in one surface.
func (p *place) withPhrase(ctx context.Context, d *demand, set *postings.Set) (*postings.Set, error) {
	var could surfaceSets
	all := postings.New()
	for _, name := range p.searched {
		one, err := withAll(p.view, d.keys, set, []surfaces.Name{name})
		if err != nil {
			return nil, err
		}
		could = append(could, surfaceSet{name, one})
		all.Or(one)
	}
	return p.verify(ctx, all, func(a *terms.Analyzer) acceptor {
		f := newPhraseFinder(d, a)
		pieces := p.texts.Pieces(p.view.Reader, f.matcher, f.asked())
		return acceptor{
			text: func(doc uint32, s surfaces.Name, text string) bool {
				return could.has(s, doc) && f.stands(text)
			},
			pieces: pieces,
			packed: func(doc uint32, s surfaces.Name, codes []uint16) bool {
				return could.has(s, doc) && f.standsIn(codes, pieces)
			},
			done: func() {
				p.texts.KeepPieces(pieces)
				f.matcher.Release()
			},
		}
	})
}

// surfaceSets are documents by surface.
type surfaceSets []surfaceSet

type surfaceSet struct {
	surface surfaces.Name
	docs    *postings.Set
}

func (s surfaceSets) has(name surfaces.Name, doc uint32) bool {
	for i := range s {
		if s[i].surface == name {
			return s[i].docs.Contains(doc)
		}
	}
	return false
}

// A phraseFinder looks for a phrase in texts. It is for one goroutine.
type phraseFinder struct {
	*demand
	matcher *terms.Matcher
	words   [][]int                // of each target, where it stands in the phrase; nil for one that was before
	begun   []begunPhrase          // of the text at hand, by place: no more can be open at once than the phrase is long
	found   bool                   // likewise
	take    func(terms.Match) bool // note
}

func newPhraseFinder(d *demand, a *terms.Analyzer) *phraseFinder {
	f := &phraseFinder{
		demand: d, matcher: terms.NewMatcher(a, d.phrase), words: make([][]int, len(d.phrase)), begun: make([]begunPhrase, slices.Max(d.at)+1),
	}
	for i, t := range d.phrase {
		first := slices.Index(d.phrase, t)
		f.words[first] = append(f.words[first], i)
	}
	f.take = f.note
	return f
}

// A begunPhrase is a place where the phrase could begin, with the number of its
// words that stand there, from the first on; without any it is none.
type begunPhrase struct{ pos, words int }

// begin readies the finder for another text.
func (f *phraseFinder) begin() {
	clear(f.begun)
	f.found = false
}

// stands reports whether the phrase is in text.
func (f *phraseFinder) stands(text string) bool {
	f.begin()
	f.matcher.Scan(text, f.take)
	return f.found
}

// standsIn is stands for a text that is packed.
func (f *phraseFinder) standsIn(codes []uint16, text terms.PieceBytes) bool {
	f.begin()
	f.matcher.ScanPieces(codes, text, f.take)
	return f.found
}

// note takes what stands in a text, until the phrase does.
func (f *phraseFinder) note(m terms.Match) (more bool) {
	if !m.Exact && !f.forms {
		return true
	}
	for _, i := range f.words[m.Target] {
		if f.goesOn(m.Pos-f.at[i], i) && i+1 == len(f.phrase) {
			f.found = true
			return false
		}
	}
	return true
}

// goesOn reports whether word i of a phrase that begins at pos comes after those
// before it, and notes it.
func (f *phraseFinder) goesOn(pos, i int) bool {
	if pos < 0 {
		return false
	}
	b := &f.begun[pos%len(f.begun)]
	switch {
	case i == 0 && (b.words == 0 || b.pos != pos):
		*b = begunPhrase{pos, 1}
	case i > 0 && b.words == i && b.pos == pos:
		b.words++
	default:
		return i == 0
	}
	return true
}

// asked says what words do to the phrase, if that can be said of them one by one:
// where it has no gaps.
func (f *phraseFinder) asked() (a shard.Asked) {
	for i := range f.at {
		if f.at[i] != i {
			return a
		}
	}
	a.Step, a.Steps = f.step, min(len(f.phrase), shard.StepWords)
	return a
}

// step is what a piece does to the phrase, by its code.
func (f *phraseFinder) step(code uint16) (s uint16) {
	alone := f.matcher.Alone(code, func(m terms.Match) {
		for i := range min(len(f.phrase), shard.StepWords) {
			if f.phrase[i] == f.phrase[m.Target] && (m.Exact || f.forms) {
				s |= shard.StepIs(i)
			}
		}
	})
	for _, one := range []struct {
		is  bool
		bit uint16
	}{{alone.Ends, shard.StepEnds}, {alone.Word, shard.StepWord}, {alone.Led, shard.StepLed}, {alone.After, shard.StepAfter}, {alone.Joins, shard.StepJoins}, {alone.Target, shard.StepTarget}} {
		if one.is {
			s |= one.bit
		}
	}
	return s
}
