package main

import (
	"encoding/json"
)

// A part is what some of an index takes on the disk.
type part struct {
	engine, label string
	bytes         int64
}

// onDisk compares what indexes take on the disk: hansard's as it says itself, by
// what it is for.
func (m *measurement) onDisk() error {
	m.disk = nil
	if m.o.has("hansard") {
		if err := m.ownParts(); err != nil {
			return err
		}
	}
	for _, e := range others {
		if m.o.has(e.name) {
			m.disk = append(m.disk, part{e.name, e.label + m.unfinished(e.name), onDisk(m.d.index(e.name))})
		}
	}
	var rows [][]string
	for _, p := range m.disk {
		if p.bytes > 0 {
			rows = append(rows, []string{p.label, size(p.bytes), ratio(p.bytes, m.d.Text), ratio(p.bytes, m.d.Bytes)})
		}
	}
	table(m.out, []string{"on disk", "size", "/ text", "/ transcripts"}, rows)
	return nil
}

func (m *measurement) ownParts() error {
	c, err := m.p.run("status", "--json")
	if err != nil {
		return err
	}
	var st struct {
		Bytes struct{ Shards, Ledger, Transcripts, Manifest int64 }
	}
	if err := json.Unmarshal(c.out, &st); err != nil {
		return err
	}
	m.disk = append(m.disk, part{"hansard", "hansard, all", onDisk(folder(m.d))},
		part{"shards", "- shards (text, postings, dictionaries, tables)", st.Bytes.Shards},
		part{"ledger", "- ledger", st.Bytes.Ledger},
		part{"transcripts", "- table of transcripts, manifest", st.Bytes.Transcripts + st.Bytes.Manifest})
	return nil
}

// diskOf is the size of an engine's index; 0 when it has none.
func (m *measurement) diskOf(engine string) int64 {
	for _, p := range m.disk {
		if p.engine == engine {
			return p.bytes
		}
	}
	return 0
}

// parts names what hansard's index consists of, for the summary.
func (m *measurement) parts() (s string) {
	for _, p := range m.disk {
		if p.label[0] == '-' && p.bytes > 0 {
			if s != "" {
				s += ", "
			}
			s += p.engine + " " + size(p.bytes)
		}
	}
	return s
}
