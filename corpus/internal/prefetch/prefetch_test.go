package prefetch

import "testing"

// Rows may be asked for wherever they are; nothing of them changes.
func TestRows(t *testing.T) {
	type row struct{ a, b, c uint64 }
	rows := make([]row, 1000)
	var at []uint32
	for i := range rows {
		rows[i] = row{uint64(i), uint64(i) << 8, 3}
		at = append(at, uint32(i*7%len(rows)))
	}
	Rows(rows, at)
	Rows(rows, at[999:])
	Rows(rows, nil)
	Rows([]row(nil), nil)
	for i, r := range rows {
		if (r != row{uint64(i), uint64(i) << 8, 3}) {
			t.Fatalf("row %d is %v", i, r)
		}
	}
}
