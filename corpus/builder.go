package corpus

import (
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
)

// sealMemory is how many bytes a builder's shard may take of memory before it
// is finished and another begun. It bounds the memory of a run, whatever there
// is to read: each worker has one builder.
const sealMemory = 48 << 20

// A builder fills shards. The writer is used by one goroutine; slots and gone
// are guarded by the run's mutex, since other goroutines may meet the same turn
// in another transcript.
type builder struct {
	author author
	fsys   files.FS
	dir    string
	next   *atomic.Uint64 // number of the next shard
	writer *shard.Writer
	spent  *shard.Writer // of the shard before: its memory is for the next
	name   string
	slots  [2]claims
	gone   published.Gone
	holds  bool           // a small shard stays in memory: see fold
	room   []segment.Turn // for the turns of the next transcript
}

// maxRoom is how many turns a builder keeps room for; few transcripts have more.
const maxRoom = 1024

// keepRoom takes the turns of a transcript that was read, to use their place for
// those of the next.
func (b *builder) keepRoom(turns []segment.Turn) {
	clear(turns)
	if cap(turns) <= maxRoom {
		b.room = turns[:0]
	}
}

// claim gives a document its number before it is analysed and added, so that
// the turn is known to everybody at once.
func (b *builder) claim(k shard.Kind, key signal.Hash, hash signal.Hash, places []stored.Place) {
	b.slots[k].claim(key, hash, places)
}

// add writes a claimed document.
func (b *builder) add(d shard.Doc) error {
	if b.writer == nil {
		b.name = published.ShardName(b.next)
		begin := shard.NewWriter
		if b.spent != nil {
			begin = b.spent.Next
		}
		b.writer, b.spent = begin(filepath.Join(b.dir, published.ShardsDir, b.name+files.TempSuffix), shard.Options{FS: b.fsys, Amend: true}), nil
	}
	_, err := b.writer.Add(d)
	return err
}

// full reports whether the shard has grown to its size.
func (b *builder) full() bool { return b.writer != nil && b.writer.Full(sealMemory) }

// finish writes the shard, gives the file its name and opens it. Without
// documents there is no shard, and the handle is nil. What the builder knows of
// the documents stays until handOver.
func (b *builder) finish() (*published.Handle, error) {
	if b.writer == nil {
		return nil, nil
	}
	if b.holds {
		if h, err := b.holdFinished(); h != nil || err != nil {
			return h, err
		}
	}
	info, err := b.writer.Finish()
	if err != nil {
		b.writer.Abort()
		return nil, fmt.Errorf("writing shard %s: %w", b.name, err)
	}
	return openWritten(b.fsys, b.dir, b.name, info.Size)
}

// openWritten gives a shard that was written its name, and opens it.
func openWritten(fsys files.FS, dir, name string, size int64) (*published.Handle, error) {
	path := filepath.Join(dir, published.ShardsDir, name)
	if err := fsys.Rename(path+files.TempSuffix, path); err != nil {
		return nil, fmt.Errorf("naming shard %s: %w", name, err)
	}
	return published.OpenHandle(dir, name, size)
}

// handOver makes a view of the finished shard and begins another.
func (b *builder) handOver(h *published.Handle) *published.View {
	v := &published.View{Handle: h, Gone: b.gone}
	b.spent = b.writer
	b.reset()
	return v
}

func (b *builder) reset() {
	b.writer, b.name = nil, ""
	for k := range b.slots {
		b.slots[k].clear()
	}
	b.gone = published.Gone{}
}

// abort drops the unsealed shard.
func (b *builder) abort() {
	if b.writer != nil {
		b.writer.Abort()
	}
	b.reset()
}
