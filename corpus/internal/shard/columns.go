package shard

import (
	"encoding/binary"
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// Head returns the row of a document.
func (r *Reader) Head(k Kind, doc uint32) (Head, error) {
	t, err := r.kind(k, doc)
	if err != nil {
		return Head{}, err
	}
	row, err := r.m.at(t.hashes, int64(doc)*rowSize, rowSize)
	if err != nil {
		return Head{}, err
	}
	ord, err := r.m.at(t.owners, int64(doc)*ordSize, ordSize)
	if err != nil {
		return Head{}, err
	}
	h := readHead(row)
	h.Session = binary.LittleEndian.Uint32(ord)
	if int64(h.Session) >= int64(r.sessions.n) {
		return Head{}, r.m.damage(t.owners.name, "session %d of %d", h.Session, r.sessions.n)
	}
	return h, nil
}

// Updated returns Head.Updated alone: ranking asks it of hundreds of documents.
func (r *Reader) Updated(k Kind, doc uint32) (int64, error) {
	t, err := r.kind(k, doc)
	if err != nil {
		return 0, err
	}
	b, err := r.m.at(t.hashes, int64(doc)*rowSize+updatedAt, 8)
	if err != nil {
		return 0, err
	}
	return int64(binary.LittleEndian.Uint64(b)), nil
}

// Key returns the key of a document.
func (r *Reader) Key(k Kind, doc uint32) (string, error) {
	t, err := r.kind(k, doc)
	if err != nil {
		return "", err
	}
	return r.key(&t.keyed, doc)
}

// SessionKey returns the id of the session with an ordinal.
func (r *Reader) SessionKey(ord uint32) (string, error) {
	if int64(ord) >= int64(r.sessions.n) {
		return "", fmt.Errorf("%w: session %d", ErrRange, ord)
	}
	return r.key(&r.sessions, ord)
}

// SessionHash returns signal.Of the id of the session with an ordinal.
func (r *Reader) SessionHash(ord uint32) (signal.Hash, error) { return r.hash(&r.sessions, ord) }

// SessionOrd returns the ordinal of a session; ok is false when no document
// here belongs to it.
func (r *Reader) SessionOrd(session signal.Hash) (ord uint32, ok bool, err error) {
	return r.find(&r.sessions, session)
}

// TurnsOf returns the turn documents of a session, ascending; none when the
// session is not here.
func (r *Reader) TurnsOf(session signal.Hash) ([]uint32, error) {
	ord, ok, err := r.SessionOrd(session)
	if err != nil || !ok {
		return nil, err
	}
	return r.TurnsOfOrd(ord)
}

// TurnsOfOrd is TurnsOf for a session's ordinal.
func (r *Reader) TurnsOfOrd(ord uint32) ([]uint32, error) {
	at, n, err := r.turnsAt(ord)
	if n == 0 || err != nil {
		return nil, err
	}
	b, err := r.m.at(r.turns, at, 4*n)
	if err != nil {
		return nil, err
	}
	docs := make([]uint32, len(b)/4)
	for i := range docs {
		docs[i] = binary.LittleEndian.Uint32(b[4*i:])
		if int64(docs[i]) >= int64(r.info.Turns) {
			return nil, r.m.damage(r.turns.name, "turn %d of %d", docs[i], r.info.Turns)
		}
	}
	return docs, nil
}

// TurnsSpan is the first of a session's turns and how many there are, of the
// session's ordinal.
func (r *Reader) TurnsSpan(ord uint32) (first uint32, n int, err error) {
	at, some, err := r.turnsAt(ord)
	if some == 0 || err != nil {
		return 0, 0, err
	}
	b, err := r.m.at(r.turns, at, 4*some)
	if err != nil {
		return 0, 0, err
	}
	if first = binary.LittleEndian.Uint32(b); int64(first) >= int64(r.info.Turns) {
		return 0, 0, r.m.damage(r.turns.name, "turn %d of %d", first, r.info.Turns)
	}
	return first, int(some), nil
}

// turnsAt is where the numbers of a session's turns are, and how many.
func (r *Reader) turnsAt(ord uint32) (at, n int64, err error) {
	if int64(ord) >= int64(r.sessions.n) {
		return 0, 0, fmt.Errorf("%w: session %d", ErrRange, ord)
	}
	if r.turns.len == 0 {
		return 0, 0, nil
	}
	b, err := r.m.at(r.turns, 4*int64(ord), 8)
	if err != nil {
		return 0, 0, err
	}
	from, to := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	return 4 * (int64(r.sessions.n) + 1 + from), to - from, nil
}

// SessionOrds returns the ordinals of the sessions that the documents of a
// kind belong to. They lie in the file and are checked here, as a whole.
func (r *Reader) SessionOrds(k Kind) (Ords, error) {
	if k > Session {
		return Ords{}, nil
	}
	b, err := r.m.all(r.kinds[k].owners)
	return Ords{b}, err
}

// Ords is a column of session ordinals, one a document. It lies in the file.
type Ords struct{ b []byte }

// Len is the number of documents.
func (o Ords) Len() int { return len(o.b) / ordSize }

// At returns the ordinal of the session of a document below Len.
func (o Ords) At(doc uint32) uint32 { return binary.LittleEndian.Uint32(o.b[int(doc)*ordSize:]) }

// Codes returns the length codes of a surface, one byte a document of the
// surface's kind, 0 where the document lacks the surface.
func (r *Reader) Codes(s surfaces.Name) Codes {
	if f := r.surface(s); f != nil && f.codes.len > 0 {
		return Codes{r: r, codes: f.codes, n: int(f.codes.len)}
	}
	return Codes{}
}

// Codes is a column of length codes. The zero value is the column of a surface
// that has no documents.
type Codes struct {
	r     *Reader
	codes extent
	n     int
}

// Len is the number of documents, 0 when the surface has none.
func (c Codes) Len() int { return c.n }

// Block returns the codes of the documents from block << BlockShift on, at most
// BlockDocs of them, none past the end. They lie in the file and are checked
// at first touch; a block is one page.
func (c Codes) Block(block uint32) ([]uint8, error) {
	from := int64(block) << BlockShift
	if from >= int64(c.n) {
		return nil, nil
	}
	return c.r.m.at(c.codes, from, min(BlockDocs, int64(c.n)-from))
}

// All returns the codes of all documents. They lie in the file.
func (c Codes) All() ([]uint8, error) {
	if c.n == 0 {
		return nil, nil
	}
	return c.r.m.all(c.codes)
}

// At returns the code of one document, 0 past the end.
func (c Codes) At(doc uint32) (uint8, error) {
	if int64(doc) >= int64(c.n) {
		return 0, nil
	}
	b, err := c.r.m.at(c.codes, int64(doc), 1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// Length returns the length in terms that a document has in a surface, 0 when
// it lacks it.
func (r *Reader) Length(s surfaces.Name, doc uint32) (uint32, error) {
	f := r.surface(s)
	if f == nil || int64(doc) >= f.lengths.len/4 {
		return 0, nil
	}
	b, err := r.m.at(f.lengths, 4*int64(doc), 4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}
