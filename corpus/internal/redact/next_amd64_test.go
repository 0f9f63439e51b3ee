package redact

import "golang.org/x/sys/cpu"

// On a processor with AVX-512 VBMI, next is this.
func init() {
	if cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512BW {
		searches["wide"] = (*table).nextWide
	}
}
