package corpus

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// maxHead bounds the manifest and the table of a backup, in bytes: 256 MB are a
// table of a million transcripts.
const maxHead = 256 << 20

// Restore makes a backup the corpus in cfg.Dir, in place of whatever is there,
// damaged or not. It is verified before it is published; until then, and after an
// error, the corpus is what it was, and readers go on. What was forgotten stays
// forgotten, whatever the backup holds. It takes the writer lock and fails as
// OpenIndexer does, but for damage of what it replaces.
func Restore(ctx context.Context, cfg Config, from string) (*BackedUp, error) {
	return restore(ctx, cfg, from, files.OS{})
}

func restore(ctx context.Context, cfg Config, from string, fsys files.FS) (*BackedUp, error) {
	ix, err := lockNew(ctx, cfg, fsys)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	if err := ix.loadReplaced(); err != nil {
		return nil, err
	}
	r := &restorer{run: ix.begin(SyncOptions{}), names: map[string]string{}}
	err = r.protected(func() error { return r.all(ctx, from) })
	r.end()
	ix.sweep()
	if err != nil {
		return nil, fmt.Errorf("restoring %s: %w", from, err)
	}
	if err := ix.eraseForgotten(ctx); err != nil {
		return nil, err
	}
	rep := &BackedUp{Preset: cfg.Name, Path: from, Bytes: sizeOf(ix.snap.Manifest.Shards)}
	rep.Turns, rep.Sessions = liveCounts(ix.snap.Manifest)
	return rep, nil
}

// loadReplaced loads what is to be replaced, as far as it can be.
func (ix *Indexer) loadReplaced() error {
	m, err := published.ReadManifest(ix.cfg.Dir)
	var broken *DamageError
	if errors.Is(err, ErrNoCorpus) || errors.As(err, &broken) {
		m, _, err = manifestOf(ix.cfg.Dir) // for its numbers and tombstones
	}
	if err != nil {
		return err
	}
	ix.snap, _ = published.OpenShards(ix.cfg.Dir, m, nil)
	return nil
}

// eraseForgotten forgets what a backup brought back.
func (ix *Indexer) eraseForgotten(ctx context.Context) error {
	all, err := ix.survey()
	if err != nil {
		return err
	}
	stones := tombs(ix.snap.Manifest.Tombstones)
	chosen := make(map[string]bool)
	for id, s := range all {
		if stones[sessionTomb(id)] || stones[projectTomb(s.Project)] {
			chosen[id] = true
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	_, err = ix.erase(ctx, withAgents(all, chosen), nil)
	return err
}

// A restorer takes the files of a backup, each under a name that nobody used.
type restorer struct {
	*run
	backup *manifest.Manifest // nil until it was read
	table  []byte
	names  map[string]string // shards by their names in the backup
}

func (r *restorer) all(ctx context.Context, from string) error {
	if err := eachBackedUp(from, func(name string, in io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.take(name, in)
	}); err != nil {
		return err
	}
	if r.backup == nil {
		return errors.New("this is not a backup: it has no " + manifest.Name)
	}
	return r.publish()
}

// take takes one file. The manifest comes first and tells the others.
func (r *restorer) take(name string, in io.Reader) error {
	if name == manifest.Name {
		b, err := io.ReadAll(io.LimitReader(in, maxHead))
		if err == nil {
			r.backup, err = manifest.Decode(name, b)
		}
		return err
	}
	if r.backup == nil {
		return errors.New("this is not a backup: it does not begin with " + manifest.Name)
	}
	if name == r.backup.Transcripts.Name {
		b, err := io.ReadAll(io.LimitReader(in, maxHead))
		r.table = b
		return err
	}
	base, ok := strings.CutPrefix(name, published.ShardsDir+"/")
	at := slices.IndexFunc(r.backup.Shards, func(s manifest.Shard) bool { return s.Name == base })
	if !ok || at < 0 {
		return nil // not a file of a backup
	}
	return r.takeShard(&r.backup.Shards[at], in)
}

func (r *restorer) takeShard(e *manifest.Shard, in io.Reader) error {
	fsys, dir := r.ix.fsys, r.ix.cfg.Dir
	fresh := published.ShardName(&r.next)
	p, err := files.Create(fsys, filepath.Join(dir, published.ShardsDir, fresh))
	if err != nil {
		return err
	}
	defer p.Abort()
	if _, err := io.Copy(p, io.LimitReader(in, e.Size+1)); err != nil {
		return err
	}
	if err := p.Commit(); err != nil {
		return err
	}
	h, err := published.OpenHandle(dir, fresh, e.Size)
	if err != nil {
		return err
	}
	defer h.Release()
	if err := verified(h); err != nil {
		return err
	}
	r.names[e.Name] = fresh
	return nil
}

// publish makes what was taken the corpus.
func (r *restorer) publish() error {
	ix, m := r.ix, r.backup.Successor()
	for i := range m.Shards {
		fresh, ok := r.names[m.Shards[i].Name]
		if !ok {
			return fmt.Errorf("the backup lacks %s", m.Shards[i].Name)
		}
		m.Shards[i].Name = fresh
	}
	if err := ix.removeLedger(); err != nil {
		return err
	}
	if err := r.takeTable(m); err != nil {
		return err
	}
	m.Tombstones = slices.Concat(m.Tombstones, ix.snap.Manifest.Tombstones, readTombstones(ix.cfg.Dir))
	slices.Sort(m.Tombstones)
	m.Tombstones = slices.Compact(m.Tombstones)
	m.Index = newIndexID()
	return r.commit(m)
}

// takeTable writes the backup's table under a name of its own. It is a cache:
// a backup without it is as good.
func (r *restorer) takeTable(m *manifest.Manifest) error {
	ref := tableRef(m)
	ref.Name = fmt.Sprintf("%s%d", transcripts.Prefix, r.next.Add(1)-1)
	if r.table == nil || int64(len(r.table)) != ref.Length {
		return nil
	}
	if err := files.WriteAtomic(r.ix.fsys, filepath.Join(r.ix.cfg.Dir, ref.Name), r.table); err != nil {
		return err
	}
	if table, err := transcripts.Load(r.ix.cfg.Dir, ref); err == nil {
		r.ix.table.Close()
		r.ix.table = table
	}
	return nil
}

// eachBackedUp yields the files of a backup, the manifest first.
func eachBackedUp(from string, take func(name string, in io.Reader) error) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return eachArchived(from, take)
	}
	names := []string{manifest.Name}
	for _, glob := range []string{transcripts.Prefix + "*", published.ShardsDir + "/*" + published.ShardExt} {
		found, err := filepath.Glob(filepath.Join(from, glob))
		if err != nil {
			return err
		}
		for _, f := range found {
			rel, _ := filepath.Rel(from, f)
			names = append(names, filepath.ToSlash(rel))
		}
	}
	for _, name := range names {
		if err := takeFile(filepath.Join(from, name), name, take); err != nil {
			return err
		}
	}
	return nil
}

func takeFile(path, name string, take func(string, io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return take(name, f)
}

func eachArchived(from string, take func(name string, in io.Reader) error) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = f
	if _, gzipped := archive(from); gzipped {
		if in, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	for t := tar.NewReader(in); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := take(h.Name, t); err != nil {
			return err
		}
	}
}
