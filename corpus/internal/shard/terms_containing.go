package shard

// A containing is the automaton of terms that hold a text, or a byte instead
// (Knuth, Morris and Pratt, 1977). A state is how many bytes of the text the last
// bytes of a term are, or all of them from where the term held what is looked for.
type containing struct {
	text string
	or   byte
	back []int // by state: the next smaller one that the last bytes are as well
}

func newContaining(text string, or byte) *containing {
	c := &containing{text: text, or: or, back: make([]int, len(text)+1)}
	for i := 1; i < len(text); i++ {
		c.back[i+1] = c.step(c.back[i], text[i])
	}
	return c
}

func (c *containing) step(state int, b byte) int {
	for state > 0 && c.text[state] != b {
		state = c.back[state]
	}
	if state < len(c.text) && c.text[state] == b {
		state++
	}
	return state
}

func (c *containing) Start() int                     { return 0 }
func (c *containing) IsMatch(state int) bool         { return state == len(c.text) }
func (c *containing) CanMatch(int) bool              { return true }
func (c *containing) WillAlwaysMatch(state int) bool { return state == len(c.text) }

func (c *containing) Accept(state int, b byte) int {
	if state == len(c.text) || b == c.or {
		return len(c.text)
	}
	return c.step(state, b)
}
