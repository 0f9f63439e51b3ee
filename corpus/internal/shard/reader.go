package shard

import (
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/mapped"
	"github.com/hansard-search/hansard/surfaces"
)

// A Reader reads a shard. It is for any number of goroutines. What its methods
// return belongs to the caller, except where a method says that it lies in the
// file: that must not be changed, nor used after Close.
//
// Every method returns a *DamageError for bytes that are not what was written,
// ErrRange for a number that no document or session has, and ErrClosed after
// Close. Where the file shrinks under the map, reading faults; a caller that
// must outlive that sets debug.SetPanicOnFault. No state is left locked.
type Reader struct {
	m     *mapping
	unmap func() error
	info  Info

	kinds    [2]kindReader
	surfaces []surfaceReader // in the order of info.Surfaces
	sessions keyed
	turns    extent
	words    wordReader

	stretches extent // of turns; absent in most shards
}

// A keyed is a table of keys: of documents of a kind, or of sessions.
type keyed struct {
	n      int
	hashes extent // one each stride bytes, at its beginning
	stride int64
	keys   extent
	find   extent
}

type kindReader struct {
	keyed
	owners  extent
	streams [streams]streamReader
	facets  dictReader
}

type surfaceReader struct {
	name    surfaces.Name
	kind    Kind
	codes   extent
	lengths extent
	terms   dictReader
}

// Open maps the file path into memory. It reads no more than is needed to see
// that the file is whole. Errors wrap fs.ErrNotExist, ErrDamaged or ErrVersion.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open index file: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open index file: %w", err)
	}
	if st.Size() < headerSize+trailerSize || st.Size() != int64(int(st.Size())) {
		return nil, &DamageError{File: path, Part: "file", Detail: fmt.Sprintf("%d bytes", st.Size())}
	}
	data, unmap, err := mapped.File(f, int(st.Size()))
	if err != nil {
		return nil, fmt.Errorf("open index file %s: %w", path, err)
	}
	r, err := open(path, data)
	if err != nil {
		unmap()
		return nil, err
	}
	r.unmap = unmap
	return r, nil
}

// OpenBytes reads a shard in memory. It keeps b, which must not change.
func OpenBytes(b []byte) (*Reader, error) { return open("", b) }

func open(path string, data []byte) (*Reader, error) {
	m, err := newMapping(path, data)
	if err != nil {
		return nil, err
	}
	t, ok := decodeToc(m.toc, int64(len(data)))
	if !ok {
		return nil, m.damage("table of contents", "impossible numbers")
	}
	r := &Reader{m: m, info: t.info}
	if err := r.locate(&t); err != nil {
		return nil, err
	}
	return r, nil
}

// locate finds every section and checks that columns are as long as they must be.
func (r *Reader) locate(t *toc) error {
	for i := range r.kinds {
		k, id := &r.kinds[i], section(i)
		k.n = []int{r.info.Turns, r.info.Sessions}[i]
		rows := r.extent(t, secRows+id, "rows")
		k.keyed = keyed{k.n, rows, rowSize, r.extent(t, secKeys+id, "keys"), r.extent(t, secFind+id, "keys")}
		k.owners = r.extent(t, secOwners+id, "rows")
		k.facets.locate(r, r.extent(t, secFacets+id, "facets"), k.n)
		for s := range k.streams {
			k.streams[s].locate(r.extent(t, secPassage+section(2*s)+id, partNames[s]), k.n, &r.words)
		}
		if rows.len != int64(k.n)*rowSize || k.owners.len != int64(k.n)*ordSize || k.find.len != int64(k.n)*findSize {
			return r.m.damage("table of contents", "columns do not have %d documents", k.n)
		}
	}
	r.words.at = [2]extent{r.extent(t, secWords, partNames[partWords]), r.extent(t, secWordsAgain, partNames[partWords])}
	hash := r.extent(t, secSessionHash, "sessions")
	r.sessions = keyed{r.info.Owners, hash, 16, r.extent(t, secSessionKeys, "sessions"), r.extent(t, secSessionFind, "sessions")}
	r.turns = r.extent(t, secTurns, "sessions")
	r.stretches = r.extent(t, secStretches, "sessions")
	owners := int64(r.info.Owners)
	if hash.len != owners*16 || r.stretches.len%stretchSize != 0 || r.sessions.find.len != owners*findSize ||
		r.info.Turns > 0 && r.turns.len != 4*(owners+1+int64(r.info.Turns)) {
		return r.m.damage("table of contents", "columns do not have %d sessions", owners)
	}
	return r.locateSurfaces(t)
}

