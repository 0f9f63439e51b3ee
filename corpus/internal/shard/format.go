package shard

// The file, from its beginning. Numbers are little-endian; "uvarint" is that of
// encoding/binary.
//
//	body      header, stored blocks, lists, dictionaries, columns, tables
//	foot      see below; not where the body is nothing but the header
//	sums      for each page of the body (4,096 bytes, the last one shorter) its xxh3-64
//	foot      once more
//
// A foot is what a reader needs first:
//
//	toc       what lies where, and statistics
//	top sums  for each 4,096 bytes of sums their xxh3-64
//	trailer   32 bytes: length of the body (8), length of the toc (4), version (4),
//	          xxh3-64 of toc, top sums and the trailer so far (8), "drasnah\n"
//
// The one at the end is read. Where it is damaged, the other is looked for by its
// last eight bytes: it lies as far from the end as the sums are long, 2 KB for each
// megabyte, and costs some hundred bytes. Damaged sums are made again, and are right
// when the foot's sum of them is. Nothing is missing in both cases, and verify tells.
//
// The trailer's sum is checked when the file is opened, a part of the sums when
// a page below it is first touched, and a page when something in it is first
// touched, once a process. So every byte that an answer depends on is checked,
// and nothing else is read: a posting list, a text block, one FST and the pages
// of the columns that a query touches. Four kilobytes are the page of the
// operating system, which is read as a whole anyway, and 4,096 codes.
//
// Header: "hansard\n", version (4), zero (4).
//
// # Documents
//
// There are two kinds, turns and sessions, each with columns over its document
// numbers, present when it has documents:
//
//	rows      52 bytes: xxh3-128 of the key, content hash, created (8), updated (8), flags (4)
//	owners    4 bytes: number of the session it belongs to
//	keys      see below
//	find      12 bytes, sorted: first 8 bytes of the key's hash (big-endian), document (4)
//
// and, a surface that has documents, columns over the document numbers of the
// surface's kind, 0 where the document lacks the surface:
//
//	codes     1 byte: length code. From 4,096 documents on it begins on a page, so
//	          that the codes of one block of documents are one page.
//	lengths   4 bytes: length in terms. Only merges and statistics read it.
//
// Sessions that documents belong to are numbered too (owners), whether or not
// there is a session document: columns hash (16 bytes), keys, find, and turns:
// 4 bytes a session and one more, the place in the list of all turns, grouped
// by session, that follows. Where a session's turns mostly lie one after the other,
// there are stretches too: 8 bytes for each such row of turns, the turn behind it (4)
// and the number of its session (4). They tell nothing that owners does not, in a
// page or two: shards of less than 4,096 turns, or of short stretches, and those of
// earlier programs do without.
//
// Keys: 4 bytes a key and one more, the place of each key in the bytes that
// follow. A key that is a UUID in lower case is a zero byte and its 16 bytes,
// any other is a byte 1 and itself.
//
// # Stored bytes
//
// Passages, meta and messages of each kind are a stream each: documents in
// order, gathered into blocks. Blocks of all streams lie where they became full, or
// later: those of meta may wait (see amend.go).
//
//	block     codec (1: 0 = as is, 1 = S2, 2 = zstd), then, packed: a uvarint a
//	          document, its length; then the documents. Or codec 3, words: two uvarints a
//	          document, its length and its length packed; then the documents, packed
//	          one by one, with the words of the shard (see words.go)
//	blocks    20 bytes a block: first document (4), length unpacked (4), length with
//	          codec (4), place in the body (8)
//
// Passages are words, in blocks of 4 KB unpacked, because ranking opens up to 200
// documents a query; those of a shard that has less than 64 KB of them are S2. Meta
// is S2 in blocks of 8 KB: it is opened for the ten that are shown, 2 us each
// against 5-9 with zstd, for 1.4 times its space. Messages are in blocks of 16 KB: S2
// at first, because zstd takes four times as long, a tenth of a first index, for
// three quarters of the space; zstd once the shard is one of several merged, and
// where a document has more than 1 MB, but for shards of less than one block: a zstd
// encoder takes half a millisecond to make. A document that is longer than a block
// has one of its own. A stream without a byte is absent.
//
// The passages of a document are a uvarint, how many, and for each the slot of
// its surface (1; the toc says which), a uvarint, its length, and the text.
//
// # Dictionaries
//
// Each surface, and the facets of each kind (a facet is the term name, NUL,
// value), has a dictionary, cut into parts of at most 4,096 terms in the order
// of bytes. A part is its lists, in the order of terms, then a vellum FST that
// gives each term a number, the low two bits of which say where its list is:
//
//	0  in the number: bits 2-7 count less one, from bit 8 the document. Only for one
//	   document with a count of at most 64.
//	1  few: the rest is the list's place in the part
//	2  many: likewise
//	3  set: likewise; only facets
//
//	few       uvarint, length of what follows; number of documents less one (1); largest
//	          count (1); smallest code (1); for each document a uvarint, its distance
//	          from the one before (from -1 at first) less one, doubled, plus one when
//	          a byte with the count follows. At most 256 documents.
//	many      largest count (1), smallest code (1), blocks (2), documents (4), length of
//	          the packed set (4), length of the exceptions (4); then, for each block
//	          that has documents, 8 bytes: its number (2), largest count (1), smallest
//	          code (1), documents less one (2), length of its exceptions (2); then the
//	          documents, packed (see postings.View); then the exceptions
//	set       uvarint, length of what follows; uvarint, number of documents; the set
//	          (see postings.Parse)
//
// A block is 4,096 document numbers. Its exceptions are the counts above one: a
// byte, of which the high half is the number of documents of the block skipped
// since the last exception (15: plus a uvarint) and the low half the count less
// two (15: plus a byte); or, when that would take a third of a byte a document
// or more, the counts of all its documents, a byte each. Counts are capped at 255.
//
// The dictionary's own entry, the one the toc points to: uvarint, number of
// parts; for each uvarints: place of its lists, length of its lists, length of
// the FST that follows them, number of terms, length of its first term; then
// that term. Parts have 4,096 terms and not more because an FST is checked as a
// whole, on the way to a first answer: 7 us for the 70 KB that one has. Parts of
// 65,536 terms would take 2 % less space.
//
// # Versions
//
//	1  passages and meta S2, in blocks of 4 KB; no words. Read as well.
//	2  one foot, at the end. Read as well.
//	3  as above
const (
	formatVersion = 3
	oldestVersion = 1 // that is read
)

