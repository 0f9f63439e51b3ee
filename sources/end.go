package sources

import (
	"os"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

var (
	_ Ender = claudeTranscript{}
	_ Ender = piTranscript{}
	_ Ender = memoryTranscript{}
)

// End implements Ender.
func (t claudeTranscript) End() (uint64, error) { return endOf(t.Info()) }

// End implements Ender.
func (t piTranscript) End() (uint64, error) { return endOf(t.Info()) }

// End implements Ender.
func (t memoryTranscript) End() (uint64, error) {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	r := t.of.transcripts[t.info.Path]
	if r == nil || t.info.Size > int64(len(r.events)) {
		return 0, os.ErrNotExist
	}
	return r.sumAt(t.info.Size), nil
}

func endOf(info Info) (uint64, error) {
	f, err := os.Open(info.Path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return jsonl.End(f, info.Size)
}
