package transcripts

import "iter"

// A Stamp is what a walk of the sources compares, and what is counted: the part
// of a row that is known without making the row.
type Stamp struct {
	Size    int64
	ModTime int64
	Inode   uint64
	End     uint64
	Params  string
	Flags   Flags
	Loose   bool // the row has Links and no Parent
}

func stampOf(r *Row) Stamp {
	return Stamp{r.Size, r.ModTime, r.Inode, r.End, r.Params, r.Flags, len(r.Links) > 0 && r.Parent == ""}
}

// BeginWalk begins a walk in which no row was looked up yet.
func (t *Table) BeginWalk() { t.walk++ }

// Look returns the stamp of a transcript's row; ok is false when there is none.
func (t *Table) Look(source, path string) (s Stamp, ok bool) {
	e := t.entries[key{source, path}]
	if e == nil || e.gone() {
		return Stamp{}, false
	}
	e.walk = t.walk
	return e.stamp, true
}

// Missed yields the rows that were not looked up since BeginWalk, in no order.
// The table must not change meanwhile.
func (t *Table) Missed() iter.Seq[*Row] {
	return t.those(func(e *entry) bool { return e.walk != t.walk })
}

// Loose yields the rows whose stamp says so, as All does.
func (t *Table) Loose() iter.Seq[*Row] {
	return t.those(func(e *entry) bool { return e.stamp.Loose })
}

// Stamps yields the stamps of all rows with the names of their sources, in no
// order. The table must not change meanwhile.
func (t *Table) Stamps() iter.Seq2[string, Stamp] {
	return func(yield func(string, Stamp) bool) {
		for k, e := range t.entries {
			if !e.gone() && !yield(k.source, e.stamp) {
				return
			}
		}
	}
}
