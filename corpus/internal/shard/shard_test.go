package shard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// turnSurfaces and sessionSurfaces are the surfaces of each kind.
var (
	turnSurfaces    = []surfaces.Name{surfaces.UserPrompt, surfaces.AssistantSummary, surfaces.ToolCalls}
	sessionSurfaces = []surfaces.Name{surfaces.SessionTitle, surfaces.SessionSummary}
)

// vocabulary has common prefixes, letters of more bytes than one, and bytes
// that are no letters.
var vocabulary = []string{
	"a", "ab", "abc", "abd", "retry", "retries", "retrying", "backoff", "über", "日本",
	"x\x00y", "\xff", "zzz", "index", "indices",
}

// drawDoc invents a document. Keys are i's; sessions are few.
func drawDoc(t *rapid.T, i int) Doc {
	d := Doc{
		Hash:    signal.Of(rapid.StringN(0, 3, -1).Draw(t, "hash")),
		Session: "s" + string(rune('a'+rapid.IntRange(0, 5).Draw(t, "session"))),
		Created: rapid.Int64Range(0, 50).Draw(t, "created"),
		Updated: rapid.Int64().Draw(t, "updated"),
		Flags:   rapid.Uint32().Draw(t, "flags"),
	}
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		d.Kind = Session
		d.Session = fmt.Sprintf("s%d", i)
		d.Key = d.Session
	} else {
		d.Key = fmt.Sprintf("0fe553fc-e62a-4c1e-8ccc-%012x", i)
		if i%3 == 0 {
			d.Key = fmt.Sprintf("1770851225094-%08x:2", i)
		}
	}
	names := turnSurfaces
	if d.Kind == Session {
		names = sessionSurfaces
	}
	for _, name := range names {
		if rapid.Bool().Draw(t, "has") {
			d.Fields = append(d.Fields, drawField(t, name))
			d.Passages = append(d.Passages, Passage{name, rapid.StringN(0, 60, -1).Draw(t, "text")})
		}
	}
	for _, name := range []string{"project", "tool"} {
		for _, v := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 0, 2, rapid.ID).Draw(t, name) {
			d.Facets = append(d.Facets, Facet{name, v})
		}
	}
	d.Meta = rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "meta")
	if rapid.Bool().Draw(t, "messages") {
		d.Messages = []byte(strings.Repeat(rapid.String().Draw(t, "message"), rapid.IntRange(0, 2000).Draw(t, "times")))
	}
	return d
}

func drawField(t *rapid.T, name surfaces.Name) Field {
	f := Field{Surface: name, Code: rapid.Uint8().Draw(t, "code"), Length: 1}
	for _, w := range rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 0, 8, rapid.ID).Draw(t, "terms") {
		n := rapid.OneOf(rapid.Just(uint32(1)), rapid.Uint32Range(2, 20), rapid.Uint32Range(60, 300)).Draw(t, "count")
		f.Terms = append(f.Terms, Term{Text: w, Count: n})
		f.Length += n
	}
	return f
}

func drawDocs(t *rapid.T, most int) []Doc {
	var docs []Doc
	for i := range rapid.IntRange(0, most).Draw(t, "docs") {
		docs = append(docs, drawDoc(t, i))
	}
	return docs
}

// A record is a document as a shard gives it back, in an order of its own
// making, so that shards with other numbers compare.
type record struct {
	Key, Session string
	Head         Head
	Passages     []Passage
	Meta         string
	Messages     string
	Facets       []string
	Terms        []string // surface, term, count
	Codes        []string // surface, code, length
}

