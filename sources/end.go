package sources

import (
	"os"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

var _ = []Ender{claudeTranscript{}, piTranscript{}, codexTranscript{}, (*historySession)(nil), notesFile{}, memoryTranscript{}}

// endOf is the End of a transcript that is a file.
func endOf(info Info) (uint64, error) {
	f, err := os.Open(info.Path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return jsonl.End(f, info.Size)
}
