// Package shard is the index file: an immutable set of documents with their
// texts, dictionaries, postings, facets and id tables, mapped into memory by
// readers.
//
// It knows neither transcripts nor ranking: terms are strings that it is
// given, and what a document's meta and messages mean is its caller's.
package shard

// For who reads the code, the files by what they are about; format.go says what the
// bytes mean, words.go those of packed texts:
//
//	format info damage                          the file as a whole
//	writer writer_again writer_file amend       documents in, a shard out
//	collect lexicon pool queue                  what is gathered of them until it ends
//	stored_write words words_write words_mark   texts and the like, packed in blocks
//	finish list_write dict_write keys counts    lists, dictionaries, columns, tables
//	output output_behind                        bytes and their sums, into the file
//
//	reader pages verify                         a file that is mapped, and checked where it is touched
//	columns find keys_begin stretches           documents by number, key and session
//	documents_read stored_read                  their texts, meta and messages
//	words_read words_pieces words_known         packed texts: whole, and as pieces for who looks for words
//	words_skim                                  likewise, passed over where a phrase cannot be
//	terms terms_containing dict_read            terms by what they are like
//	list_read list_docs blocks blocks_pick      postings: by document, and a block at a time
//
//	merge merge_aside merge_pages               several shards into one, on several processors
//	merge_columns merge_stored merge_fields     rows and keys, blocks as they are, what a surface has
//	merge_passages merge_words                  texts, by the words of the one shard
//	merge_terms merge_lists                     dictionaries and their lists

import (
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// Kind tells the two sorts of documents apart. Each has numbers of its own,
// from 0, in the order in which documents were added.
type Kind uint8

// The kinds of documents.
const (
	Turn    Kind = iota // one turn pair
	Session             // one session record: title and summaries
)

// A Doc is a document on its way into a shard. The writer copies what it keeps.
type Doc struct {
	Kind     Kind
	Key      string      // turn id or session id; at most once a kind in a shard
	Session  string      // Turn: id of the session it is shown in; Session: the same as Key
	Hash     signal.Hash // content hash, the change signal
	Created  int64       // Unix milliseconds
	Updated  int64       // Unix milliseconds
	Flags    uint32      // caller's own
	Passages []Passage   // texts by surface, whole; everything postings can be rebuilt from
	Meta     []byte      // caller's own, opened for each hit that is shown
	Messages []byte      // caller's own, opened for windows only
	Facets   []Facet     // without duplicates
	Fields   []Field     // the analysed passages, one a surface
}

// A Passage is the text of one surface. A session record may have several of
// one surface.
type Passage struct {
	Surface surfaces.Name
	Text    string
}

// A Facet is a value that filters, without a score.
type Facet struct{ Name, Value string }

// A Field is what one surface of a document contributes to the postings. Its
// terms are given by their texts or by their numbers, each once, in any order.
type Field struct {
	Surface surfaces.Name
	Length  uint32 // in terms; scores use its code only (see rank.LengthCode)
	Code    uint8  // length code, stored a byte a document and surface
	Terms   []Term

	// The same by numbers, which spares a Writer looking for texts.
	Counts     []Count
	Vocabulary Vocabulary // of Counts and Marks; must stay as it is until Finish

	// Words of the passages of this surface, in their order, as far as they are
	// known. They spare a Writer cutting and looking for them.
	Marks []Mark
}

// A Term is a term with the number of times it stands in a field.
type Term struct {
	Text  string
	Count uint32 // at least 1
}

// A Count is a Term by its number. A Writer takes some bytes for each number up
// to the largest.
type Count = struct {
	Number uint32 // from 1 to 2^24 - 1
	Count  uint32 // at least 1
}

// A Mark is a word of ASCII letters and digits at a place of the passages of a
// surface, one after the other. The word is the same wherever the number is.
type Mark = struct {
	Start  uint32
	Size   uint32
	Number uint32 // from 1, or 0 for a word without one
}

// A Vocabulary knows the texts of terms that have numbers; "" for numbers that no
// term has. It may learn new terms. Two that are equal (==) are the same.
type Vocabulary interface {
	Term(number uint32) string
}

// A Head is the fixed-size row of a document.
type Head struct {
	Key     signal.Hash // signal.Of the document's key
	Hash    signal.Hash
	Session uint32 // number of its session in this shard; see Reader.SessionKey
	Flags   uint32
	Created int64
	Updated int64
}
