package corpus

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// A plainText is one surface's text of a document, counted.
type plainText struct {
	text   string
	counts map[string]uint32
	length uint32
}

// A plainTurn is a turn as the plain scorer reads it from an index.
type plainTurn struct {
	id, session      string
	created, updated int64
	day              string
	tools            bool
	passes           bool
	texts            map[surfaces.Name]plainText
}

// A plainRow is a row that the plain scorer makes.
type plainRow struct {
	id, session  string
	score, final float64
	updated      int64
	prompt       string
	near         float64
}

// A plain is a scorer that reads every text for every query and keeps no index:
// what the definition of a score says, without what makes it fast.
type plain struct {
	turns    []*plainTurn
	sessions map[string]map[surfaces.Name]plainText
	now      int64
	depth    int // of the second stage
	must     string
	not      string
}

// readPlain reads all that is live. Filters are the index's own; they have
// tests of theirs.
func readPlain(t rapid.TB, c *Corpus, f Filter) *plain {
	s, err := c.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	pass, err := s.passing(f)
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{sessions: map[string]map[surfaces.Name]plainText{}, now: s.Manifest.IndexedAt}
	for i, v := range s.Views {
		for doc := range v.LiveTurns(nil).All() {
			h, _ := v.Head(shard.Turn, doc)
			id, _ := v.Key(shard.Turn, doc)
			session, _ := v.SessionKey(h.Session)
			p.turns = append(p.turns, &plainTurn{
				id: id, session: session, created: h.Created, updated: h.Updated, day: dayOf(h.Updated),
				tools: h.Flags&stored.FlagTools != 0, passes: pass[i] == nil || pass[i].Contains(doc),
				texts: plainTexts(t, v, shard.Turn, doc),
			})
		}
		for doc := range uint32(v.Len(shard.Session)) {
			if v.Live(shard.Session, doc) {
				id, _ := v.Key(shard.Session, doc)
				p.sessions[id] = plainTexts(t, v, shard.Session, doc)
			}
		}
	}
	return p
}

func plainTexts(t rapid.TB, v *published.View, k shard.Kind, doc uint32) map[surfaces.Name]plainText {
	ps, err := v.Passages(k, doc)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[surfaces.Name]plainText{}
	var a terms.Analyzer
	for _, p := range ps {
		x := texts[p.Surface]
		if x.counts == nil {
			x.counts = map[string]uint32{}
		}
		x.length += a.Count(p.Text, func(term string, n uint32) { x.counts[term] += n })
		x.text += p.Text
		texts[p.Surface] = x
	}
	return texts
}

// A plainKey is a key of the dictionary and its share of a word's weight.
type plainKey struct {
	key   string
	share float64
}

// plainWord is a word of a query: keys with their shares, or days.
type plainWord struct {
	keys   []plainKey
	days   []string // each in whole, or how days of a month begin
	date   bool     // spells a date
	minor  bool
	whole  bool
	weight float64
	target terms.Target
}

