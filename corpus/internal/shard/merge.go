package shard

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// An Input is a shard that is merged, without the gone documents. The sets may
// be nil.
type Input struct {
	Reader       *Reader
	GoneTurns    *postings.Set
	GoneSessions *postings.Set // session documents
}

// Merge writes the documents of all inputs, without the gone ones, into a new
// shard in the file path, as a Writer would. A key may be left in one input
// only.
//
// Documents get new numbers: those of a session stand together, in the order
// in which they were created, then of inputs, then of numbers there; sessions
// are in the order in which inputs have them. The same inputs give the same
// bytes. Memory is some 50 bytes a document, plus the postings of a few terms.
func Merge(path string, opts Options, inputs []Input) (Info, error) {
	w := NewWriter(path, opts)
	return w.seal(merge(w, inputs))
}

// MergeBytes is Merge for a shard in memory.
func MergeBytes(inputs []Input) ([]byte, error) {
	w, f := newMemoryWriter()
	if _, err := w.seal(merge(w, inputs)); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

// gone is the new number of a document that is left out.
const gone = ^uint32(0)

// A merger carries a merge through its steps.
type merger struct {
	w       *Writer
	inputs  []Input
	words   []*translation   // by input, nil for one without words; nil: they are learned again
	owners  [][]uint32       // by input: new numbers of its sessions
	slots   [][]int          // by input: new slots of its r.surfaces
	same    []bool           // by input: all slots keep their number
	order   [2][]origin      // by kind and new number; nil when rows are written
	remap   [2][]renumbering // by kind and input
	listers []*lister        // as many as make lists side by side
	taken   atomic.Int64     // bytes that were read since pages were forgotten, about
}

// aloneBelow is the size of inputs up to which a merge does without goroutines of
// its own. maxListers bounds them: each takes some ten bytes a document.
const (
	aloneBelow = 4 << 20
	maxListers = 4
)

func newMerger(w *Writer, inputs []Input) *merger {
	m := &merger{w: w, inputs: inputs}
	for k := range w.kinds {
		w.kinds[k].streams[messageStream].merged = true
	}
	size, n := int64(0), 1
	for _, in := range inputs {
		size += in.Reader.info.Size
	}
	if size >= aloneBelow {
		n = min(runtime.GOMAXPROCS(0), maxListers)
	}
	for range n {
		m.listers = append(m.listers, &lister{m: m})
	}
	return m
}

// An origin is where a document of the new shard comes from.
type origin struct {
	input, doc uint32
}

// A source is an origin with what decides the order.
type source struct {
	owner uint32 // new number of its session
	origin
	created int64
}

func merge(w *Writer, inputs []Input) (Info, error) {
	m := newMerger(w, inputs)
	if len(m.listers) > 1 {
		w.out.writeBehind()
		defer w.out.endBehind()
	}
	return m.run()
}

func (m *merger) run() (Info, error) {
	for _, step := range []func() error{m.mapSurfaces, m.mapSessions, m.seedWords} {
		if err := step(); err != nil {
			return Info{}, err
		}
	}
	for k := Turn; k <= Session; k++ {
		if err := m.kind(k); err != nil {
			return Info{}, err
		}
	}
	return m.w.finish(m.terms)
}

func (in *Input) gone(k Kind) *postings.Set {
	if k == Turn {
		return in.GoneTurns
	}
	return in.GoneSessions
}

// mapSurfaces finds the slots that the surfaces of each input have here.
func (m *merger) mapSurfaces() error {
	for _, in := range m.inputs {
		slots, same := []int{}, true
		for _, s := range in.Reader.info.Surfaces {
			slot := m.w.slot(s.Surface)
			if slot < 0 {
				return fmt.Errorf("%w: surface %q is not known", ErrVersion, s.Surface)
			}
			slots = append(slots, slot)
			same = same && slot == int(s.slot)
		}
		m.slots = append(m.slots, slots)
		m.same = append(m.same, same)
	}
	return nil
}

// mapSessions numbers the sessions that keep a document.
func (m *merger) mapSessions() error {
	for i := range m.inputs {
		r := m.inputs[i].Reader
		live := make([]bool, r.Sessions())
		for k := Turn; k <= Session; k++ {
			ords, err := r.SessionOrds(k)
			if err != nil {
				return err
			}
			out := m.inputs[i].gone(k)
			for doc := range uint32(ords.Len()) {
				if out.Contains(doc) {
					continue
				}
				if int64(ords.At(doc)) >= int64(len(live)) {
					return r.m.damage("rows", "session %d of %d", ords.At(doc), len(live))
				}
				live[ords.At(doc)] = true
			}
		}
		owners, err := m.number(r, live)
		if err != nil {
			return err
		}
		m.owners = append(m.owners, owners)
		r.Forget()
	}
	return nil
}

func (m *merger) number(r *Reader, live []bool) ([]uint32, error) {
	owners := make([]uint32, len(live))
	for ord, is := range live {
		if !is {
			continue
		}
		h, err := r.SessionHash(uint32(ord))
		if err != nil {
			return nil, err
		}
		key, err := r.SessionKey(uint32(ord))
		if err != nil {
			return nil, err
		}
		if signal.Of(key) != h {
			return nil, r.m.damage("sessions", "the hash of session %d", ord)
		}
		owners[ord] = m.w.sessions.hashed(h, key)
	}
	return owners, nil
}

// kind orders the documents of a kind and takes over all but their terms.
func (m *merger) kind(k Kind) error {
	if err := m.sort(k); err != nil {
		return err
	}
	for s := range streams {
		if err := m.stream(k, s); err != nil {
			return err
		}
	}
	defer m.forget()
	return m.fields(k)
}

// sort decides the new numbers.
func (m *merger) sort(k Kind) error {
	order, err := m.staying(k)
	if err != nil {
		return err
	}
	if len(order) > maxDocs {
		return fmt.Errorf("%w: the shard is full", ErrDocument)
	}
	slices.SortFunc(order, func(a, b source) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.created, b.created),
			cmp.Compare(a.input, b.input), cmp.Compare(a.doc, b.doc))
	})
	to := &m.w.kinds[k]
	to.docs, to.columns = uint32(len(order)), &mergedColumns{m, k}
	to.owners = make([]byte, 0, len(order)*ordSize)
	m.order[k] = make([]origin, len(order))
	for doc, s := range order {
		m.remap[k][s.input].to[s.doc] = uint32(doc)
		m.order[k][doc] = s.origin
		to.owners = binary.LittleEndian.AppendUint32(to.owners, s.owner)
	}
	for i := range m.remap[k] {
		m.remap[k][i].findRuns()
	}
	return nil
}

// staying are the documents that are not gone, in the order of the inputs. All
// count as gone in m.remap, until they have new numbers.
func (m *merger) staying(k Kind) ([]source, error) {
	all := 0
	for _, in := range m.inputs {
		all += in.Reader.Len(k)
	}
	order := make([]source, 0, all)
	for i := range m.inputs {
		in := &m.inputs[i]
		rows, err := in.Reader.m.all(in.Reader.kinds[k].hashes)
		if err != nil {
			return nil, err
		}
		ords, err := in.Reader.SessionOrds(k)
		if err != nil {
			return nil, err
		}
		out := in.gone(k)
		remap := make([]uint32, ords.Len())
		for doc := range remap {
			remap[doc] = gone
			if !out.Contains(uint32(doc)) {
				created := int64(binary.LittleEndian.Uint64(rows[doc*rowSize+createdAt:]))
				order = append(order, source{m.owners[i][ords.At(uint32(doc))], origin{uint32(i), uint32(doc)}, created})
			}
		}
		m.remap[k] = append(m.remap[k], renumbering{to: remap})
		in.Reader.Forget()
	}
	return order, nil
}
