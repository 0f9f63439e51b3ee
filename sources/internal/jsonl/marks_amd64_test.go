package jsonl

import "golang.org/x/sys/cpu"

// On a processor with both, mark takes the wider vectors.
func init() {
	if cpu.X86.HasAVX2 {
		markings["by vectors"] = func(b []byte, m []marks, escape uint64) (after, odd uint64) {
			if len(m) == 0 {
				return escape, 0
			}
			return markVectors(&b[0], &m[0], len(m), escape)
		}
	}
}
