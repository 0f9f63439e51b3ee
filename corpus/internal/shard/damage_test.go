package shard

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// smallShard has every layout there is, in some pages.
var smallShard = sync.OnceValues(func() ([]byte, error) {
	docs := manyDocs(600)
	words := newWriterText(100)
	for _, i := range []int{0, 97} {
		docs[i].Passages[0], _ = words.field(surfaces.UserPrompt, wordsFrom/10)
	}
	for i := range 5 {
		docs = append(docs, Doc{
			Kind: Session, Key: fmt.Sprintf("s%d", i), Session: fmt.Sprintf("s%d", i), Meta: []byte("m"),
			Passages: []Passage{{surfaces.SessionTitle, strings.Repeat("title ", 40)}},
			Fields:   []Field{{Surface: surfaces.SessionTitle, Length: 1, Code: 1, Terms: []Term{{Text: "title", Count: 70}}}},
			Facets:   []Facet{{"project", "p"}},
		})
	}
	return Build(slices.Values(docs))
})

// answers calls every method and gives what it returned, or its error, by a
// name for the call.
func answers(r *Reader) map[string]any {
	m := map[string]any{}
	put := func(name string, v any, err error) {
		if err != nil {
			v = err
		}
		m[name] = v
	}
	stretches, err := r.Stretches()
	put("stretches", stretches, err)
	for k := Turn; k <= Session; k++ {
		for doc := range min(uint32(r.Len(k)), 1000) {
			if k == Turn && doc > 3 && doc%97 != 0 {
				continue
			}
			n := fmt.Sprintf(" %d %d", k, doc)
			h, err := r.Head(k, doc)
			put("head"+n, h, err)
			key, err := r.Key(k, doc)
			put("key"+n, key, err)
			found, ok, err := r.Find(k, fmt.Sprintf("%c%d", "ks"[k], doc))
			put("find"+n, fmt.Sprint(found, ok), err)
			ps, err := r.Passages(k, doc)
			put("passages"+n, ps, err)
			meta, err := r.Meta(k, doc)
			put("meta"+n, meta, err)
			messages, err := r.Messages(k, doc)
			put("messages"+n, messages, err)
			length, err := r.Length(surfaces.UserPrompt, doc)
			put("length"+n, length, err)
			s, err := r.SessionKey(doc)
			put("session"+n, s, err)
			turns, err := r.TurnsOf(signal.Of(fmt.Sprintf("s%d", doc)))
			put("turns"+n, turns, err)
		}
		var all []string
		err := r.AllFacets(k, func(f Facet, s *postings.Set) bool { all = append(all, fmt.Sprint(f, s.Slice())); return true })
		put(fmt.Sprintf("facets %d", k), all, err)
		s, err := r.Facet(k, "all", "yes")
		put(fmt.Sprintf("facet %d", k), s.Slice(), err)
		ords, err := r.SessionOrds(k)
		sum := uint64(0)
		for doc := range ords.Len() {
			sum = sum*31 + uint64(ords.At(uint32(doc)))
		}
		put(fmt.Sprintf("ords %d", k), sum, err)
	}
	for _, s := range surfaces.All() {
		codes, err := r.Codes(s.Name).All()
		put("codes "+string(s.Name), slices.Clone(codes), err)
		termAnswers(r, s.Name, put)
	}
	return m
}

func termAnswers(r *Reader, s surfaces.Name, put func(string, any, error)) {
	var terms []string
	note := func(t string, n int) bool { terms = append(terms, fmt.Sprint(t, n)); return true }
	err := r.Match(s, Prefix("t"), note)
	put("walk "+string(s), slices.Clone(terms), err)
	m, err := Fuzzy("t255", 1)
	if err == nil {
		err = r.Match(s, m, note)
	}
	put("fuzzy "+string(s), slices.Clone(terms), err)
	for _, term := range []string{"t1", "t2", "b1", "b2", "t256", "b257", "all", "title", "none"} {
		p, ok, err := r.Postings(s, term)
		got := []any{ok, p.Len(), p.Set().Slice()}
		for c := p.Blocks(); c.Next(); {
			var docs [BlockDocs]uint32
			var counts [BlockDocs]uint8
			n := c.Decode(&docs, &counts)
			got = append(got, c.Block, c.MaxCount, c.MinCode, slices.Clone(counts[:n]))
		}
		for doc := range uint32(20) {
			got = append(got, p.Count(doc), p.Contains(doc))
		}
		put("postings "+string(s)+" "+term, got, err)
	}
}

// sameOrError fails the test when an answer differs from what it was and is no
// error that says why.
func sameOrError(t *testing.T, what string, before, after map[string]any) {
	t.Helper()
	for name, v := range after {
		if err, ok := v.(error); ok {
			if was, _ := before[name].(error); !errors.Is(err, ErrDamaged) && (was == nil || was.Error() != err.Error()) {
				t.Fatalf("%s: %s: %v", what, name, err)
			}
			continue
		}
		if !reflect.DeepEqual(v, before[name]) {
			t.Fatalf("%s: %s is %v, was %v", what, name, v, before[name])
		}
	}
}

