package jsonl

// A Node is one value of a line, in two words: what is in it was found when the
// line was checked, so that going through it does not look at its bytes again.
// The zero Node is a value that is not there.
type Node struct {
	in *tree
	at int32 // in.nodes[at]
}

// A tree is a value and where the values in it stand.
type tree struct {
	b     []byte
	nodes []node // the first is the whole; one that holds only itself may have been looked at no further
}

// Of is the Node of a value.
func Of(v Value) Node { return Node{in: &tree{v, []node{{end: int32(len(v)), size: 1}}}} }

// Value is the text of v; nil where there is none.
func (v Node) Value() Value {
	if v.in == nil {
		return nil
	}
	n := &v.in.nodes[v.at]
	return v.in.b[n.start:n.end:n.end]
}

// Kind is the value's; see Value.Kind.
func (v Node) Kind() byte {
	if v.in == nil {
		return 0
	}
	return v.in.b[v.in.nodes[v.at].start]
}

// True is the value's; see Value.True.
func (v Node) True() bool { return v.Kind() == 't' }

// Raw is the value's; see Value.Raw.
func (v Node) Raw() []byte { return v.Value().Raw() }

// String is the value's; see Value.String.
func (v Node) String() string { return v.Value().String() }

// Ends is the value's; see Value.Ends.
func (v Node) Ends(n int) string { return v.Value().Ends(n) }

// Int is the value's; see Value.Int.
func (v Node) Int() int64 { return v.Value().Int() }

// Members calls f for each member of an object; see Value.Members.
func (v Node) Members(f func(name []byte, v Node) bool) {
	if v.Kind() != '{' {
		return
	}
	nodes := v.in.nodes[v.at:]
	if nodes[0].size == 1 {
		v.Value().Members(func(name []byte, m Value) bool { return f(name, Of(m)) })
		return
	}
	for i := int32(1); i < nodes[0].size; i += 1 + nodes[i+1].size {
		name := &nodes[i]
		if !f(v.in.b[name.start+1:name.end-1], Node{v.in, v.at + i + 1}) {
			return
		}
	}
}

// Elements calls f for each element of an array; see Value.Elements.
func (v Node) Elements(f func(v Node) bool) {
	if v.Kind() != '[' {
		return
	}
	nodes := v.in.nodes[v.at:]
	if nodes[0].size == 1 {
		v.Value().Elements(func(e Value) bool { return f(Of(e)) })
		return
	}
	for i := int32(1); i < nodes[0].size; i += nodes[i].size {
		if !f(Node{v.in, v.at + i}) {
			return
		}
	}
}

// Get is the last member of that name, as in encoding/json.
func (v Node) Get(name string) (found Node) {
	v.Members(func(n []byte, m Node) bool {
		if string(n) == name {
			found = m
		}
		return true
	})
	return found
}