func (r *Reader) locateSurfaces(t *toc) error {
	known := surfaces.All()
	r.surfaces = make([]surfaceReader, len(r.info.Surfaces))
	for i, info := range r.info.Surfaces {
		s, slot := &r.surfaces[i], section(info.slot)
		s.name = info.Surface
		at := slices.IndexFunc(known, func(v surfaces.Surface) bool { return v.Name == s.name })
		if at >= 0 && known[at].Session {
			s.kind = Session
		}
		n := r.kinds[s.kind].n
		s.codes = r.extent(t, secCodes+slot, "codes")
		s.lengths = r.extent(t, secLengths+slot, "codes")
		s.terms.locate(r, r.extent(t, secTerms+slot, string(s.name)), n)
		if s.codes.len != 0 && s.codes.len != int64(n) || s.lengths.len != 4*s.codes.len {
			return r.m.damage("table of contents", "codes of %s do not have %d documents", s.name, n)
		}
	}
	return nil
}

func (r *Reader) extent(t *toc, id section, name string) extent {
	s := t.find(id)
	return extent{name, s.off, s.len}
}

// Close releases the map. No method may be running, and nothing that lies in
// the file may be used after it. A second call does nothing.
func (r *Reader) Close() error {
	if r.m.closed.Swap(true) || r.unmap == nil {
		return nil
	}
	return r.unmap()
}

// Forget gives the memory of mapped pages back, which would count as this
// process's otherwise. Whoever still reads the shard notices nothing but that
// pages are mapped again.
func (r *Reader) Forget() {
	if r.unmap != nil && !r.m.closed.Load() {
		mapped.Forget(r.m.data)
	}
}

// Holds reports whether addr is in the memory to which the file is mapped.
func (r *Reader) Holds(addr uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(r.m.data)))
	return !r.m.closed.Load() && addr >= start && addr < start+uintptr(len(r.m.data))
}

// WriteTo copies the file as it is; Verify tells whether it is sound.
func (r *Reader) WriteTo(w io.Writer) (int64, error) {
	if r.m.closed.Load() {
		return 0, ErrClosed
	}
	n, err := w.Write(r.m.data)
	return int64(n), err
}

// Info says what the shard holds. The slices are shared: do not change them.
func (r *Reader) Info() Info { return r.info }

// Len is the number of documents of a kind.
func (r *Reader) Len(k Kind) int {
	if k > Session {
		return 0
	}
	return r.kinds[k].n
}

// Sessions is the number of sessions that documents of this shard belong to;
// they have the ordinals from 0. It is not the number of session documents.
func (r *Reader) Sessions() int { return r.sessions.n }

// surface returns the reader of a surface, nil when the shard has nothing of it.
func (r *Reader) surface(s surfaces.Name) *surfaceReader {
	for i := range r.surfaces {
		if r.surfaces[i].name == s {
			return &r.surfaces[i]
		}
	}
	return nil
}

// kind returns the reader of a kind after checking that it has doc.
func (r *Reader) kind(k Kind, doc uint32) (*kindReader, error) {
	if k > Session || int64(doc) >= int64(r.kinds[k].n) {
		return nil, fmt.Errorf("%w: %d", ErrRange, doc)
	}
	return &r.kinds[k], nil
}
