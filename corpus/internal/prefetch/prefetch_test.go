package prefetch

import "testing"

// What is asked for may be anywhere; nothing of it changes.
func Test(t *testing.T) {
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
	text := []byte("any bytes")
	Bytes([]*byte{&text[0], &text[8]})
	Bytes(nil)
	At(text, []uint16{8, 0, 3})
	At(text, nil)
	At(nil, nil)
	if string(text) != "any bytes" {
		t.Errorf("bytes are %q", text)
	}
	for i, r := range rows {
		if (r != row{uint64(i), uint64(i) << 8, 3}) {
			t.Fatalf("row %d is %v", i, r)
		}
	}
}
