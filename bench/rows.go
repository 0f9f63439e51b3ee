package main

import (
	"fmt"
	"time"
)

// A row is a line of the summary: what is asked for, and what is there.
type row struct {
	what, asked, got, limit, others string
	part                            float64 // of what is allowed; above 1 it falls short
}

// reached says whether a row is as asked for, and else by which factor it is not.
func (r row) reached() string {
	if r.part <= 1 {
		return "yes"
	}
	return fmt.Sprintf("no, %.2fx", r.part)
}

const mb = 1e6

// resident is a memory row of an index that is made.
func (m *measurement) resident(what string, bound int64, others string) row {
	h := m.first["hansard"]
	return row{what, "at most " + size(bound), fmt.Sprintf("%s, %s of its own", size(h.Peak), size(h.Own)), "", others, float64(h.Peak) / float64(bound)}
}

// firstRows: a first look at transcripts as they are, which other engines cannot read.
func (m *measurement) firstRows() []row {
	h, wc, tree := m.first["hansard"], m.first["wc"], m.first["json"]
	if h.Wall == 0 || wc.Wall == 0 {
		return nil
	}
	times := float64(h.Wall) / float64(wc.Wall)
	return []row{
		{"first index, " + m.d.what(), "at most 4x `wc -l`", fmt.Sprintf("%s, %.1fx", short(h.Wall), times),
			fmt.Sprintf("`wc -l` %s, read as JSON %s", short(wc.Wall), short(tree.Wall)), "", times / 4},
		m.resident("- memory", 150*mb, ""),
	}
}