// recordOf is what a shard must give back for a document.
func recordOf(d Doc) record {
	r := record{
		Key: d.Key, Session: d.Session, Passages: d.Passages, Meta: string(d.Meta), Messages: string(d.Messages),
		Head: Head{Key: signal.Of(d.Key), Hash: d.Hash, Flags: d.Flags, Created: d.Created, Updated: d.Updated},
	}
	for _, f := range d.Facets {
		r.Facets = append(r.Facets, f.Name+"="+f.Value)
	}
	for _, f := range d.Fields {
		r.Codes = append(r.Codes, fmt.Sprint(f.Surface, f.Code, f.Length))
		for _, t := range f.Terms {
			r.Terms = append(r.Terms, fmt.Sprintf("%s %q %d", f.Surface, t.Text, min(t.Count, MaxCount)))
		}
	}
	slices.Sort(r.Facets)
	slices.Sort(r.Codes)
	slices.Sort(r.Terms)
	return r
}

// model is what a shard of the documents must dump as.
func model(docs []Doc) [2]map[string]record {
	m := [2]map[string]record{{}, {}}
	for _, d := range docs {
		m[d.Kind][d.Key] = recordOf(d)
	}
	return m
}

// dump reads everything that a shard holds, document by document.
func dump(r *Reader) (m [2]map[string]record, err error) {
	for k := range m {
		m[k] = map[string]record{}
		rows := make([]record, r.Len(Kind(k)))
		if err := dumpTerms(r, Kind(k), rows); err != nil {
			return m, err
		}
		for doc := range rows {
			if err := dumpDoc(r, Kind(k), uint32(doc), &rows[doc]); err != nil {
				return m, err
			}
			m[k][rows[doc].Key] = rows[doc]
		}
		if len(m[k]) != len(rows) {
			return m, fmt.Errorf("%d documents, %d keys", len(rows), len(m[k]))
		}
	}
	return m, nil
}

func dumpDoc(r *Reader, k Kind, doc uint32, out *record) (err error) {
	try := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	var b []byte
	out.Head, e = r.Head(k, doc)
	try(e)
	out.Key, e = r.Key(k, doc)
	try(e)
	out.Session, e = r.SessionKey(out.Head.Session)
	try(e)
	out.Head.Session = 0
	out.Passages, e = r.Passages(k, doc)
	try(e)
	b, e = r.Meta(k, doc)
	out.Meta = string(b)
	try(e)
	b, e = r.Messages(k, doc)
	out.Messages = string(b)
	try(e)
	found, ok, e := r.Find(k, out.Key)
	try(e)
	if err == nil && (!ok || found != doc) {
		err = fmt.Errorf("find %q: %d, %v; it is %d", out.Key, found, ok, doc)
	}
	slices.Sort(out.Facets)
	slices.Sort(out.Codes)
	slices.Sort(out.Terms)
	return err
}

