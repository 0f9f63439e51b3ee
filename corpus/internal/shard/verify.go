package shard

// A Problem is something that Verify found.
type Problem struct {
	Part   string
	Detail string
}

// Verify reads everything, checks each checksum and what must hold between
// the parts, and calls fn for each problem.
func (r *Reader) Verify(fn func(Problem)) {}