func TestBitFlips(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(good)
	if err != nil {
		t.Fatal(err)
	}
	verify(t, r)
	before := answers(r)
	for name, v := range before {
		if err, ok := v.(error); ok && !errors.Is(err, ErrRange) {
			t.Fatal(name, err)
		}
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	b := slices.Clone(good)
	flips := 400
	if testing.Short() {
		flips = 50
	}
	for range flips {
		at, bit := rnd.IntN(len(b)), byte(1)<<rnd.IntN(8)
		if rnd.IntN(3) == 0 { // the end, where a flip does most
			at = len(b) - 1 - rnd.IntN(400)
		}
		b[at] ^= bit
		what := fmt.Sprintf("byte %d of %d, bit %#x", at, len(b), bit)
		if r, err := OpenBytes(b); err == nil {
			sameOrError(t, what, before, answers(r))
			found := 0
			r.Verify(func(Problem) { found++ })
			if found == 0 {
				t.Errorf("%s: verify finds nothing", what)
			}
			if _, err := MergeBytes([]Input{{Reader: r}}); err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: merge: %v", what, err)
			}
		} else if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Errorf("%s: open: %v", what, err)
		}
		b[at] ^= bit
	}
}

func TestTruncation(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "short")
	for _, n := range []int{0, 1, 15, 16, 47, 48, 100, pageSize, len(good) / 2, len(good) - 32, len(good) - 1} {
		if _, err := OpenBytes(good[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes: %v", n, err)
		}
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		var d *DamageError
		if !errors.As(err, &d) || d.File != path {
			t.Errorf("file of %d bytes: %v", n, err)
		}
	}
	if _, err := Open(path + " that is not there"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestOtherVersion(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	b := slices.Clone(good)
	binary.LittleEndian.PutUint32(b[8:], formatVersion+1)
	binary.LittleEndian.PutUint32(b[len(b)-20:], formatVersion+1)
	if _, err := OpenBytes(b); !errors.Is(err, ErrVersion) || errors.Is(err, ErrDamaged) {
		t.Errorf("version 2: %v", err)
	}
}

// A small shard of the first version is as one of now, but for the number.
func TestOlderVersion(t *testing.T) {
	docs := manyDocs(20)
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	for v := uint32(oldestVersion); v < formatVersion; v++ {
		old := olderVersion(t, b, v)
		r, err := OpenBytes(old)
		if err != nil {
			t.Fatal(err)
		}
		verify(t, r)
		equalDump(t, r, model(docs))
		if old[len(old)-trailerSize-1] ^= 1; opens(old) {
			t.Errorf("version %d: a damaged foot is read", v)
		}
	}
}

// olderVersion is a shard without the foot in front of the sums.
func olderVersion(t *testing.T, b []byte, v uint32) []byte {
	t.Helper()
	first, _ := feet(t, b)
	b = slices.Delete(slices.Clone(b), first[0], first[1])
	binary.LittleEndian.PutUint32(b[8:], v)
	binary.LittleEndian.PutUint32(b[len(b)-20:], v)
	reseal(b)
	return b
}

// feet are where the feet of a shard lie.
func feet(t *testing.T, b []byte) (first, last [2]int) {
	t.Helper()
	m, err := newMapping("", b)
	if err != nil {
		t.Fatal(err)
	}
	return [2]int{int(m.body), int(m.body) + len(m.feet[0])}, [2]int{len(b) - len(m.feet[1]), len(b)}
}

// soundShard is a small shard with what it answers.
func soundShard(t *testing.T) (good []byte, want map[string]any) {
	t.Helper()
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(good)
	if err != nil {
		t.Fatal(err)
	}
	return good, answers(r)
}

func opens(b []byte) bool {
	_, err := OpenBytes(b)
	return err == nil
}

// TestDamagedSums: sums are made again, unless what they are of is damaged too.
func TestDamagedSums(t *testing.T) {
	good, want := soundShard(t)
	first, last := feet(t, good)
	b := slices.Clone(good)
	clear(b[first[1]:last[0]])
	r, err := OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(answers(r), want) {
		t.Error("answers are others")
	}
	var found []Problem
	r.Verify(func(p Problem) { found = append(found, p) })
	if len(found) != 1 || found[0].Part != "checksums" {
		t.Errorf("verify finds %v", found)
	}
	b[first[0]/2] ^= 1
	if r, err = OpenBytes(b); err != nil {
		t.Fatal(err)
	}
	for doc := range uint32(r.Len(Turn)) {
		if _, err := r.Head(Turn, doc); !errors.Is(err, ErrDamaged) {
			t.Fatalf("a row of which nobody knows whether it is right: %v", err)
		}
	}
}

// TestDamagedFoot: one foot is enough for every answer, whichever it is and whatever
// happened to the other, and verify misses it.
func TestDamagedFoot(t *testing.T) {
	good, want := soundShard(t)
	first, last := feet(t, good)
	if first[1]-first[0] < trailerSize+100 {
		t.Fatalf("a foot of %d bytes", first[1]-first[0])
	}
	b := slices.Clone(good)
	check := func(what string) {
		t.Helper()
		r, err := OpenBytes(b)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var found []Problem
		r.Verify(func(p Problem) { found = append(found, p) })
		if len(found) != 1 || found[0].Part != "table of contents" {
			t.Errorf("%s: verify finds %v", what, found)
		}
		if !reflect.DeepEqual(answers(r), want) {
			t.Errorf("%s: answers are others", what)
		}
		copy(b, good)
	}
	for _, foot := range [][2]int{first, last} {
		for at := foot[0]; at < foot[1]; at += 1 + (foot[1]-foot[0])/50 {
			b[at] ^= 0x10
			check(fmt.Sprintf("byte %d of %v", at, foot))
		}
		clear(b[foot[0]:foot[1]])
		check("a foot of zeros")
	}
	b[first[0]+3] ^= 1
	b[last[1]-30] ^= 1
	if _, err := OpenBytes(b); !errors.Is(err, ErrDamaged) {
		t.Errorf("both feet: %v", err)
	}
}

func TestClosed(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	answers(r)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range answers(r) {
		if err, ok := v.(error); ok && !errors.Is(err, ErrClosed) && !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Head(Turn, 0); !errors.Is(err, ErrClosed) {
		t.Errorf("head: %v", err)
	}
	if _, _, err := r.Postings(surfaces.UserPrompt, "all"); !errors.Is(err, ErrClosed) {
		t.Errorf("postings: %v", err)
	}
}

// reseal gives bytes that somebody changed the sums that fit them.
func reseal(b []byte) {
	if len(b) < headerSize+trailerSize {
		return
	}
	tail := b[len(b)-trailerSize:]
	body := int64(binary.LittleEndian.Uint64(tail))
	toc := int64(binary.LittleEndian.Uint32(tail[8:]))
	sums := (body + pageSize - 1) / pageSize * sumSize
	top := (sums + pageSize - 1) / pageSize * sumSize
	first := int64(0)
	if hasTwoFeet(binary.LittleEndian.Uint32(tail[12:]), body) {
		first = toc + top + trailerSize
	}
	if body < headerSize || body > int64(len(b)) || body+first+sums+toc+top+trailerSize != int64(len(b)) {
		return
	}
	sum := b[body+first:][:sums]
	for p := int64(0); p*pageSize < body; p++ {
		binary.LittleEndian.PutUint64(sum[p*sumSize:], signal.Sum64(b[p*pageSize:min((p+1)*pageSize, body)]))
	}
	foot := b[body+first+sums:]
	for p := int64(0); p*pageSize < sums; p++ {
		binary.LittleEndian.PutUint64(foot[toc+p*sumSize:], signal.Sum64(sum[p*pageSize:min((p+1)*pageSize, sums)]))
	}
	binary.LittleEndian.PutUint64(tail[16:], signal.Sum64(foot[:len(foot)-16]))
	copy(b[body:][:first], foot)
}

// TestForged changes bytes and makes the sums fit: answers may be anything
// then, but nothing may panic or hang.
func TestForged(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	flips := 300
	if testing.Short() {
		flips = 50
	}
	for range flips {
		b := slices.Clone(good)
		for range 1 + rnd.IntN(4) {
			at := rnd.IntN(len(b))
			if rnd.IntN(2) == 0 {
				at = len(b) - 1 - rnd.IntN(700)
			}
			b[at] = byte(rnd.Uint32())
		}
		useForged(b)
	}
}

func useForged(b []byte) {
	reseal(b)
	r, err := OpenBytes(b)
	if err != nil || r.Len(Turn)+r.Len(Session)+r.Sessions() > 5000 {
		return
	}
	answers(r)
	r.Verify(func(Problem) {})
	MergeBytes([]Input{{Reader: r}})
}

func FuzzOpen(f *testing.F) {
	good, err := smallShard()
	if err != nil {
		f.Fatal(err)
	}
	tiny, err := Build(slices.Values(manyDocs(20)))
	if err != nil {
		f.Fatal(err)
	}
	empty, err := Build(slices.Values([]Doc(nil)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(tiny)
	f.Add(empty)
	f.Add(good[:len(good)/2])
	f.Fuzz(func(t *testing.T, b []byte) { useForged(slices.Clone(b)) })
}

// Many goroutines may read a shard that nobody has read before.
func TestConcurrentReaders(t *testing.T) {
	good, err := smallShard()
	if err != nil {
		t.Fatal(err)
	}
	alone, err := OpenBytes(good)
	if err != nil {
		t.Fatal(err)
	}
	want := errorText(answers(alone))
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			r.Forget()
			if got := answers(r); !reflect.DeepEqual(errorText(got), want) {
				t.Error("a goroutine reads something else")
			}
		})
	}
	wg.Wait()
}

// errorText puts the text of errors in their place, so that answers compare.
func errorText(m map[string]any) map[string]any {
	for name, v := range m {
		if err, ok := v.(error); ok {
			m[name] = err.Error()
		}
	}
	return m
}
