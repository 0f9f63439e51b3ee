package redact

import "testing"

// A bucket is a byte, and places that are let through cost time.
func TestTableFits(t *testing.T) {
	f, used := filter(), 0
	for _, b := range f.buckets {
		if b != 0 {
			used++
		}
	}
	if len(f.rules) > 255 || used != len(f.rules) || used > len(f.buckets)/50 {
		t.Errorf("%d lists of rules, %d of %d buckets used", len(f.rules), used, len(f.buckets))
	}
}
