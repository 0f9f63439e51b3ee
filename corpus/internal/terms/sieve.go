package terms

import "unicode/utf8"

// A sieve finds the places of a text where a word that has a target among its
// terms can begin, or a part of it, without reading words: all forms of a word
// begin with the same two letters. It may find places where none does.
type sieve struct {
	pairs [1 << 11]uint32 // the set of two bytes, the first times 256 plus the second
	wide  bool            // a target begins with a character beyond ASCII
}

// noTargets is the sieve of no targets.
var noTargets = func() (v sieve) {
	for c := utf8.RuneSelf; c < 256; c++ { // may be folded into any letter
		v.whatever(byte(c))
	}
	return v
}()

// sieve returns the sieve of targets, one that was released where there is one.
func (a *Analyzer) sieve(targets []Target) *sieve {
	var v *sieve
	if last := len(a.sieves) - 1; last >= 0 {
		v, a.sieves = a.sieves[last], a.sieves[:last]
	} else {
		v = new(sieve)
	}
	*v = noTargets
	for _, t := range targets {
		v.add(t)
	}
	return v
}

func (v *sieve) add(t Target) {
	form, _ := Form(t.Term)
	switch {
	case form == "":
		return
	case classes[form[0]] == wide:
		v.wide = true
		return
	case len(form) == 1 || classes[form[1]]&alnum == 0:
		v.whatever(form[0])
		v.whatever(capital(form[0]))
		return
	}
	v.letters(form[0], form[1])
	if form[1] == 'i' { // dying, lying and tying have the stems die, lie and tie
		v.letters(form[0], 'y')
	}
	for c := range 256 { // folding leaves these out, or makes letters of them
		if classes[c]&(joined|wide) != 0 {
			v.letters(form[0], byte(c))
		}
	}
}

// letters lets two small letters and their capitals through.
func (v *sieve) letters(first, second byte) {
	v.pair(first, second)
	v.pair(first, capital(second))
	v.pair(capital(first), second)
	v.pair(capital(first), capital(second))
}

func (v *sieve) pair(first, second byte) {
	at := uint16(first)<<8 | uint16(second)
	v.pairs[at>>5] |= 1 << (at & 31)
}

// whatever lets a byte through whatever follows.
func (v *sieve) whatever(first byte) {
	for i := range 8 {
		v.pairs[int(first)<<3+i] = ^uint32(0)
	}
}

func capital(c byte) byte {
	if classes[c] == lower {
		return c - 'a' + 'A'
	}
	return c
}

// next returns the first place from i on where a target can begin, len(text)
// when there is none.
func (v *sieve) next(text string, i int) int {
	if i == len(text) {
		return i
	}
	at := uint16(text[i])
	for j := i + 1; j < len(text); j++ {
		at = at<<8 | uint16(text[j])
		if v.pairs[at>>5]>>(at&31)&1 == 1 && begins(text, j-1) {
			return j - 1
		}
	}
	last := uint16(text[len(text)-1]) << 8 // nothing follows, as if a zero did
	if v.pairs[last>>5]&1 == 1 && begins(text, len(text)-1) {
		return len(text) - 1
	}
	return len(text)
}

// begins reports whether a piece of a word can begin at i: not in the midst of
// letters, unless with a capital or with the digits of a version, nor in that of
// digits.
func begins(text string, i int) bool {
	if i == 0 || classes[text[i-1]]&alnum == 0 || classes[text[i]]&(upper|wide) != 0 {
		return true
	}
	return classes[text[i]] == digit && classes[text[i-1]] != digit
}
