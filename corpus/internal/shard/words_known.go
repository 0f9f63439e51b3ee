package shard

import (
	"sync/atomic"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// What is known of a word as a piece is found out when it is met first, and kept with
// the shard's words: of most of them nothing else is asked. A query asks for the codes
// of those that matter, and of most of these their form tells that they match nothing.

// knownPieces is what is known of words as pieces, and their forms, by number:
// whoever finds it out notes it for all others.
func (l *wordList) knownPieces() (known, forms []uint32) {
	l.once.Do(func() { l.known, l.forms = make([]uint32, len(l.words)), make([]uint32, len(l.words)) })
	return l.known, l.forms
}

// numbered reads words with numbers, as many as come and are within size bytes,
// and returns how many bytes are left. There is room for all of them.
func (p *Pieces) numbered(size int) int {
	for size > 0 {
		next, end := p.numbersAhead()
		prefetch.Rows(p.known, next) // mostly not in the cache, one as little as another
		n, left := p.take(next, size)
		p.items = append(p.items, next[:n]...)
		p.packed, size = p.packed[end-bytesOf(next[n:]):], left
		if n < len(next) || n == 0 {
			break
		}
	}
	return size
}

// numbersAhead are the numbers of the next words, some or as many as come, that have
// one, and where their bytes end.
func (p *Pieces) numbersAhead() (next []uint32, end int) {
	b, words, i, n := p.packed, uint32(len(p.known)), 0, 0
	for ; n < len(p.ahead) && i < len(b)-2; n++ {
		c := uint32(b[i])
		two := c >> 7 // as in unpack
		v, end := c+two*((c-wordTwo)*255+uint32(b[i+1])), i+1+int(two)
		if c >= byteThree {
			if c > byteThree {
				break
			}
			v, end = wordThree+uint32(b[i+1])<<8+uint32(b[i+2]), i+3
		}
		if v >= words {
			break
		}
		p.ahead[n], i = v, end
	}
	for ; n < len(p.ahead) && i < len(b); n++ {
		v, size, ok := numberAt(b[i:])
		if !ok || v >= words {
			break
		}
		p.ahead[n], i = v, i+size
	}
	return p.ahead[:n], i
}

// take takes words as pieces, by their numbers, and returns how many are within size
// bytes and known, and how many bytes are left.
func (p *Pieces) take(next []uint32, size int) (n, left int) {
	codes := p.codes[len(p.codes):][:len(next)]
	for i, v := range next {
		known := atomic.LoadUint32(&p.known[v])
		if known == 0 {
			if known = p.learn(v); known == 0 {
				break
			}
		}
		code := uint16(known >> 16)
		if left = size - int(code&PieceLength); left < 0 {
			break
		}
		if at := known & 0xFFFF; p.asked.Pairs[at>>5]>>(at&31)&1 == 1 {
			code = p.ask(v, code)
		}
		codes[i], size, n = code, left, i+1
	}
	p.codes = p.codes[:len(p.codes)+n]
	return n, size
}

// bytesOf is how many bytes the numbers of words take.
func bytesOf(words []uint32) (n int) {
	for _, v := range words {
		switch n++; {
		case v >= wordThree:
			n += 2
		case v >= wordTwo:
			n++
		}
	}
	return n
}

// learn finds out what is known of a word; 0 for one that is damaged.
func (p *Pieces) learn(v uint32) uint32 {
	w := p.words.word(v)
	if v >= wordThree && !p.words.sound(v) || len(w) == 0 {
		return 0
	}
	known := p.know(w)
	atomic.StoreUint32(&p.known[v], known)
	return known
}

func (p *Pieces) know(piece []byte) uint32 {
	return p.asked.Known(unsafe.String(unsafe.SliceData(piece), len(piece)))&^(PieceLength<<16) | uint32(len(piece))<<16
}

// ask asks for the code of a word, of which something is known.
func (p *Pieces) ask(v uint32, known uint16) uint16 {
	t := &p.told[v&(1<<toldBits-1)]
	if t.word != v+1 {
		*t = toldPiece{v + 1, p.codeOfWord(v, known)}
	}
	return t.code
}

func (p *Pieces) codeOfWord(v uint32, known uint16) uint16 {
	if form := atomic.LoadUint32(&p.forms[v]); form != 0 {
		if more, ok := p.asked.Misses(form); ok {
			return known | more
		}
	}
	code, form := p.codeOf(p.words.word(v))
	if form != 0 {
		atomic.StoreUint32(&p.forms[v], form)
	}
	return code
}

func (p *Pieces) codeOf(piece []byte) (code uint16, form uint32) {
	code, form = p.asked.Code(unsafe.String(unsafe.SliceData(piece), len(piece)))
	return code&^PieceLength | uint16(len(piece)), form
}
