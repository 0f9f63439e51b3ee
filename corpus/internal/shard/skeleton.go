package shard

import (
	"errors"
	"iter"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

var errNotImplemented = errors.New("shard: not implemented yet")

// ErrClosed is returned by a reader that was closed.
var ErrClosed = errors.New("shard: closed")

// ErrDamaged is what every DamageError wraps.
var ErrDamaged = errors.New("damaged index file")

// A DamageError says that stored bytes are not what was written: a checksum
// that does not match, a file that is too short, an impossible number.
type DamageError struct {
	File   string // path, "" for a shard in memory
	Part   string // "header", "dictionary user_prompt", ...
	Detail string
}

func (e *DamageError) Error() string { return "damaged" }

// Unwrap returns ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }

// MaxCount is the largest count that is kept; larger ones count as this.
// BM25 gives a term that stands 255 times in a text 99 % of all it can get.
const MaxCount = 255

// A block is an aligned range of documents for which postings give bounds and
// can be decoded alone, and for which codes are one slice.
const (
	BlockShift = 12
	BlockDocs  = 1 << BlockShift
)

// Info says what a shard holds. Sizes are in bytes.
type Info struct {
	Size     int64 // of the whole file
	Turns    int
	Sessions int // session documents
	// Owners is the number of sessions that turns or session documents belong to.
	Owners   int
	Surfaces []SurfaceInfo // those with documents, in the order of surfaces.All
	Parts    []PartInfo    // in the order in which they lie in the file
}

// SurfaceInfo is the statistics of a surface in a shard, gone documents included.
type SurfaceInfo struct {
	Surface surfaces.Name
	Docs    int    // documents with at least one term
	Length  uint64 // sum of their Field.Length
	Terms   int    // different terms
}

// PartInfo is the size of a part of the file.
type PartInfo struct {
	Part string
	Size int64
}

// Options of a writer. The zero value works.
type Options struct {
	FS files.FS // how the file is made; nil means files.OS{}
}

// A Writer collects documents into one shard. It is for one goroutine.
type Writer struct{}

// NewWriter begins a shard in the file path, which it empties. The caller
// gives a temporary name and renames after Finish.
func NewWriter(path string, opts Options) (*Writer, error) { return nil, errNotImplemented }

// Add puts a document in and returns its number of its kind. It keeps nothing of d.
func (w *Writer) Add(d Doc) (uint32, error) { return 0, errNotImplemented }

// Len is the number of documents of a kind so far.
func (w *Writer) Len(k Kind) int { return 0 }

// Bytes is about how many bytes of memory and file the documents so far take.
func (w *Writer) Bytes() int64 { return 0 }

// Finish writes everything, makes it durable and closes the file.
func (w *Writer) Finish() (Info, error) { return Info{}, errNotImplemented }

// Abort closes and removes the file. It does nothing after Finish succeeded.
func (w *Writer) Abort() {}

// Build makes a shard of the documents in memory, for OpenBytes.
func Build(docs iter.Seq[Doc]) ([]byte, error) { return nil, errNotImplemented }

// An Input of a merge.
type Input struct {
	Reader       *Reader
	GoneTurns    *postings.Set // left out; nil = none
	GoneSessions *postings.Set // session documents left out; nil = none
}

// Merge writes the documents of all inputs, without the gone ones, into a new
// shard. Turns are numbered by session and time created, then by input and
// number; sessions in the order of their first turn's session.
func Merge(path string, opts Options, inputs []Input) (Info, error) {
	return Info{}, errNotImplemented
}

// A Reader reads a shard. It is for any number of goroutines. What its methods
// return belongs to the caller, except where a method says that it lies in the
// file: that must not be changed, nor used after Close.
//
// Every method returns a *DamageError for bytes that are not what was written,
// and ErrClosed after Close.
type Reader struct{}

// Open maps the file path into memory.
func Open(path string) (*Reader, error) { return nil, errNotImplemented }

// OpenBytes reads a shard in memory. It keeps b, which must not change.
func OpenBytes(b []byte) (*Reader, error) { return nil, errNotImplemented }

// Close releases the map. No method may be running, and nothing that lies in
// the file may be used after it.
func (r *Reader) Close() error { return errNotImplemented }

// Info says what the shard holds.
func (r *Reader) Info() Info { return Info{} }

// Len is the number of documents of a kind.
func (r *Reader) Len(k Kind) int { return 0 }

// Find returns the document with a key; ok is false when there is none.
func (r *Reader) Find(k Kind, key string) (doc uint32, ok bool, err error) {
	return 0, false, errNotImplemented
}

// FindHash is Find for the signal.Of a key.
func (r *Reader) FindHash(k Kind, key signal.Hash) (doc uint32, ok bool, err error) {
	return 0, false, errNotImplemented
}

// Head returns the row of a document.
func (r *Reader) Head(k Kind, doc uint32) (Head, error) { return Head{}, errNotImplemented }

// Key returns the key of a document.
func (r *Reader) Key(k Kind, doc uint32) (string, error) { return "", errNotImplemented }

// Sessions is the number of sessions that documents of this shard belong to;
// they have the ordinals from 0. It is not the number of session documents.
func (r *Reader) Sessions() int { return 0 }

// SessionKey returns the id of the session with an ordinal.
func (r *Reader) SessionKey(ord uint32) (string, error) { return "", errNotImplemented }

// SessionHash returns signal.Of the id of the session with an ordinal.
func (r *Reader) SessionHash(ord uint32) (signal.Hash, error) {
	return signal.Hash{}, errNotImplemented
}

// SessionOrd returns the ordinal of a session; ok is false when no document
// here belongs to it.
func (r *Reader) SessionOrd(session signal.Hash) (ord uint32, ok bool, err error) {
	return 0, false, errNotImplemented
}

// TurnsOf returns the turn documents of a session, ascending; none when the
// session is not here.
func (r *Reader) TurnsOf(session signal.Hash) ([]uint32, error) { return nil, errNotImplemented }

// TurnsOfOrd is TurnsOf for a session's ordinal.
func (r *Reader) TurnsOfOrd(ord uint32) ([]uint32, error) { return nil, errNotImplemented }

// SessionOrds returns the ordinals of the sessions that the documents of a
// kind belong to. They lie in the file and are verified once, here.
func (r *Reader) SessionOrds(k Kind) (Ords, error) { return Ords{}, errNotImplemented }

// Ords is a column of session ordinals, one a document.
type Ords struct{ b []byte }

// Len is the number of documents.
func (o Ords) Len() int { return 0 }

// At returns the ordinal of the session of a document below Len.
func (o Ords) At(doc uint32) uint32 { return 0 }

// Codes returns the length codes of a surface, one byte a document of the
// surface's kind, 0 where the document does not have the surface. A surface
// without documents gives codes that are all 0.
func (r *Reader) Codes(s surfaces.Name) (Codes, error) { return Codes{}, errNotImplemented }

// Codes is a column of length codes.
type Codes struct{}

// Block returns the codes of the documents from block<<BlockShift on, at most
// BlockDocs of them; nil when the surface has no documents. They lie in the
// file and are verified at first touch.
func (c Codes) Block(block uint32) ([]uint8, error) { return nil, errNotImplemented }

// At returns the code of one document.
func (c Codes) At(doc uint32) (uint8, error) { return 0, errNotImplemented }

// Postings returns the documents that have a term in a surface; ok is false
// when none has. Surfaces of sessions number session documents, the others
// turn documents.
func (r *Reader) Postings(s surfaces.Name, term string) (p Postings, ok bool, err error) {
	return Postings{}, false, errNotImplemented
}

// Postings are the documents that have a term, with the number of times. They
// lie in the file. The zero value is empty. Values may be copied; any number
// of goroutines may read.
type Postings struct{}

// Len is the number of documents.
func (p *Postings) Len() int { return 0 }

// Bound gives the largest count and the smallest length code of all documents.
func (p *Postings) Bound() (maxCount, minCode uint8) { return 0, 0 }

// Contains reports whether doc has the term.
func (p *Postings) Contains(doc uint32) bool { return false }

// Count returns how often doc has the term, at most MaxCount; 0 when it does not.
func (p *Postings) Count(doc uint32) uint8 { return 0 }

// Set returns the documents as a set of the caller's own.
func (p *Postings) Set() (*postings.Set, error) { return nil, errNotImplemented }

// Blocks returns a cursor before the first block.
func (p *Postings) Blocks() Blocks { return Blocks{} }

// UnionLen is the number of documents in a or b. It allocates nothing.
func UnionLen(a, b *Postings) int { return 0 }

// Blocks goes through postings, a block of BlockDocs document numbers at a
// time, in ascending order; blocks without postings are left out. Next costs a
// few instructions, only Decode reads postings. It is for one goroutine.
//
//	for c := p.Blocks(); c.Next(); {
//		if bound(c.MaxCount, c.MinCode) > threshold {
//			n := c.Decode(&buf.docs, &buf.counts)
//		}
//	}
type Blocks struct {
	Block    uint32 // document number >> BlockShift
	Docs     int    // number of documents, at least 1
	MaxCount uint8  // no document of the block has a larger count
	MinCode  uint8  // nor a smaller length code
}

// Next moves to the next block; false at the end, for good.
func (c *Blocks) Next() bool { return false }

// Seek moves on to the first block that is not before block, staying where it
// is when that is the present one; false when there is none.
func (c *Blocks) Seek(block uint32) bool { return false }

// Decode writes the block's documents, ascending, and their counts, and
// returns how many there are: Docs. It allocates nothing.
func (c *Blocks) Decode(docs *[BlockDocs]uint32, counts *[BlockDocs]uint8) int { return 0 }

// DecodeDocs is Decode without the counts.
func (c *Blocks) DecodeDocs(docs *[BlockDocs]uint32) int { return 0 }

// Walk calls fn for each term of a surface that starts with prefix, in order
// of bytes, with its number of documents, until fn returns false.
func (r *Reader) Walk(s surfaces.Name, prefix string, fn func(term string, docs int) bool) error {
	return errNotImplemented
}

// Fuzzy is Walk for the terms within an edit distance of 1 or 2 of term
// (insert, delete, replace, or swap neighbours).
func (r *Reader) Fuzzy(s surfaces.Name, term string, distance int, fn func(term string, docs int) bool) error {
	return errNotImplemented
}

// ErrPattern says that a regular expression cannot be used here.
var ErrPattern = errors.New("shard: pattern not supported")

// Regexp is Walk for the terms that match pattern as a whole. A pattern that
// is wrong, or is too large, or uses assertions, gives ErrPattern.
func (r *Reader) Regexp(s surfaces.Name, pattern string, fn func(term string, docs int) bool) error {
	return errNotImplemented
}

// Facet returns the documents with a facet value, a set of the caller's own;
// empty, not nil, when there are none.
func (r *Reader) Facet(k Kind, name, value string) (*postings.Set, error) {
	return nil, errNotImplemented
}

// Facets calls fn for each value of a facet that starts with prefix, in order
// of bytes, with its number of documents, until fn returns false.
func (r *Reader) Facets(k Kind, name, prefix string, fn func(value string, docs int) bool) error {
	return errNotImplemented
}

// FacetsOf returns the facets of a document, by name and value. It walks the
// whole dictionary of facets: for checks and exports.
func (r *Reader) FacetsOf(k Kind, doc uint32) ([]Facet, error) { return nil, errNotImplemented }

// Passages returns the texts of a document as they were added.
func (r *Reader) Passages(k Kind, doc uint32) ([]Passage, error) { return nil, errNotImplemented }

// Meta returns Doc.Meta.
func (r *Reader) Meta(k Kind, doc uint32) ([]byte, error) { return nil, errNotImplemented }

// Messages returns Doc.Messages.
func (r *Reader) Messages(k Kind, doc uint32) ([]byte, error) { return nil, errNotImplemented }

// A Problem is something that Verify found.
type Problem struct {
	Part   string
	Detail string
}

// Verify reads everything, checks each checksum and what must hold between
// the parts, and calls fn for each problem.
func (r *Reader) Verify(fn func(Problem)) {}
