package rank

import "math/bits"

// Length codes: one byte for the length of a field in terms. Scores are defined
// over codes, so a scorer needs one table look-up a posting and the brute-force
// check computes the very same number.
//
// A code is a float with four bits of mantissa: 0..31 stand for themselves, from
// there each doubling has 16 steps, so a decoded length is at most 1/17 below the
// real one. A BM25 score moves by less than 4 % for that, which is less than one
// more or less word in a short field does. Code 255 stands for 507,904 and above.
const lengthMantissa = 4

// maxLength is the smallest length of the last code.
const maxLength = 31 << 14

// LengthCode returns the code of a length in terms. It grows with length.
func LengthCode(length uint32) uint8 {
	const low = 1 << lengthMantissa
	if length < low {
		return uint8(length)
	}
	if length >= maxLength {
		return 255
	}
	shift := bits.Len32(length) - lengthMantissa - 1
	return uint8(low*(shift+1)) + uint8(length>>shift&(low-1))
}

// LengthOf returns the smallest length that has the code:
// LengthCode(LengthOf(c)) == c for every c.
func LengthOf(code uint8) uint32 {
	const low = 1 << lengthMantissa
	if code < low {
		return uint32(code)
	}
	shift := code/low - 1
	return (low + uint32(code%low)) << shift
}
