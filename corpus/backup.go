package corpus

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// A backup holds the manifest, then the table of transcripts, then every shard,
// under the names and in the form that they have in a corpus's folder. It is a
// folder, or a tar archive of one. The ledger is a cache and stays out.

// BackedUp is what Backup or Restore did.
type BackedUp struct {
	Preset   string `json:"preset"`
	Path     string `json:"path"` // of the backup
	Sessions int    `json:"sessions"`
	Turns    int    `json:"turns"`
	Bytes    int64  `json:"bytes"` // of shards
}

// archive reports whether a backup's path names an archive, and a compressed one.
func archive(to string) (is, gzipped bool) {
	gzipped = strings.HasSuffix(to, ".tar.gz") || strings.HasSuffix(to, ".tgz")
	return gzipped || strings.HasSuffix(to, ".tar"), gzipped
}

// A sink takes the files of a backup.
type sink interface {
	put(name string, size int64, write func(io.Writer) error) error
}

// Backup writes one published state to a folder that is not there yet, or to
// an archive where to ends in .tar, .tar.gz or .tgz. Every byte is verified on the
// way; a damaged corpus is not backed up. Writers and readers go on meanwhile.
// What is written is readable by its owner alone, and appears when it is whole.
func (c *Corpus) Backup(ctx context.Context, to string) (*BackedUp, error) {
	return reading(c, func(s snapshot) (*BackedUp, error) {
		if len(s.Damaged) > 0 {
			return nil, s.Damaged[0]
		}
		rep := &BackedUp{Preset: c.Name, Path: to, Bytes: sizeOf(s.Manifest.Shards)}
		rep.Turns, rep.Sessions = liveCounts(s.Manifest)
		write := backupFolder
		if is, _ := archive(to); is {
			write = backupArchive
		}
		if err := write(to, func(k sink) error { return s.backup(ctx, c.dir, k) }); err != nil {
			return nil, fmt.Errorf("backup: %w", err)
		}
		return rep, nil
	})
}

func (s snapshot) backup(ctx context.Context, dir string, to sink) error {
	m := s.Manifest.Successor()
	table := tableBytes(dir, m)
	if table == nil {
		m.Transcripts = manifest.TranscriptsRef{} // a cache: the next run makes it again
	}
	b, err := m.Encode()
	if err != nil {
		return err
	}
	if err := putBytes(to, manifest.Name, b); err != nil {
		return err
	}
	if table != nil {
		if err := putBytes(to, m.Transcripts.Name, table); err != nil {
			return err
		}
	}
	for _, v := range s.Views {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := verified(v.Handle); err != nil {
			return err
		}
		err := to.put(path.Join(published.ShardsDir, v.Name), v.Info().Size, func(w io.Writer) error { _, err := v.WriteTo(w); return err })
		if err != nil {
			return err
		}
	}
	return nil
}

// verified verifies a whole shard.
func verified(h *published.Handle) (err error) {
	h.Verify(func(p shard.Problem) {
		if err == nil {
			err = &DamageError{File: h.File(), Detail: p.Part + ": " + p.Detail}
		}
	})
	return err
}

// tableBytes is the table of transcripts as it was published, nil where it is
// not to be had.
func tableBytes(dir string, m *manifest.Manifest) []byte {
	ref := tableRef(m)
	if ref.Name == "" || transcripts.Check(dir, ref) != nil {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(dir, ref.Name))
	if err != nil || int64(len(b)) < ref.Length {
		return nil
	}
	return b[:ref.Length]
}

func putBytes(to sink, name string, b []byte) error {
	return to.put(name, int64(len(b)), func(w io.Writer) error { _, err := w.Write(b); return err })
}

type folderSink struct{ dir string }

func backupFolder(to string, fill func(sink) error) (err error) {
	if !absent(to) {
		return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
	}
	part := to + files.TempSuffix
	if err := (files.OS{}).Mkdir(filepath.Join(part, published.ShardsDir)); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(part)
		}
	}()
	if err := (files.OS{}).Mkdir(part); err != nil {
		return err
	}
	if err := fill(folderSink{part}); err != nil {
		return err
	}
	return errors.Join(os.Rename(part, to), files.OS{}.SyncDir(filepath.Dir(to)))
}

func (k folderSink) put(name string, _ int64, write func(io.Writer) error) error {
	p, err := files.Create(files.OS{}, filepath.Join(k.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer p.Abort()
	if err := write(p); err != nil {
		return err
	}
	return p.Commit()
}

type tarSink struct{ w *tar.Writer }

func backupArchive(to string, fill func(sink) error) error {
	p, err := files.Create(files.OS{}, to)
	if err != nil {
		return err
	}
	defer p.Abort()
	var out io.WriteCloser = nopCloser{p}
	if _, gzipped := archive(to); gzipped {
		out = gzip.NewWriter(p)
	}
	w := tar.NewWriter(out)
	if err := errors.Join(fill(tarSink{w}), w.Close(), out.Close()); err != nil {
		return err
	}
	return p.Commit()
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func (k tarSink) put(name string, size int64, write func(io.Writer) error) error {
	if err := k.w.WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o600, Format: tar.FormatPAX}); err != nil {
		return err
	}
	return write(k.w)
}
