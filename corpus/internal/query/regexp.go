package query

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// An Expression is a regular expression that is looked for in the texts of a snapshot.
type Expression struct {
	re    *regexp.Regexp
	need  need
	snap  *published.Snapshot
	texts *Texts
}

// NewExpression says what a text must hold to be matched by re.
func NewExpression(s *published.Snapshot, re *regexp.Regexp, texts *Texts) (*Expression, error) {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return nil, err
	}
	return &Expression{re, needOf(parsed), s, texts}, nil
}

// Matching returns the turns of docs of which a text in one of the surfaces matches.
// It reads those that have the words which a match needs, on all processors.
func (e *Expression) Matching(ctx context.Context, v *published.View, docs *postings.Set, searched surfaces.Set) (*postings.Set, error) {
	have, err := meeting(v, &e.need, searched.Names())
	if err != nil {
		return nil, err
	}
	if have != nil {
		docs = postings.And(docs, have)
	}
	matches := func(_ uint32, s surfaces.Name, text string) bool { return searched.Has(s) && e.re.MatchString(text) }
	at := &place{snap: e.snap, texts: e.texts, view: v, kind: shard.Turn}
	return at.verify(ctx, docs, func(*terms.Analyzer) acceptor { return acceptor{text: matches, done: func() {}} })
}

// A need is what a text must hold to be matched by an expression. The zero value
// is met by all texts.
type need struct {
	run  string // small letters and digits that stand together; "": what list says
	any  bool   // one of list; false: all of it
	list []need
}

// shortestRun is how few characters of a run are looked for: shorter ones stand
// in too many words to leave texts out.
const shortestRun = 3

// needOf reads what matches of an expression have in common (Cox, Regular
// Expression Matching with a Trigram Index, 2012, with words in place of
// trigrams).
func needOf(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpLiteral:
		return runs(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var all need
		for _, sub := range re.Sub {
			if n := needOf(sub); !n.none() {
				all.list = append(all.list, n)
			}
		}
		return all
	case syntax.OpAlternate:
		either := need{any: true}
		for _, sub := range re.Sub {
			n := needOf(sub)
			if n.none() {
				return need{}
			}
			either.list = append(either.list, n)
		}
		return either
	}
	return need{}
}

func (n *need) none() bool { return n.run == "" && len(n.list) == 0 }

// runs are the letters and digits of a literal. Those beyond ASCII divide them:
// terms spell some of them otherwise.
func runs(literal []rune) (all need) {
	plain := func(r rune) bool { return r < 0x80 && isWordRune(r) }
	for _, run := range strings.FieldsFunc(string(literal), func(r rune) bool { return !plain(r) }) {
		if len(run) >= shortestRun {
			all.list = append(all.list, need{run: strings.ToLower(run)})
		}
	}
	return all
}

// meeting returns the turns of which a text in one of the surfaces may be what n
// says; nil is all of them.
func meeting(v *published.View, n *need, searched []surfaces.Name) (*postings.Set, error) {
	switch {
	case n.none():
		return nil, nil
	case n.run != "":
		return withRun(v, n.run, searched)
	}
	var met *postings.Set
	for i := range n.list {
		one, err := meeting(v, &n.list[i], searched)
		switch {
		case err != nil:
			return nil, err
		case met == nil:
			met = one
		case n.any:
			met.Or(one)
		default:
			met = postings.And(met, one)
		}
	}
	return met, nil
}

// withRun returns the turns with a word that may hold the run.
func withRun(v *published.View, run string, searched []surfaces.Name) (*postings.Set, error) {
	any := postings.New()
	for _, name := range searched {
		var keys []string
		err := v.Match(name, shard.Containing(run, terms.CutMark), func(term string, _ int) bool {
			keys = append(keys, term)
			return true
		})
		if err != nil {
			return nil, err
		}
		one, err := withAny(v, name, keys)
		if err != nil {
			return nil, err
		}
		any.Or(one)
	}
	return any, nil
}
