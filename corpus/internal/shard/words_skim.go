package shard

import "sync/atomic"

// Most texts that have all words of a phrase do not have them side by side. That is
// told by the numbers of the words: Asked.Step says once of each what it does where
// it stands, and a text is skimmed by that, which costs less than to read it. What is
// not certain is read.

// What a word does, in the bits above its length.
const (
	StepEnds   = 1 << (wordShift + iota) // a word that the piece before it is ends there
	StepWord                             // it is one word, if it begins and ends as one
	StepLed                              // it begins as one, whatever stands before it
	StepAfter                            // what follows it begins as one
	StepJoins                            // it may go on with the word before it, if another follows
	StepTarget                           // something that is looked for may begin in it
	stepFirst                            // it is the first word of the phrase; above, the next ones
)

// StepWords is how many words of a phrase are looked for.
const StepWords = 16 - wordShift - 6

// StepIs is what a word does that is one of the phrase, by its place.
func StepIs(place int) uint16 { return stepFirst << place }

// skimFrom is how many documents are read before it pays to ask of all words.
const skimFrom = 1 << 8

// skims reports whether texts can be skimmed.
func (p *Pieces) skims() bool {
	if p.asked.Step == nil || p.reads < skimFrom {
		return false
	}
	if len(p.steps) == 0 {
		p.makeSteps()
	}
	return true
}

// makeSteps asks of all words; what is no word, or damaged, has no length.
func (p *Pieces) makeSteps() {
	if p.steps == nil {
		p.steps = make([]uint16, maxWords)
	}
	p.steps = p.steps[:maxWords]
	for v := range p.steps {
		p.steps[v] = StepTarget
	}
	for v := range p.known {
		known := atomic.LoadUint32(&p.known[v])
		if known == 0 {
			known = p.learn(uint32(v))
		}
		code := uint16(known >> 16)
		if at := known & 0xFFFF; p.asked.Pairs[at>>5]>>(at&31)&1 == 1 {
			code = p.codeOfWord(uint32(v), code)
		}
		if n := code & PieceLength; n > 0 {
			p.steps[v] = n | p.asked.Step(code)
		}
	}
}

// A skim is how far a phrase may have come in a text.
type skim struct {
	begun  uint16 // places of the words before, as StepIs
	before uint16 // the step of the last piece; without StepWord where it is none
	joined bool   // a piece that joins stands behind it
	last   uint16 // StepIs of the last word that is looked for
	may    bool   // the phrase may stand there
}

// step goes on with a piece.
func (s *skim) step(c uint16) {
	if s.before&StepWord != 0 {
		switch {
		case c&StepEnds != 0:
			s.word()
		case c&StepJoins != 0 && !s.joined:
			s.joined = true
			return
		case s.before&StepTarget != 0:
			s.may = true
		}
		if s.joined {
			s.before, s.joined = 0, false
		}
	}
	if c&StepLed == 0 && s.before&StepAfter == 0 {
		c &^= StepWord
	}
	if c&(StepTarget|StepWord) == StepTarget {
		s.may = true
	}
	s.before = c
}

// word goes on with the word that the last piece is.
func (s *skim) word() {
	s.begun = (s.begun<<1 | stepFirst) & s.before &^ (stepFirst - 1)
	s.may = s.may || s.begun&s.last != 0
}

// skim reports whether the phrase may stand in the next size bytes; ok is false for
// what is no text. When it may, not all of them were read.
func (p *Pieces) skim(size int) (may, ok bool) {
	s := skim{before: StepAfter, last: StepIs(p.asked.Steps - 1)}
	for size > 0 && !s.may {
		if len(p.rest) == 0 {
			if size = p.skimNumbered(&s, size); size == 0 || s.may {
				break
			}
			if !p.begin() {
				return false, false
			}
		}
		n := min(size, len(p.rest))
		p.skimApart(&s, p.rest[:n])
		p.rest, size = p.rest[n:], size-n
	}
	if s.before&StepWord != 0 {
		s.word()
	}
	return s.may, true
}

// skimNumbered is numbered for a text that is skimmed.
func (p *Pieces) skimNumbered(s *skim, size int) int {
	for size > 0 && len(p.packed) > 0 && !s.may {
		if s.idle() {
			size = p.skimIdle(s, size)
		}
		if size == 0 || len(p.packed) == 0 {
			break
		}
		v, n, ok := numberAt(p.packed)
		if !ok {
			break
		}
		c := p.steps[v]
		length := int(c & PieceLength)
		if length == 0 || length > size {
			break
		}
		s.step(c)
		p.packed, size = p.packed[n:], size-length
	}
	return size
}

// idle reports whether nothing matters but the next piece in which something that is
// looked for may begin, and what stands before it.
func (s *skim) idle() bool { return s.begun == 0 && s.before&StepTarget == 0 && !s.joined }

// skimIdle goes on with words to before the next one that matters.
func (p *Pieces) skimIdle(s *skim, size int) int {
	b, steps, before := p.packed, p.steps[:maxWords], s.before
	i, at := 0, 0
	for i < len(b) {
		v := uint32(b[i])
		switch {
		case v < byteThree:
			two := v >> 7 // as in unpack
			if i += int(two); i < len(b) {
				v += two * ((v-wordTwo)*255 + uint32(b[i]))
			}
			i++
		case v == byteThree && len(b)-i > 2:
			v = wordThree + uint32(b[i+1])<<8 + uint32(b[i+2])
			i += 3
		default:
			i = len(b) + 1
		}
		if i > len(b) {
			break
		}
		c := steps[v]
		left := size - int(c&PieceLength)
		if c&StepTarget != 0 || left < 0 {
			break
		}
		before, at, size = c, i, left
		if left == 0 {
			break
		}
	}
	p.packed, s.before = b[at:], before
	return size
}

// skimApart goes on with bytes without a number.
func (p *Pieces) skimApart(s *skim, b []byte) {
	if !p.pairIn(b) {
		c := uint16(0)
		if b[0] <= ' ' {
			c = StepEnds
		}
		s.step(c)
		return
	}
	for len(b) > 0 {
		piece := b[:wordEnd(b)]
		code, _ := p.codeOf(piece)
		s.step(p.asked.Step(code))
		b = b[len(piece):]
	}
}

// pairIn reports whether one of the pairs is in b, or may begin with its last byte.
func (p *Pieces) pairIn(b []byte) bool {
	last := len(b) - 1
	for i := range last {
		if at := uint(b[i])<<8 | uint(b[i+1]); p.asked.Pairs[at>>5]>>(at&31)&1 == 1 {
			return true
		}
	}
	for _, some := range p.asked.Pairs[int(b[last])<<3:][:8] {
		if some != 0 {
			return true
		}
	}
	return false
}
