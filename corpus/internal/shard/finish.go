package shard

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A finisher writes what follows the stored blocks. Dictionaries come from
// the documents that were added, or from the dictionaries of a merge's inputs.
type finisher struct {
	w     *Writer
	toc   toc
	sizes [parts]int64
	lists listWriter
	fst   fstBuilder
	// terms writes the dictionary of a surface or of a kind's facets.
	terms func(d *dictWriter, of dictID) error
}

// A dictID names a dictionary: a surface by its slot, or a kind's facets.
type dictID struct {
	facets bool
	kind   Kind
	slot   int
}

func (w *Writer) finish(terms func(*dictWriter, dictID) error) (Info, error) {
	f := &finisher{w: w, terms: terms}
	for _, step := range []func() error{f.kinds, f.sessions, f.surfaces} {
		if err := step(); err != nil {
			return Info{}, err
		}
	}
	f.section(secWordsAgain, partWords, w.words.section())
	f.toc.info.Turns = int(w.kinds[Turn].docs)
	f.toc.info.Sessions = int(w.kinds[Session].docs)
	f.toc.info.Owners = w.sessions.len()
	slices.SortFunc(f.toc.sections, func(a, b tocSection) int { return int(a.id) - int(b.id) })
	size, err := w.out.finish(f.toc.encode(f.sizes))
	f.toc.info.Size = size
	for i, n := range f.sizes {
		f.toc.info.Parts = append(f.toc.info.Parts, PartInfo{partNames[i], n})
	}
	return f.toc.info, err
}

// section writes a section, unless it has no bytes.
func (f *finisher) section(id section, part int, b []byte) {
	if len(b) == 0 {
		return
	}
	f.toc.sections = append(f.toc.sections, tocSection{id, f.w.out.pos(), int64(len(b))})
	f.w.out.write(b)
	f.sizes[part] += int64(len(b))
}

// column writes a section with what do writes.
func (f *finisher) column(id section, part int, do func() error) error {
	at := f.w.out.pos()
	if err := do(); err != nil {
		return err
	}
	if n := f.w.out.pos() - at; n > 0 {
		f.toc.sections = append(f.toc.sections, tocSection{id, at, n})
		f.sizes[part] += n
	}
	return f.w.out.err
}

func (f *finisher) kinds() error {
	for i := range f.w.kinds {
		k, id := &f.w.kinds[i], section(i)
		for s := range k.streams {
			table, err := k.streams[s].finish()
			if err != nil {
				return err
			}
			f.sizes[partPassages+s] += k.streams[s].size
			f.section(secPassage+section(2*s)+id, partTables, table)
			k.streams[s].table = nil
		}
		if k.docs == 0 {
			continue
		}
		if err := f.rows(k, id); err != nil {
			return err
		}
		if err := f.dictionary(secFacets+id, dictID{facets: true, kind: Kind(i)}, nil); err != nil {
			return err
		}
	}
	f.section(secWords, partWords, f.w.words.section())
	return nil
}

// rows writes the columns of a kind that every document has.
func (f *finisher) rows(k *kindWriter, id section) error {
	from := k.columns
	if from == nil {
		from = k
	}
	find, ok, err := findTable(int(k.docs), from.hash)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%w: two with the same key", ErrDocument)
	}
	f.section(secFind+id, partTables, find)
	if err := f.column(secKeys+id, partTables, func() error { return from.writeKeys(&f.w.out) }); err != nil {
		return err
	}
	if err := f.column(secRows+id, partRows, func() error { return from.writeRows(&f.w.out) }); err != nil {
		return err
	}
	f.section(secOwners+id, partRows, k.owners)
	k.columns = nil
	return nil
}

