package shard

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// A Writer collects documents into one shard. It is for one goroutine.
//
// Texts go to the file as they come. Terms are kept in memory until Finish,
// about a third of the size of the text that they are from; see Memory.
type Writer struct {
	fs   files.FS
	path string
	file files.File // nil after Finish or Abort

	out      output
	kinds    [2]kindWriter
	fields   [maxSlots]*fieldWriter // by slot
	names    []surfaces.Surface     // by slot
	sessions roll
	words    wordWriter
	marked   []marking // of the passages of a document
	scratch  []byte
	late     bool  // the file is made durable by someone else
	again    bool  // it wrote a shard before
	err      error // of an earlier call; nothing works after it
}

// NewWriter begins a shard in the file path, which it empties when it first
// writes there. The caller gives a temporary name, and renames after Finish.
func NewWriter(path string, opts Options) *Writer {
	f := &lateFile{fs: opts.fs(), path: path}
	w := &Writer{fs: opts.fs(), path: path, file: f, late: opts.Late}
	w.init(f)
	if opts.Amend {
		w.kinds[Turn].streams[metaStream].room = metaRoom
	}
	return w
}

func newMemoryWriter() (*Writer, *memoryFile) {
	f := &memoryFile{}
	w := &Writer{file: f}
	w.init(f)
	return w, f
}

func (w *Writer) init(f files.File) {
	w.out.w = f
	w.names = surfaces.All()
	for k := range w.kinds {
		w.kinds[k].init(&w.out, &w.words)
	}
	w.out.header()
}