// words reads a query of plain words only: no signs, no misspellings.
func (p *plain) words(query string) (words []plainWord, total float64) {
	var a terms.Analyzer
	seen := map[string]bool{}
	for _, t := range a.Tokens(query) {
		if seen[t.Exact] {
			continue
		}
		seen[t.Exact] = true
		w := plainWord{keys: []plainKey{{t.Term, 1}}, minor: t.Stop, whole: t.Kind == terms.Compound, target: terms.Target{Term: t.Term, Exact: t.Exact}}
		if t.Exact != t.Term {
			w.keys = []plainKey{{t.Term, 1 - rank.ExactShare}, {t.Exact, rank.ExactShare}}
		}
		words = append(words, w)
	}
	for _, d := range strings.Fields(query) {
		if day, err := time.Parse(time.DateOnly, d); err == nil {
			var week []string
			for n := -3; n <= 3; n++ {
				week = append(week, day.AddDate(0, 0, n).Format(time.DateOnly))
			}
			for i := range words {
				words[i].date = words[i].date || slices.Contains(append(strings.Split(d, "-"), d), words[i].target.Term)
			}
			for _, days := range [][]string{{day.Format("2006-01-")}, {d}, week} {
				words = append(words, plainWord{days: days, minor: true})
			}
		}
	}
	only := !slices.ContainsFunc(words, func(w plainWord) bool { return !w.minor && !w.date })
	dates := slices.ContainsFunc(words, func(w plainWord) bool { return w.days != nil })
	for i := range words {
		w := &words[i]
		if only {
			w.minor = dates && w.days == nil && !(w.date && w.whole)
		}
		docs := 0
		for _, t := range p.turns {
			if w.of(t.day) || w.in(t.texts[surfaces.UserPrompt]) || w.in(t.texts[surfaces.AssistantSummary]) {
				docs++
			}
		}
		w.weight = rank.IDF(docs, len(p.turns))
		switch {
		case w.days != nil:
			w.weight *= rank.DateShare
		case w.minor, w.date:
			w.weight *= rank.StopShare
		}
		total += w.weight
	}
	return words, total
}

// meets reports whether texts have, or have not, a word.
func (p *plain) meets(texts map[surfaces.Name]plainText, use surfaces.Set, word string, want bool) bool {
	if word == "" {
		return true
	}
	var a terms.Analyzer
	term := a.Tokens(word)[0].Term
	for name, text := range texts {
		if use.Has(name) && text.counts[term] > 0 {
			return want
		}
	}
	return !want
}

// of reports whether a word is of a day; "" is none.
func (w *plainWord) of(day string) bool {
	return slices.ContainsFunc(w.days, func(d string) bool { return strings.HasPrefix(day, d) })
}

func (w *plainWord) in(x plainText) bool { return w.days == nil && x.counts[w.target.Term] > 0 }

// mean is the mean length of a surface's texts.
func (p *plain) mean(name surfaces.Name) float64 {
	n, sum := 0, int64(0)
	count := func(x plainText) {
		if x.length > 0 {
			n, sum = n+1, sum+int64(rank.LengthOf(rank.LengthCode(x.length)))
		}
	}
	for _, t := range p.turns {
		count(t.texts[name])
	}
	for _, s := range p.sessions {
		count(s[name])
	}
	typical := map[surfaces.Name]float64{surfaces.SessionTitle: rank.TypicalTitle, surfaces.SessionSummary: rank.TypicalSummary}[name]
	return rank.Mean(sum, n, cmp.Or(typical, rank.TypicalTurn))
}

// score is a document's score through some of its surfaces. It multiplies and
// adds in the order of the definition, which the index keeps too: texts that
// score the same must do so to the last bit, or ties fall the other way.
func (p *plain) score(words []plainWord, total float64, day string, tools bool, texts map[surfaces.Name]plainText, use surfaces.Set) float64 {
	if !p.meets(texts, use, p.must, true) || !p.meets(texts, use, p.not, false) {
		return 0
	}
	sum, cover, met := 0.0, 0.0, false
	for _, minor := range []bool{false, true} {
		for _, w := range words {
			if w.minor != minor || minor && !met {
				continue
			}
			before := sum
			if w.of(day) {
				sum += w.weight
			}
			for _, k := range w.keys {
				x := map[surfaces.Name]float64{}
				for name, text := range texts {
					if use.Has(name) {
						f, _ := surfaces.Lookup(name)
						weight, b := f.Weight, rank.B
						if name == surfaces.AssistantSummary || name == surfaces.AssistantFull {
							if b = rank.AnswerB; tools {
								weight *= rank.ToolFactor
							}
						}
						length := float64(rank.LengthOf(rank.LengthCode(text.length)))
						x[name] = float64(text.counts[k.key]) * (weight / (1 - b + b*length/p.mean(name)))
					}
				}
				all := x[surfaces.UserPrompt] + max(x[surfaces.AssistantSummary], x[surfaces.AssistantFull]) + x[surfaces.ToolCalls] +
					x[surfaces.SessionTitle] + x[surfaces.SessionSummary]
				sum += w.weight * (k.share * rank.Saturate(all))
			}
			if sum > before {
				cover += w.weight
				met = true
			}
		}
	}
	if total == 0 {
		return sum
	}
	return sum * (1 - rank.Coverage + rank.Coverage/total*cover)
}

