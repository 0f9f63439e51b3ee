package shard

// A renumbering says which numbers documents of an input get.
type renumbering struct {
	to   []uint32 // by old number
	runs []uint32 // by old number >> runShift: that of the first, where all follow each other; else gone

	whole bool   // all documents follow each other, as those of a first index do, and
	first uint32 // this is the number of the first
}

// Numbers are looked up a hundred times each. Documents mostly stay together, and
// where a few hundred numbers say so those stay in the processor's cache.
const (
	runShift = 6
	runMask  = 1<<runShift - 1
)

func (n *renumbering) findRuns() {
	if len(n.to) > 0 {
		n.first = n.to[0]
		n.whole = follow(n.to)
	}
	for rest := n.to; len(rest) > 0; {
		run := rest[:min(len(rest), runMask+1)]
		rest = rest[len(run):]
		first := run[0]
		if !follow(run) {
			first = gone
		}
		n.runs = append(n.runs, first)
	}
}

// follow reports whether documents follow each other.
func follow(docs []uint32) bool {
	for i, doc := range docs {
		if doc == gone || doc != docs[0]+uint32(i) {
			return false
		}
	}
	return true
}

// of is the new number of a document, gone for one that is left out.
func (n *renumbering) of(doc uint32) uint32 {
	if n.whole {
		return n.first + doc
	}
	if first := n.runs[doc>>runShift]; first != gone {
		return first + doc&runMask
	}
	return n.to[doc]
}

// fields takes over codes and lengths.
func (m *merger) fields(k Kind) error {
	for i := range m.inputs {
		r := m.inputs[i].Reader
		for at := range r.surfaces {
			f, slot := &r.surfaces[at], m.slots[i][at]
			if f.kind != k {
				continue
			}
			m.w.kinds[k].slots |= 1 << slot
			codes, err := r.m.all(f.codes)
			if err != nil {
				return err
			}
			lengths, err := r.m.all(f.lengths)
			if err != nil {
				return err
			}
			m.field(k, slot, m.remap[k][i].to, codes, lengths)
		}
		r.Forget() // few bytes, but a system may map two megabytes for each of them
	}
	return nil
}

func (m *merger) field(k Kind, slot int, remap []uint32, codes, lengths []byte) {
	for doc, code := range codes {
		length := le32(lengths[4*doc:])
		if length == 0 || remap[doc] == gone {
			continue
		}
		if m.w.fields[slot] == nil {
			m.w.fields[slot] = &fieldWriter{}
			m.w.fields[slot].pad(m.w.kinds[k].docs)
		}
		m.w.fields[slot].length(remap[doc], code, length)
	}
}
