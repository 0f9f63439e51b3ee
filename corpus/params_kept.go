package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
)

// paramsName is the file that repeats the parameters, for an index that loses its
// manifest. It has the manifest's form, without shards, and is written when they
// change. How documents were made is not in it: that of an index without a manifest
// nobody knows, and the next run makes them anew.
const paramsName = "PARAMS"

// staleParams returns what the file has to say when m is published, nil where it
// says so.
func (ix *Indexer) staleParams(m *manifest.Manifest) ([]byte, error) {
	repeated := manifest.New("")
	repeated.Params = m.Params
	repeated.Params.Strategy, repeated.Params.Redaction, repeated.Params.Terms = "", "", ""
	b, err := repeated.Encode()
	if err != nil {
		return nil, err
	}
	if ix.params == nil { // nobody else writes it meanwhile
		ix.params, _ = os.ReadFile(filepath.Join(ix.cfg.Dir, paramsName))
	}
	if bytes.Equal(ix.params, b) {
		return nil, nil
	}
	return b, nil
}

func (ix *Indexer) writeParams(b []byte) error {
	ix.params = nil // until it is known to be written
	err := files.WriteAtomic(ix.fsys, filepath.Join(ix.cfg.Dir, paramsName), b)
	if err == nil {
		ix.params = b
	}
	return err
}

// readParams reads the file. There are no parameters where it is damaged or not there.
func readParams(dir string) (p manifest.Params, ok bool, err error) {
	path := filepath.Join(dir, paramsName)
	b, err := os.ReadFile(path)
	if err != nil {
		return p, false, nil
	}
	m, err := manifest.Decode(path, b)
	if errors.Is(err, manifest.ErrNewer) {
		return p, false, fmt.Errorf("%s: %w", dir, ErrNewer)
	}
	if err != nil {
		return p, false, nil
	}
	return m.Params, true, nil
}
