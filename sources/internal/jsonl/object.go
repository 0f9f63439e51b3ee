package jsonl

// lines is what a Parser knows of the lines whose ends it found itself.
type lines struct {
	of    *Reader // whose buffer is marked; nil: none
	line  []byte  // of which the value is known
	value Value
}

// known is the value that the line begins with, if line is the one that was handed
// out last and its value was found with it.
func (l *lines) known(line []byte) Value {
	if len(line) == 0 || len(line) != len(l.line) || &line[0] != &l.line[0] {
		return nil
	}
	l.line = nil
	return l.value
}

// Line is r.Next for callers that hand the line to p.Next: where the line is an
// object and lies in r's buffer, its end is found with that of its value, without
// looking for a newline. All lines of r have to be read in this way, as r.Next may
// move what the buffer holds.
func (p *Parser) Line(r *Reader) (Line, error) {
	from := r.start
	if end, newline := p.object(r); newline > 0 {
		l := r.take(newline-from, 1)
		p.last = tree{p.scan.b[:end:end], p.scan.tree()}
		p.lines.line, p.lines.value = l.Bytes, p.scan.b[from:end:end]
		return l, nil
	}
	p.lines = lines{}
	return r.Next()
}

// object is where the object ends that is the next line of r, and where the line
// does; 0 where that has to be looked for. A line that goes on behind the buffer is not
// scanned for it: of real transcripts that was an eighth of all that is.
func (p *Parser) object(r *Reader) (end, newline int) {
	if r.start >= r.whole || r.buf[r.start] != '{' {
		return 0, 0
	}
	if p.lines.of != r {
		p.lines.of = r
		p.scan.lines(r.buf[:r.end], r.start)
	}
	if end = p.scan.first(r.start); end < 0 {
		return 0, 0
	}
	if newline = p.scan.space(end); newline == r.end || r.buf[newline] != '\n' {
		return 0, 0
	}
	return end, newline
}
