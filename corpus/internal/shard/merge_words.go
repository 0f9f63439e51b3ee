package shard

import "encoding/binary"

// Passages are not unpacked where a merge can help it. The new shard begins with
// the words of the input that has most of them, under the numbers that they have
// there; blocks of that input are taken over as they lie. In those of the others
// each number is replaced, for a tenth of what it costs to cut the text into words
// and look each of them up.

// seedFrom is from how many bytes of packed passages on the words of a shard are
// good for others as well. Below, words are learned again.
const seedFrom = 256 << 10

// A translation gives the words of one input the numbers of the new shard.
type translation struct {
	from *wordList
	to   []packedWord // by number there
	used []bool       // by number there: a document that is kept has the word; nil: all
	same bool         // the numbers are the same
}

// A packedWord is what stands for a word in the new shard: up to three bytes, above
// them how many (2 bits) and the length of the word. 0 is a word without a number.
type packedWord uint32

func newPackedWord(number uint32, length int) packedWord {
	var room [4]byte
	b := appendWord(room[:0], number)
	return packedWord(binary.LittleEndian.Uint32(room[:])&(1<<(8*len(b))-1)) | packedWord(len(b))<<24 | packedWord(length)<<26
}

func (w packedWord) size() int   { return int(w >> 24 & 3) }
func (w packedWord) length() int { return int(w >> 26) }

// seedWords makes translations, if an input has words to begin with.
func (m *merger) seedWords() error {
	seed, most := -1, int64(seedFrom)
	for i := range m.inputs {
		r := m.inputs[i].Reader
		if size := r.info.part(partPassages); size >= most && r.words.at[0].len > 0 && m.same[i] {
			seed, most = i, size
		}
	}
	if seed < 0 {
		return nil
	}
	m.words = make([]*translation, len(m.inputs))
	for i := range m.inputs {
		r := m.inputs[i].Reader
		if r.words.at[0].len == 0 {
			continue
		}
		from, err := r.words.words(r.m)
		if err != nil {
			return err
		}
		m.words[i] = &translation{from: from, to: make([]packedWord, len(from.words))}
	}
	return m.numberWords(seed)
}

// numberWords numbers the words of all inputs, of one as they are there and then
// what the others have besides.
func (m *merger) numberWords(seed int) error {
	for i, t := range m.words {
		if t == nil {
			continue
		}
		used, err := m.usedWords(&m.inputs[i], t)
		if err != nil {
			return err
		}
		t.used = used
	}
	m.words[seed].same = m.w.words.begin(m.words[seed])
	for i, t := range m.words {
		if t == nil || i == seed {
			continue
		}
		for v := range t.to {
			if t.used == nil || t.used[v] {
				t.find(&m.w.words, uint32(v))
			}
		}
	}
	return nil
}

// usedWords tells which words of an input the documents have that are kept: a
// word that only others have must not come into the new shard. nil is all.
func (m *merger) usedWords(in *Input, t *translation) ([]bool, error) {
	if in.GoneTurns.Len()+in.GoneSessions.Len() == 0 {
		return nil, nil
	}
	used := make([]bool, len(t.from.words))
	for k := Turn; k <= Session; k++ {
		b := blockReader{r: in.Reader, s: &in.Reader.kinds[k].streams[passageStream]}
		for doc := range uint32(in.Reader.Len(k)) {
			if b.s.table.len == 0 || in.gone(k).Contains(doc) {
				continue
			}
			if err := m.seek(&b, doc); err != nil {
				return nil, err
			}
			_, p, ok, err := b.packedDoc(doc)
			if err != nil {
				return nil, err
			}
			if ok && !markWords(used, p) {
				return nil, b.damage()
			}
		}
	}
	return used, nil
}

// markWords notes the words of a packed text; false for other bytes.
func markWords(used []bool, p []byte) bool {
	for len(p) > 0 {
		v, text, n := nextPacked(p)
		if n == 0 || text == nil && v >= uint32(len(used)) {
			return false
		}
		if text == nil {
			used[v] = true
		}
		p = p[n:]
	}
	return true
}