// search is the whole definition: both stages, filters, ties.
func (p *plain) search(query string, g Group, use surfaces.Set) (rows []plainRow, removed int) {
	words, total := p.words(query)
	bySession := map[string][]plainRow{}
	first := map[string]*plainTurn{}
	other := map[string]bool{}
	for _, t := range p.turns {
		if t.passes && (first[t.session] == nil || t.created < first[t.session].created) {
			first[t.session] = t
		}
		score := p.score(words, total, t.day, t.tools, t.texts, use)
		if score == 0 {
			continue
		}
		if !t.passes {
			other[t.session] = true
			if g == ByTurn {
				removed++
			}
			continue
		}
		r := plainRow{id: t.id, session: t.session, score: score, updated: t.updated, prompt: t.texts[surfaces.UserPrompt].text, near: p.near(words, t, use)}
		bySession[t.session] = append(bySession[t.session], r)
		if g == ByTurn {
			rows = append(rows, r)
		}
	}
	for id, s := range p.sessions {
		record := surfaces.Of(surfaces.SessionTitle, surfaces.SessionSummary)
		title, summary := 0.0, 0.0
		if p.meets(s, use&record, p.must, true) && p.meets(s, use&record, p.not, false) {
			must, not := p.must, p.not
			p.must, p.not = "", "" // of title and summary together
			title = p.score(words, total, "", false, s, use&surfaces.Of(surfaces.SessionTitle))
			summary = p.score(words, total, "", false, s, use&surfaces.Of(surfaces.SessionSummary))
			p.must, p.not = must, not
		}
		turns := bySession[id]
		part, summed := rank.SessionPart*title, rank.SessionPart*summary
		switch {
		case len(turns) > 0 && g == ByTurn:
		case len(turns) > 0:
			rows = append(rows, best(turns, part, summed))
		case part+summed > 0 && first[id] != nil:
			t := first[id]
			r := plainRow{id: t.id, session: id, score: summed + part, updated: t.updated, prompt: t.texts[surfaces.UserPrompt].text}
			rows = append(rows, r)
		case part+summed > 0 || other[id] && g != ByTurn:
			removed++
		}
	}
	return p.order(words, rows), removed
}

func best(turns []plainRow, part, summed float64) plainRow {
	slices.SortFunc(turns, func(a, b plainRow) int { return comparePlain(a, b, a.score, b.score) })
	r := turns[0]
	support := 0.0
	for i, share := range []float64{0.2, 0.1, 0.05} {
		if i+1 < len(turns) {
			support += share * turns[i+1].score
		}
	}
	r.score = max(r.score+support, summed) + part
	return r
}

func comparePlain(a, b plainRow, x, y float64) int {
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(b.updated, a.updated), cmp.Compare(a.id, b.id))
}

// order is both stages' order.
func (p *plain) order(words []plainWord, rows []plainRow) []plainRow {
	slices.SortFunc(rows, func(a, b plainRow) int { return comparePlain(a, b, a.score, b.score) })
	all := rows
	for i := range all {
		all[i].final = all[i].score
	}
	rows = all[:min(p.depth, len(all))]
	for i := range rows {
		days := max(float64(p.now-rows[i].updated)/86_400_000, 0)
		rows[i].final = (rows[i].score + rank.Near*rows[i].near) * (1 + rank.RecencyGain*math.Exp2(-days/rank.RecencyHalf))
	}
	slices.SortFunc(rows, func(a, b plainRow) int { return comparePlain(a, b, a.final, b.final) })
	before := map[string]int{}
	for i := range rows {
		key := strings.Join(strings.Fields(strings.ToLower(rows[i].prompt)), " ")
		rows[i].final *= rank.Repeated(before[key])
		before[key]++
	}
	slices.SortFunc(rows, func(a, b plainRow) int { return comparePlain(a, b, a.final, b.final) })
	return all
}

