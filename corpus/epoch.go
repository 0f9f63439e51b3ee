package corpus

// Epoch tells published states apart: it is another after each publication. It
// is "" where nothing can be read.
func (c *Corpus) Epoch() string {
	s, err := c.acquire()
	if err != nil {
		return ""
	}
	defer s.release()
	return s.man.Hash()
}
