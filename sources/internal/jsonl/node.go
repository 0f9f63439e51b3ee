package jsonl

// A Node is a Value that knows where the values in it stand, so that going
// through it does not look at its bytes again. The zero Node is one that is not
// there; a Node made of a Value alone finds what it needs in the bytes.
type Node struct {
	Value
	tree []node // from the value's own on; nil where nothing is known
}

// inside is whether the values within are known.
func (v Node) inside() bool { return len(v.tree) > 0 && v.tree[0].size > 1 }

// child is the value at v.tree[i], whose bytes are counted as v's own are.
func (v Node) child(i int32) Node {
	from, to := v.tree[i].start-v.tree[0].start, v.tree[i].end-v.tree[0].start
	return Node{v.Value[from:to:to], v.tree[i:]}
}

// Members calls f for each member of an object; see Value.Members.
func (v Node) Members(f func(name []byte, v Node) bool) {
	if v.Kind() != '{' {
		return
	}
	if !v.inside() {
		v.Value.Members(func(name []byte, m Value) bool { return f(name, Node{Value: m}) })
		return
	}
	for i := int32(1); i < v.tree[0].size; i += 1 + v.tree[i+1].size {
		if !f(v.child(i).Raw(), v.child(i+1)) {
			return
		}
	}
}

// Elements calls f for each element of an array; see Value.Elements.
func (v Node) Elements(f func(v Node) bool) {
	if v.Kind() != '[' {
		return
	}
	if !v.inside() {
		v.Value.Elements(func(e Value) bool { return f(Node{Value: e}) })
		return
	}
	for i := int32(1); i < v.tree[0].size; i += v.tree[i].size {
		if !f(v.child(i)) {
			return
		}
	}
}

// Get is the last member of that name; see Value.Get.
func (v Node) Get(name string) (found Node) {
	v.Members(func(n []byte, m Node) bool {
		if string(n) == name {
			found = m
		}
		return true
	})
	return found
}
