package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus"
)

// onDisk compares what indexes take on the disk, hansard's by what it is for.
func (m *measurement) onDisk() error {
	var rows [][]string
	row := func(label string, n int64) {
		rows = append(rows, []string{label, size(n), ratio(n, m.d.Text), ratio(n, m.d.Bytes)})
	}
	if m.o.has("hansard") {
		if err := m.ownParts(); err != nil {
			return err
		}
		row("hansard, all", m.disk["hansard"])
		for _, p := range m.parts {
			row("- "+p.Name, p.Bytes)
		}
	}
	for _, e := range others {
		if m.o.has(e.name) {
			m.disk[e.name] = under(m.d.index(e.name))
			row(e.label+m.unfinished(e.name), m.disk[e.name])
		}
	}
	table(m.out, []string{"on disk", "size", "/ text", "/ transcripts"}, rows)
	return nil
}

// ownParts asks the corpus what its parts take, the largest first.
func (m *measurement) ownParts() error {
	c, err := corpus.Open(folder(m.d))
	if err != nil {
		return err
	}
	defer c.Close()
	if m.parts, err = c.Disk(context.Background()); err != nil {
		return err
	}
	m.disk["hansard"] = 0
	for _, p := range m.parts {
		m.disk["hansard"] += p.Bytes
	}
	slices.SortStableFunc(m.parts, func(a, b corpus.DiskPart) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return nil
}

// diskGroups put the parts together for the summary; the rest is tables of ids,
// places and the like.
var diskGroups = []struct {
	label string
	parts []string
}{
	{"text", []string{"passages", "words", "messages"}},
	{"postings", []string{"postings", "codes"}},
	{"dictionaries", []string{"dictionaries"}},
	{"change signals", []string{"ledger", "transcripts", "manifest"}},
}

func (m *measurement) grouped() string {
	rest := m.disk["hansard"]
	var cells []string
	for _, g := range diskGroups {
		sum := int64(0)
		for _, p := range m.parts {
			if slices.Contains(g.parts, p.Name) {
				sum += p.Bytes
			}
		}
		rest -= sum
		cells = append(cells, fmt.Sprintf("%s %s", g.label, size(sum)))
	}
	return strings.Join(append(cells, "id tables and the like "+size(rest)), ", ")
}
