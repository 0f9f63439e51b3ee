package shard

import "encoding/binary"

// A Stretch is turns of one session that lie one after the other, as most of a
// session's do. It ends before the turn End.
type Stretch struct{ End, Session uint32 }

// Stretches returns those of all turns, in order. A shard of many turns keeps
// them, so that a search need not read the sessions of all its turns.
func (r *Reader) Stretches() ([]Stretch, error) {
	if r.stretches.len == 0 {
		ords, err := r.SessionOrds(Turn)
		return stretchesOf(ords), err
	}
	b, err := r.m.all(r.stretches)
	if err != nil {
		return nil, err
	}
	all := make([]Stretch, len(b)/stretchSize)
	for i := range all {
		row := b[i*stretchSize:]
		all[i] = Stretch{binary.LittleEndian.Uint32(row), binary.LittleEndian.Uint32(row[4:])}
		if int64(all[i].Session) >= int64(r.sessions.n) || i > 0 && all[i].End <= all[i-1].End {
			return nil, r.m.damage(r.stretches.name, "stretch %d of %d", i, len(all))
		}
	}
	if last := all[len(all)-1]; int64(last.End) != int64(r.info.Turns) {
		return nil, r.m.damage(r.stretches.name, "stretches of %d turns for %d", last.End, r.info.Turns)
	}
	return all, nil
}

// KeepsStretches reports whether the shard keeps them.
func (r *Reader) KeepsStretches() bool { return r.stretches.len > 0 }

// stretchesOf makes stretches of the sessions of all turns.
func stretchesOf(ords Ords) (all []Stretch) {
	for doc := range uint32(ords.Len()) {
		if ord := ords.At(doc); len(all) == 0 || all[len(all)-1].Session != ord {
			all = append(all, Stretch{Session: ord})
		}
		all[len(all)-1].End = doc + 1
	}
	return all
}

// stretchTable is the section of stretches, nil where reading them would save
// little.
func stretchTable(owners []byte) []byte {
	ords := Ords{owners}
	if ords.Len() < BlockDocs {
		return nil
	}
	all := stretchesOf(ords)
	if len(all)*stretchSize > len(owners)/4 {
		return nil
	}
	b := make([]byte, 0, len(all)*stretchSize)
	for _, s := range all {
		b = binary.LittleEndian.AppendUint32(b, s.End)
		b = binary.LittleEndian.AppendUint32(b, s.Session)
	}
	return b
}