// near is how close the query's neighbours stand, in the best of the surfaces.
func (p *plain) near(words []plainWord, t *plainTurn, use surfaces.Set) float64 {
	var content []plainWord
	for _, w := range words {
		if !w.minor && !w.whole && w.days == nil {
			content = append(content, w)
		}
	}
	most := 0.0
	for name, text := range t.texts {
		if !use.Has(name) {
			continue
		}
		var a terms.Analyzer
		at := map[string][]int{}
		for _, tok := range a.Tokens(text.text) {
			at[tok.Term] = append(at[tok.Term], tok.Pos)
		}
		sum := 0.0
		for i := 1; i < len(content); i++ {
			closest := 0.0
			for _, x := range at[content[i-1].target.Term] {
				for _, y := range at[content[i].target.Term] {
					switch d := y - x; {
					case d > 0 && d <= rank.NearWindow:
						closest = max(closest, 1/float64(d))
					case d < 0 && -d <= rank.NearWindow:
						closest = max(closest, rank.Backward/float64(-d))
					}
				}
			}
			sum += closest * min(content[i-1].weight, content[i].weight)
		}
		most = max(most, sum)
	}
	return most
}

// vocabulary: few words, so that they meet, some of one stem, an identifier with
// its parts, function words.
var vocabulary = strings.Fields("cache caches cached key lock retry retries backoff the of what upload uploads parseRequest parse request config.ts config 缓存 deploy deploys red green")

func drawText(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, most).Draw(t, label), " ")
}

// drawCorpus invents sessions and indexes them in several runs, so that there
// are several shards, replaced documents and merges.
func drawCorpus(rt *rapid.T, b *bench) {
	turns := map[string][]sources.Event{}
	minute := 0
	for n := range rapid.IntRange(1, 25).Draw(rt, "steps") {
		minute += rapid.SampledFrom([]int{1, 1, 60 * 30}).Draw(rt, "pause")
		at := began.Add(time.Duration(minute) * time.Minute)
		session := fmt.Sprintf("s%d", rapid.IntRange(0, 5).Draw(rt, "session"))
		in := sources.Info{Session: session}
		var events []sources.Event
		switch rapid.IntRange(0, 9).Draw(rt, "op") {
		case 0:
			events = []sources.Event{{Kind: sources.Title, Rank: 4, Text: drawText(rt, "title", 4), Time: at}}
		case 1:
			events = []sources.Event{{Kind: sources.Summary, Stop: "compaction", Text: drawText(rt, "summary", 30), Time: at.Add(-time.Hour * 1000)}}
		case 2:
			events = []sources.Event{{Kind: sources.AssistantText, Group: fmt.Sprintf("g%d", n), Text: drawText(rt, "more", 12), Time: at}}
		default:
			r := sources.Record{ID: fmt.Sprintf("t%d", n), Prompt: drawText(rt, "prompt", 8), Answer: drawText(rt, "answer", 20), Time: at,
				Cwd: rapid.SampledFrom([]string{"/home/u/api", "/home/u/web"}).Draw(rt, "cwd")}
			events = r.Events()
			if rapid.Bool().Draw(rt, "tools") {
				events = slices.Insert(events, 1, sources.Event{Kind: sources.ToolCall, Time: at, Group: r.ID + "/call", Tool: sources.Tool{Name: "Bash"}})
			}
		}
		turns[session] = append(turns[session], events...)
		b.src.Append(in, events...)
		if rapid.IntRange(0, 5).Draw(rt, "sync") == 0 {
			b.sync()
		}
	}
	b.sync()
}

