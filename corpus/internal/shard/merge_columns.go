package shard

import "encoding/binary"

// mergedColumns are the rows and keys of a merge's documents. They stay in the
// inputs until they are written: they would take most of its memory.
type mergedColumns struct {
	m *merger
	k Kind
}

func (c *mergedColumns) hash(doc int) ([]byte, error) {
	b, err := c.row(c.m.order[c.k][doc])
	return b[:min(16, len(b))], err
}

func (c *mergedColumns) row(o origin) ([]byte, error) {
	r := c.m.inputs[o.input].Reader
	c.m.took(rowSize)
	return r.m.at(r.kinds[c.k].hashes, int64(o.doc)*rowSize, rowSize)
}

func (c *mergedColumns) writeRows(out *output) error {
	for _, o := range c.m.order[c.k] {
		row, err := c.row(o)
		if err != nil {
			return err
		}
		out.write(row)
	}
	c.m.order[c.k] = nil
	c.m.forget()
	return nil
}

func (c *mergedColumns) writeKeys(out *output) error {
	var b [4]byte
	out.write(b[:])
	end := uint32(0)
	err := c.keys(func(key []byte) {
		end += uint32(len(key))
		binary.LittleEndian.PutUint32(b[:], end)
		out.write(b[:])
	})
	if err != nil {
		return err
	}
	return c.keys(out.write)
}

func (c *mergedColumns) keys(do func(key []byte)) error {
	for _, o := range c.m.order[c.k] {
		r := c.m.inputs[o.input].Reader
		key, err := r.storedKey(&r.kinds[c.k].keyed, o.doc)
		if err != nil {
			return err
		}
		do(key)
		c.m.took(len(key))
	}
	return nil
}