// Build makes a shard of the documents in memory, for OpenBytes.
func Build(docs iter.Seq[Doc]) ([]byte, error) {
	w, f := newMemoryWriter()
	for d := range docs {
		if _, err := w.Add(d); err != nil {
			return nil, err
		}
	}
	if _, err := w.Finish(); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

// Len is the number of documents of a kind so far.
func (w *Writer) Len(k Kind) int { return int(w.kinds[k&1].docs) }

// Size is about how many bytes the shard would have if it were finished now.
func (w *Writer) Size() int64 {
	n := w.out.pos() + int64(w.words.size)/2 + int64(w.kinds[Turn].streams[metaStream].held)
	for _, f := range w.fields {
		if f != nil {
			n += f.terms.memory() / 2
		}
	}
	return n + int64(w.kinds[Turn].docs+w.kinds[Session].docs)*(rowSize+ordSize+findSize)
}

// Memory is about how many bytes of memory the writer takes.
func (w *Writer) Memory() int64 {
	var n int64
	for _, f := range w.fields {
		if f != nil {
			n += f.terms.memory() + int64(cap(f.codes)+cap(f.lengths))
		}
	}
	for i := range w.kinds {
		k := &w.kinds[i]
		n += k.facets.memory() + int64(cap(k.rows)+cap(k.owners)+cap(k.keys.text)+cap(k.keys.ends)+k.streams[metaStream].held)
	}
	return n + w.words.memory() + int64(w.sessions.len())*100
}

// Add puts a document in and returns its number of its kind. It keeps nothing
// of d. After an error the writer is only good for Abort; an error that wraps
// ErrDocument says that the document is at fault.
func (w *Writer) Add(d Doc) (uint32, error) {
	if w.err != nil {
		return 0, w.err
	}
	doc, err := w.add(&d)
	if err != nil {
		w.err = fmt.Errorf("add %q: %w", d.Key, err)
		return 0, w.err
	}
	return doc, nil
}

func (w *Writer) add(d *Doc) (uint32, error) {
	if d.Kind > Session {
		return 0, fmt.Errorf("%w: kind %d", ErrDocument, d.Kind)
	}
	k := &w.kinds[d.Kind]
	doc := k.docs
	if doc >= maxDocs {
		return 0, fmt.Errorf("%w: the shard is full", ErrDocument)
	}
	h := Head{
		Key: signal.Of(d.Key), Hash: d.Hash, Session: w.sessions.ord(d.Session),
		Flags: d.Flags, Created: d.Created, Updated: d.Updated,
	}
	k.row(&h, d.Key)
	if err := w.addStored(k, d); err != nil {
		return 0, err
	}
	for _, f := range d.Facets {
		if strings.IndexByte(f.Name, 0) >= 0 {
			return 0, fmt.Errorf("%w: facet name %q", ErrDocument, f.Name)
		}
		w.scratch = append(append(append(w.scratch[:0], f.Name...), 0), f.Value...)
		k.facets.add(string(w.scratch), doc, 1) // one that is there twice is there once
	}
	for i := range d.Fields {
		if err := w.addField(d.Kind, doc, &d.Fields[i]); err != nil {
			return 0, err
		}
	}
	return doc, w.out.err
}

func (w *Writer) addStored(k *kindWriter, d *Doc) (err error) {
	if w.scratch, err = w.appendPassages(w.scratch[:0], k, d.Passages); err != nil {
		return err
	}
	w.mark(d)
	if err := k.streams[passageStream].addMarked(w.scratch, w.marked); err != nil {
		return err
	}
	if err := k.streams[metaStream].add(d.Meta); err != nil {
		return err
	}
	w.scratch = usual(w.scratch)
	return k.streams[messageStream].add(d.Messages)
}

// mark says where in the stored form of a document's passages words are marked.
func (w *Writer) mark(d *Doc) {
	w.marked = w.marked[:0]
	var f Field
	at, before := uvarintSize(len(d.Passages)), 0
	for _, p := range d.Passages {
		if p.Surface != f.Surface {
			before = 0
			if i := slices.IndexFunc(d.Fields, func(f Field) bool { return f.Surface == p.Surface }); i >= 0 {
				f = d.Fields[i]
			} else {
				f = Field{Surface: p.Surface}
			}
		}
		at += 1 + uvarintSize(len(p.Text))
		m := marking{at - before, f.Vocabulary, f.Marks}
		before += len(p.Text)
		n := sort.Search(len(f.Marks), func(i int) bool { return int(f.Marks[i].Start) >= before })
		m.marks, f.Marks = f.Marks[:n], f.Marks[n:]
		w.marked = append(w.marked, m)
		at += len(p.Text)
	}
}

func uvarintSize(n int) int { return (bits.Len64(uint64(n)|1) + 6) / 7 }

// appendPassages adds the stored form of a document's passages; nothing when
// there are none.
func (w *Writer) appendPassages(b []byte, k *kindWriter, ps []Passage) ([]byte, error) {
	if len(ps) > 0 {
		b = binary.AppendUvarint(b, uint64(len(ps)))
	}
	for _, p := range ps {
		slot := w.slot(p.Surface)
		if slot < 0 {
			return b, fmt.Errorf("%w: surface %q is unknown", ErrDocument, p.Surface)
		}
		k.slots |= 1 << slot
		b = append(b, byte(slot))
		b = binary.AppendUvarint(b, uint64(len(p.Text)))
		b = append(b, p.Text...)
	}
	return b, nil
}

// slot returns the number of a surface in this file, -1 for an unknown one.
func (w *Writer) slot(s surfaces.Name) int {
	return slices.IndexFunc(w.names, func(v surfaces.Surface) bool { return v.Name == s })
}

func (w *Writer) addField(k Kind, doc uint32, f *Field) error {
	slot := w.slot(f.Surface)
	if slot < 0 || w.names[slot].Session != (k == Session) {
		return fmt.Errorf("%w: surface %q is not of its kind", ErrDocument, f.Surface)
	}
	fw := w.fields[slot]
	if fw == nil {
		fw = &fieldWriter{}
		w.fields[slot] = fw
	}
	return fw.add(doc, f)
}

// Finish writes everything that is not yet in the file, makes it durable and
// closes it. After an error the file is removed.
func (w *Writer) Finish() (Info, error) {
	if w.err != nil {
		err := w.err
		w.Abort()
		return Info{}, err
	}
	return w.seal(w.finish(w.collected))
}

// FinishBytes is Finish for a shard that is so small that nothing of it is in the
// file: it returns the bytes, for OpenBytes, and there is no file. They are nil
// when Finish has to be called.
func (w *Writer) FinishBytes() ([]byte, error) {
	if w.err != nil || w.again || w.out.done > 0 || w.Size() >= outputBuffer {
		return nil, nil
	}
	f := &memoryFile{}
	w.file, w.out.w = f, f
	if _, err := w.Finish(); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

// seal makes what finish wrote durable, or gives the file up.
func (w *Writer) seal(info Info, err error) (Info, error) {
	if err == nil && !w.late {
		err = w.file.Sync()
	}
	if err != nil {
		w.Abort()
		return Info{}, fmt.Errorf("write index file: %w", err)
	}
	f := w.file
	w.file, w.err = nil, ErrClosed
	if err := f.Close(); err != nil {
		w.remove()
		return Info{}, fmt.Errorf("close index file: %w", err)
	}
	return info, nil
}

// Abort closes and removes the file. It does nothing after Finish.
func (w *Writer) Abort() {
	if w.file == nil {
		return
	}
	w.file.Close()
	w.file, w.err = nil, ErrClosed
	w.remove()
}

func (w *Writer) remove() {
	if w.fs != nil {
		w.fs.Remove(w.path) // what stays is an orphan that the next writer removes
	}
}