// runRows: whole runs of the program.
func (m *measurement) runRows(names ...string) (rows []row) {
	start := "a process " + short(m.spent["true"].median())
	stat := start + ", stat of all " + short(quantile(m.floor.Times["stat"], .5))
	all := map[string]row{ // with what is asked for, in milliseconds, as part
		"nothing": {what: "index, nothing new", limit: stat, part: 12},
		"turn":    {what: "one new turn until it is found", limit: stat + ", a synced file " + short(quantile(m.floor.Times["sync"], .5)), part: 20},
		"rare":    {what: "search with refresh, rare words", limit: stat, part: 15},
		"common":  {what: "search with refresh, common words", limit: stat, part: 15},
		"cold":    {what: "open and first answer, a process", limit: start, part: 15},
	}
	for _, name := range names {
		s, r := m.spent[name], all[name]
		if len(s.wall) == 0 {
			continue
		}
		r.what += fmt.Sprintf(", %s in %d transcripts", m.d.title(), m.d.Files)
		r.asked = fmt.Sprintf("at most %.0f ms", r.part)
		r.got = short(s.median())
		r.part = milliseconds(s.median()) / r.part
		if rare := m.spent["rare"].median(); name == "common" && rare > 0 {
			times := float64(s.median()) / float64(rare)
			r.asked, r.got, r.part = r.asked+", 2x rare", fmt.Sprintf("%s, %.1fx", r.got, times), max(r.part, times/2)
		}
		rows = append(rows, r)
	}
	return rows
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// leanRow: how fast text is indexed.
func (m *measurement) leanRow() (rows []row) {
	if m.first["hansard"].Wall == 0 {
		return nil
	}
	return []row{{"first index, " + m.d.title() + ", text", "at least 40 MB/s", m.rate("hansard"), "read as JSON " + m.rate("json"),
		m.beside(m.rate), 40 / m.mbs("hansard")}}
}

// answerRow: a quantile of the answers to queries of 3 to 5 words, common ones
// among them.
func (m *measurement) answerRow(by string, q float64, bound float64) (rows []row) {
	cell := func(name string) string {
		if len(m.answered[name].Times["mixed"]) == 0 {
			return ""
		}
		return short(m.answer(name, "mixed", q))
	}
	if cell(by) == "" {
		return nil
	}
	limit := ""
	if c := cell("arrays"); c != "" {
		limit = "arrays in memory " + c
	}
	own := cell(by) + ", first asked " + short(quantile(m.answered[by].Times["mixed"], q))
	return []row{{fmt.Sprintf("search, %s, by %s, p%.0f", m.d.title(), by, 100*q), fmt.Sprintf("at most %.0f ms", bound), own, limit,
		m.beside(cell), milliseconds(m.answer(by, "mixed", q)) / bound}}
}

// timesRow: how much faster answers are than FTS5's.
func (m *measurement) timesRow(by string) []row {
	own, fts := m.answer(by, "mixed", .5), m.answer("fts5", "mixed", .5)
	if own == 0 || fts == 0 {
		return nil
	}
	times := float64(fts) / float64(own)
	return []row{{"- how often as fast as FTS5", "at least 100x", fmt.Sprintf("%.0fx", times), "", "", 100 / times}}
}

// addRow: turns added in process.
func (m *measurement) addRow() []row {
	cell := func(engine string) string {
		if len(m.added[engine].Times["add"]) == 0 {
			return ""
		}
		return short(quantile(m.added[engine].Times["add"], .5))
	}
	if cell("hansard") == "" {
		return nil
	}
	t := m.added["hansard"].Times["add"]
	return []row{{"one turn added in process, " + m.d.title(), "at most 0.3 ms", fmt.Sprintf("%s, mean %s", short(quantile(t, .5)), short(mean(t))), "",
		m.beside(cell), milliseconds(quantile(t, .5)) / .3}}
}

// sizeRows: what the index takes, on the disk and in memory.
func (m *measurement) sizeRows() []row {
	n := m.disk["hansard"]
	if n == 0 {
		return nil
	}
	text := max(1, m.d.Text)
	rows := []row{{"on disk, " + m.d.title(), "at most the text's size", fmt.Sprintf("%s, %.2fx: %s", size(n), float64(n)/float64(text), m.grouped()),
		"text " + size(text), m.beside(func(e string) string { return sized(m.disk[e]) }), float64(n) / float64(text)}}
	if own := max(m.answered["session"].Own, m.answered["turn"].Own); own > 0 {
		rows = append(rows, row{"memory while searching, " + m.d.title(), "at most 80 MB beside the page cache", size(own), "",
			m.beside(func(e string) string { return sized(m.answered[e].Own) }), float64(own) / (80 * mb)})
	}
	if m.first["hansard"].Peak > 0 {
		rows = append(rows, m.resident("memory while indexing, "+m.d.title(), 250*mb,
			m.beside(func(e string) string { return sized(m.first[e].Peak) })))
	}
	return rows
}

// sized is a size, or nothing where none was measured.
func sized(n int64) string {
	if n == 0 {
		return ""
	}
	return size(n)
}

// updateRows: what an index costs that grows turn by turn.
func updateRows(all []updates) (rows []row) {
	fts := ""
	for _, u := range all {
		if u.engine == "fts5" {
			fts = fmt.Sprintf("FTS5 %.1f", u.amplified())
		}
	}
	for _, u := range all {
		if u.engine != "hansard" {
			continue
		}
		n := len(u.times)
		rows = append(rows,
			row{fmt.Sprintf("%d one-turn updates, %s: bytes written for one of text", n, u.label), "at most 20", u.writes(), "", fts, u.amplified() / 20},
			row{"- shards", "at most 40", fmt.Sprint(u.shards), "", "", float64(u.shards) / 40},
			row{"- the last's time by the first's", "at most 2x", fmt.Sprintf("%.2fx of %s", u.slow(), short(u.median(true))), "", "", u.slow() / 2})
	}
	return rows
}

func printRows(rows []row) (head []string, cells [][]string) {
	for _, r := range rows {
		cells = append(cells, []string{r.what, r.asked, r.got, r.reached(), r.limit, r.others})
	}
	return []string{"what", "asked", "hansard", "reached", "the machine's limit", "others"}, cells
}