func (f *finisher) sessions() error {
	r := &f.w.sessions
	find, ok, err := findTable(r.len(), func(i int) ([]byte, error) { return r.hashes[16*i:][:16], nil })
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%w: two sessions with the same hash", ErrDocument)
	}
	f.section(secSessionFind, partTables, find)
	f.section(secSessionHash, partTables, r.hashes)
	if err := f.column(secSessionKeys, partTables, func() error { r.keys.write(&f.w.out); return nil }); err != nil {
		return err
	}
	f.section(secTurns, partTables, turnTable(f.w.kinds[Turn].owners, r.len()))
	f.section(secStretches, partTables, stretchTable(f.w.kinds[Turn].owners))
	return nil
}

// turnTable groups turns by session: where each session's begin, and one
// more, then all turns.
func turnTable(owners []byte, sessions int) []byte {
	if len(owners) == 0 {
		return nil
	}
	next := make([]uint32, sessions+1)
	for i := 0; i < len(owners); i += ordSize {
		next[binary.LittleEndian.Uint32(owners[i:])+1]++
	}
	for s := range sessions {
		next[s+1] += next[s]
	}
	b := make([]byte, 0, 4*(len(next)+len(owners)/ordSize))
	for _, v := range next {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	turns := b[len(b):cap(b)]
	for i := 0; i < len(owners); i += ordSize {
		s := binary.LittleEndian.Uint32(owners[i:])
		binary.LittleEndian.PutUint32(turns[4*next[s]:], uint32(i/ordSize))
		next[s]++
	}
	return b[:cap(b)]
}

func (f *finisher) surfaces() error {
	for slot, s := range f.w.names {
		fw := f.w.fields[slot]
		var kind Kind
		if s.Session {
			kind = Session
		}
		info := SurfaceInfo{Surface: s.Name, slot: uint8(slot)}
		if fw != nil && fw.docs > 0 {
			info.Docs, info.Length = fw.docs, fw.total
			fw.pad(f.w.kinds[kind].docs)
			if len(fw.codes) >= BlockDocs {
				f.w.out.pad()
			}
			f.section(secCodes+section(slot), partCodes, fw.codes)
			f.section(secLengths+section(slot), partCodes, fw.lengths)
			if err := f.dictionary(secTerms+section(slot), dictID{kind: kind, slot: slot}, &info); err != nil {
				return err
			}
		}
		if info.Docs > 0 || (f.w.kinds[Turn].slots|f.w.kinds[Session].slots)>>slot&1 == 1 {
			f.toc.info.Surfaces = append(f.toc.info.Surfaces, info)
		}
	}
	return nil
}

func (f *finisher) dictionary(id section, of dictID, info *SurfaceInfo) error {
	d := &dictWriter{out: &f.w.out, lists: &f.lists, fst: &f.fst}
	before := f.w.out.pos()
	if err := f.terms(d, of); err != nil {
		return err
	}
	entry, err := d.finish()
	if err != nil {
		return err
	}
	size := f.w.out.pos() - before
	if of.facets {
		f.sizes[partFacets] += size
		f.section(id, partFacets, entry)
		return nil
	}
	f.sizes[partPostings] += size - d.fstBytes
	f.sizes[partDictionaries] += d.fstBytes
	info.Terms = d.terms
	f.section(id, partDictionaries, entry)
	return nil
}

// collected writes a dictionary from what was added.
func (w *Writer) collected(d *dictWriter, of dictID) error {
	l := list{facet: of.facets}
	terms := &w.kinds[of.kind].facets
	if !of.facets {
		terms = &w.fields[of.slot].terms
		l.codes = w.fields[of.slot].codes
	}
	ids, err := terms.sorted()
	if err != nil {
		return err
	}
	for ; len(ids) > 0; ids = ids[min(extendAtOnce, len(ids)):] {
		terms.fetch(ids)
		for _, id := range ids[:min(extendAtOnce, len(ids))] {
			l.docs, l.counts = terms.postings(id, l.docs[:0], l.counts[:0])
			if of.facets {
				w.kinds[of.kind].withLate(id, &l)
			}
			if err := d.add(terms.name(id), &l); err != nil {
				return err
			}
		}
	}
	return nil
}