// begin takes over the words of an input, those that are used, and reports
// whether all have the numbers that they have there.
func (w *wordWriter) begin(t *translation) (same bool) {
	w.settled, w.learned, w.once = true, true, make([]uint32, 1<<onceBits)
	same = true
	for v := range t.to {
		if t.used != nil && !t.used[v] {
			same = false
			continue
		}
		k := t.from.key(uint32(v))
		n := w.table.add(k, k.hash())
		if same = same && n == uint32(v+1); n > 0 {
			t.to[v] = newPackedWord(n-1, k.len())
		}
	}
	return same
}

// key is a word as a key.
func (l *wordList) key(v uint32) wordKey {
	w := l.words[v]
	return keyOf(l.text[w>>wordShift:], int(w&(1<<wordShift-1)))
}

// pack adds a packed text with the numbers of the new shard to a batch. size is how
// long the text is; ok is false for bytes that are none.
func (t *translation) pack(b *passageBatch, p []byte) (size int, ok bool) {
	for i := 0; i < len(p); {
		// Nine of ten are numbers of one byte or two, of which no processor can foresee
		// which it is: no branch asks.
		v := uint32(p[i])
		two := v >> 7
		if v < byteThree && i+int(two) < len(p) {
			v += two * ((v-wordTwo)*255 + uint32(p[i+int(two)]))
			i += 1 + int(two)
		} else {
			number, text, n := nextPacked(p[i:])
			if n == 0 {
				return 0, false
			}
			i += n
			if text != nil {
				b.addText(text)
				size += len(text)
				continue
			}
			v = number
		}
		if v >= uint32(len(t.to)) {
			return 0, false
		}
		word := t.to[v]
		if word.size() == 0 {
			text := t.from.word(v)
			b.addText(text)
			size += len(text)
			continue
		}
		size += word.length()
		b.endText()
		b.bytes = grown(b.bytes, 4)
		at := len(b.bytes)
		binary.LittleEndian.PutUint32(b.bytes[at:at+4], uint32(word))
		b.bytes = b.bytes[:at+word.size()]
	}
	return size, true
}

// find looks a word up in the new shard, and numbers it there if it can.
func (t *translation) find(w *wordWriter, v uint32) {
	k := t.from.key(v)
	hash := k.hash()
	n := w.table.find(k, hash)
	if n == 0 && k.len() > w.nextSize() {
		n = w.table.add(k, hash)
	}
	if n > 0 {
		t.to[v] = newPackedWord(n-1, k.len())
	}
}

// nextPacked reads what a packed text begins with: the number of a word or, when
// text is not nil, text as it is. n is how many bytes it takes, 0 for bytes that
// are neither.
func nextPacked(p []byte) (v uint32, text []byte, n int) {
	if v, n, ok := numberAt(p); ok {
		return v, nil, n
	}
	if p[0] < byteAsIs {
		return 0, nil, 0
	}
	size, from := asIs(p, 0)
	if size < 0 || size > len(p)-from {
		return 0, nil, 0
	}
	return 0, p[from:][:size:size], from + size
}

// addPacked is add for passages that are packed as words already; size is how long
// they are unpacked. A block takes all its documents in one of the two ways.
func (s *streamWriter) addPacked(size int, p []byte) error {
	if s.docs > s.first && s.packed+size > streamTarget[s.stream] {
		if err := s.flush(); err != nil {
			return err
		}
	}
	before := len(s.heads)
	s.heads = binary.AppendUvarint(s.heads, uint64(size))
	s.packed += len(s.heads) - before + size
	s.heads = binary.AppendUvarint(s.heads, uint64(len(p)))
	s.bytes = append(s.bytes, p...)
	s.raw += int64(size)
	s.docs++
	return nil
}

// flushPacked writes the open block.
func (s *streamWriter) flushPacked() {
	s.buf = append(append(append(s.buf[:0], codecWords), s.heads...), s.bytes...)
	s.block(s.first, uint32(s.packed), s.buf)
	s.heads, s.bytes, s.packed = s.heads[:0], usual(s.bytes), 0
	s.buf = usual(s.buf)
	s.first = s.docs
}