const (
	headMagic   = "hansard\n"
	tailMagic   = "drasnah\n"
	headerSize  = 16
	trailerSize = 32
	pageSize    = 4096
	sumSize     = 8
)

// A block is an aligned range of documents for which postings give bounds and
// can be decoded alone, and for which codes are one slice.
const (
	BlockShift = 12
	BlockDocs  = 1 << BlockShift
)

// MaxCount is the largest count that is kept; larger ones count as this.
// BM25 gives a term that stands 255 times in a text 99 % of all it can get.
const MaxCount = 255

const (
	rowSize   = 52 // with these in it:
	createdAt = 32
	updatedAt = 40
	flagsAt   = 48

	ordSize   = 4
	findSize  = 12
	blockSize = 20 // a row of a table of blocks

	stretchSize = 8
	entrySize   = 8 // a row of a long list's table of blocks
	longHead    = 16
)

// Dictionaries: see above.
const (
	partTerms   = 4096
	fewDocs     = 256
	inlineCount = 64
	maxDocs     = 1 << 28 // so that a block's number fits two bytes
)

// The tags of a dictionary's numbers.
const (
	tagInline = iota
	tagFew
	tagMany
	tagSet
)

// Streams of stored bytes.
const (
	passageStream = iota
	metaStream
	messageStream
	streams
)

// Codecs of a block.
const (
	codecRaw = iota
	codecS2
	codecZstd
	codecWords
)

// Unpacked sizes at which a block is full, by stream, and the codec of those of a
// shard that is not small.
var (
	streamTarget = [streams]int{4 << 10, 8 << 10, 16 << 10}
	streamCodec  = [streams]byte{codecWords, codecS2, codecZstd}
)

// A section is a part of the body that the toc points to. Its number is
// stored: it never changes. Those of a kind have the kind added, those of a
// surface the slot.
type section uint32

const (
	secRows    section = 2 * (iota + 1) // + kind
	secOwners                           // + kind
	secKeys                             // + kind
	secFind                             // + kind
	secPassage                          // + kind: table of blocks
	secMeta                             // + kind
	secMessage                          // + kind
	secFacets                           // + kind: dictionary

	secSessionHash section = 64
	secSessionKeys section = 65
	secSessionFind section = 66
	secTurns       section = 67
	secWords       section = 68
	secWordsAgain  section = 69
	secStretches   section = 70

	secCodes   section = 128 // + slot
	secLengths section = 160 // + slot
	secTerms   section = 192 // + slot: dictionary
)

// maxSlots bounds the surfaces of a shard; the toc names each slot's surface.
const maxSlots = 32