// TestSearchEqualsPlainScorer: the answer is the plain scorer's, whatever the
// shards, filters and surfaces are.
func TestSearchEqualsPlainScorer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newRapidBench(t, rt)
		if rapid.Bool().Draw(rt, "full") {
			b.cfg.Strategy = strategies.ClaudeTurn{Full: true}
		}
		drawCorpus(rt, b)
		c, err := Open(b.dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer c.Close()
		c.searcher.Scale = rapid.SampledFrom([]*search.Scale{nil, {Skip: 1, Share: 1, Few: 1}, {Skip: 1, Share: 1, Few: 1, Batch: 1}, {Skip: 1, Share: 1, Few: 1, Batch: 1, Crowd: math.MaxInt}}).Draw(rt, "scale")
		c.searcher.Depth = rapid.SampledFrom([]int{0, 1, 3}).Draw(rt, "depth")
		for range 4 {
			query := drawText(rt, "query", 4) + rapid.SampledFrom([]string{"", "", "", " 2026-10-01", " 2026-10-02"}).Draw(rt, "date")
			q := Query{Text: query, Limit: rapid.SampledFrom([]int{-1, 1, 3, 10}).Draw(rt, "limit"), Group: rapid.SampledFrom([]Group{BySession, ByTurn}).Draw(rt, "group")}
			if rapid.Bool().Draw(rt, "filter") {
				q.Filter.Cwd = "/home/u/api"
			}
			use := surfaces.Defaults().With(surfaces.Of(surfaces.AssistantFull))
			if rapid.IntRange(0, 3).Draw(rt, "one surface") == 0 {
				q.Filter.Surfaces = []surfaces.Name{rapid.SampledFrom(surfaces.Defaults().Names()).Draw(rt, "surface")}
				use = surfaces.Of(q.Filter.Surfaces...)
			}
			p := readPlain(rt, c, q.Filter)
			p.depth = cmp.Or(c.searcher.Depth, rank.Depth)
			if rapid.IntRange(0, 3).Draw(rt, "must") == 0 {
				p.must = rapid.SampledFrom(vocabulary[:6]).Draw(rt, "has")
				q.Text += " +" + p.must
			}
			if rapid.IntRange(0, 3).Draw(rt, "not") == 0 {
				p.not = rapid.SampledFrom(vocabulary[:6]).Draw(rt, "lacks")
				q.Text += " -" + p.not
			}
			comparePlainly(rt, c, p, query+" "+p.must, q, use)
		}
	})
}

func comparePlainly(rt *rapid.T, c *Corpus, p *plain, words string, q Query, use surfaces.Set) {
	ans, err := c.Search(rt.Context(), q)
	if err != nil {
		rt.Fatal(err)
	}
	if len(ans.Scope.Repaired) > 0 || len(ans.Scope.UnknownWords) > 0 {
		return // the plain scorer knows no dictionary
	}
	want, removed := p.search(words, q.Group, use)
	var got, expected strings.Builder
	if ans.Total != len(want) || ans.Scope.RemovedByFilters != removed {
		rt.Errorf("%q: total %d, removed %d; the plain scorer has %d and %d", q.Text, ans.Total, ans.Scope.RemovedByFilters, len(want), removed)
	}
	if q.Limit > 0 {
		want = want[:min(q.Limit, len(want))]
	}
	for _, h := range ans.Results {
		fmt.Fprintf(&got, "%s %s %.9f\n", h.SessionID, h.TurnID, h.Score)
	}
	for _, r := range want {
		fmt.Fprintf(&expected, "%s %s %.9f\n", r.session, r.id, r.final)
	}
	if got.String() != expected.String() {
		rt.Errorf("%+v:\n%s\nthe plain scorer has\n%s", q, got.String(), expected.String())
	}
}
