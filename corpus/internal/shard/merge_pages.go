package shard

// forgetEvery is how many bytes a merge reads before it gives their pages back, so
// that it does not take as much memory as its inputs are long.
const forgetEvery = 16 << 20

// took notes that about n bytes were read.
func (m *merger) took(n int) {
	if m.taken.Add(int64(n)) >= forgetEvery {
		m.forget()
	}
}

func (m *merger) forget() {
	m.taken.Store(0)
	for _, in := range m.inputs {
		in.Reader.Forget()
	}
}