func dumpTerms(r *Reader, k Kind, rows []record) error {
	err := r.AllFacets(k, func(f Facet, docs *postings.Set) bool {
		for doc := range docs.All() {
			rows[doc].Facets = append(rows[doc].Facets, f.Name+"="+f.Value)
		}
		return true
	})
	if err != nil {
		return err
	}
	names := turnSurfaces
	if k == Session {
		names = sessionSurfaces
	}
	for _, s := range names {
		codes := r.Codes(s)
		for doc := range rows {
			n, err := r.Length(s, uint32(doc))
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			c, err := codes.At(uint32(doc))
			if err != nil {
				return err
			}
			rows[doc].Codes = append(rows[doc].Codes, fmt.Sprint(s, c, n))
		}
		var terms []string
		if err := r.Match(s, Prefix(""), func(t string, _ int) bool { terms = append(terms, t); return true }); err != nil {
			return err
		}
		for _, t := range terms {
			if err := dumpPostings(r, s, t, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

func dumpPostings(r *Reader, s surfaces.Name, term string, rows []record) error {
	p, ok, err := r.Postings(s, term)
	if err != nil || !ok {
		return fmt.Errorf("postings of %q: %v, %w", term, ok, err)
	}
	var docs [BlockDocs]uint32
	var counts [BlockDocs]uint8
	n := 0
	for c := p.Blocks(); c.Next(); {
		got := c.Decode(&docs, &counts)
		n += got
		for i, doc := range docs[:got] {
			if p.Count(doc) != counts[i] || doc>>BlockShift != c.Block || counts[i] > c.MaxCount {
				return fmt.Errorf("%q: document %d, count %d", term, doc, counts[i])
			}
			rows[doc].Terms = append(rows[doc].Terms, fmt.Sprintf("%s %q %d", s, term, counts[i]))
		}
	}
	if n != p.Len() || n == 0 {
		return fmt.Errorf("%q: %d of %d documents", term, n, p.Len())
	}
	return nil
}

func build(t testing.TB, docs []Doc) *Reader {
	t.Helper()
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	verify(t, r)
	return r
}

// verify fails the test when Verify finds anything.
func verify(t testing.TB, r *Reader) {
	t.Helper()
	r.Verify(func(p Problem) { t.Errorf("verify: %s: %s", p.Part, p.Detail) })
}

func equalDump(t testing.TB, r *Reader, want [2]map[string]record) {
	t.Helper()
	got, err := dump(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpEmpty); diff != "" {
		t.Fatalf("shard (+) differs from documents (-):\n%s", diff)
	}
}

// cmpEmpty takes an empty slice for none.
var cmpEmpty = cmp.FilterValues(func(a, b []Passage) bool { return len(a)+len(b) == 0 },
	cmp.Comparer(func(a, b []Passage) bool { return true }))

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := drawDocs(rt, 12)
		r := build(t, docs)
		equalDump(t, r, model(docs))
		checkSessions(t, r, docs)
		info := r.Info()
		for _, name := range slices.Concat(turnSurfaces, sessionSurfaces) {
			checkInfo(t, info.Surface(name), docs)
		}
	})
}

func checkInfo(t *testing.T, got SurfaceInfo, docs []Doc) {
	want := SurfaceInfo{Surface: got.Surface, slot: got.slot}
	terms := map[string]bool{}
	for _, d := range docs {
		for _, f := range d.Fields {
			if f.Surface == got.Surface {
				want.Docs++
				want.Length += uint64(f.Length)
				for _, w := range f.Terms {
					terms[w.Text] = true
				}
			}
		}
	}
	want.Terms = len(terms)
	if got != want {
		t.Fatalf("info %+v, want %+v", got, want)
	}
}

func checkSessions(t *testing.T, r *Reader, docs []Doc) {
	want := map[string][]uint32{}
	n := uint32(0)
	for _, d := range docs {
		if d.Kind == Turn {
			want[d.Session] = append(want[d.Session], n)
			n++
		} else if want[d.Session] == nil {
			want[d.Session] = []uint32{}
		}
	}
	if r.Sessions() != len(want) {
		t.Fatalf("%d sessions, want %d", r.Sessions(), len(want))
	}
	for s, turns := range want {
		got, err := r.TurnsOf(signal.Of(s))
		if err != nil || !slices.Equal(got, turns) {
			t.Fatalf("turns of %s: %v, %v; want %v", s, got, err, turns)
		}
		ord, ok, err := r.SessionOrd(signal.Of(s))
		if err != nil || !ok {
			t.Fatalf("ordinal of %s: %v, %v", s, ok, err)
		}
		if h, err := r.SessionHash(ord); err != nil || h != signal.Of(s) {
			t.Fatalf("hash of %s: %v, %v", s, h, err)
		}
		ords, err := r.SessionOrds(Turn)
		for _, doc := range turns {
			if err != nil || ords.At(doc) != ord {
				t.Fatalf("ordinal of turn %d: %d, want %d", doc, ords.At(doc), ord)
			}
		}
	}
	if got, err := r.TurnsOf(signal.Of("nobody")); err != nil || len(got) > 0 {
		t.Fatalf("turns of nobody: %v, %v", got, err)
	}
}
