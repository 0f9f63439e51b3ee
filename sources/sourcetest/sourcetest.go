// Package sourcetest checks that a source keeps the promises of the interfaces
// in package sources. Who writes a source for another agent runs it over a
// folder of that agent's transcripts:
//
//	func TestSource(t *testing.T) {
//		sourcetest.Run(t, mine.Source{Root: "testdata"}, sourcetest.Options{Prompts: 12})
//	}
//
// and over one of them that changes between reads:
//
//	func TestGrowing(t *testing.T) {
//		text, err := os.ReadFile("testdata/s1.jsonl")
//		if err != nil {
//			t.Fatal(err)
//		}
//		sourcetest.Grow(t, sourcetest.Growing{
//			Source: func(root string) sources.Source { return mine.Source{Root: root} },
//			Path:   "s1.jsonl", States: []string{string(text)},
//		})
//	}
//
// It knows no format. Run changes nothing on the disk, Grow a folder of its own.
package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// Options say what to expect and how far to go. The zero value checks
// everything and expects at least one transcript.
type Options struct {
	Prompts int // at least so many prompts in all transcripts together
	Resumes int // prompts a transcript to read on from, spread evenly; 0 means 16
}

// Run reports each broken promise as an error of t.
func Run(t *testing.T, s sources.Source, o Options) {
	t.Helper()
	for _, err := range Check(t.Context(), s, o) {
		t.Error(err)
	}
}

// Check returns the broken promises, none when the source keeps them all. The
// transcripts must not change meanwhile. Run it with -race: some are read on
// several goroutines at once.
func Check(ctx context.Context, s sources.Source, o Options) []error {
	if o.Resumes == 0 {
		o.Resumes = 16
	}
	c := &checker{ctx: ctx, source: s, options: o, asked: map[string]asked{}}
	transcripts := c.walk()
	prompts := 0
	for _, t := range transcripts {
		prompts += c.transcript(t)
	}
	if prompts < o.Prompts {
		c.failf("", "%d prompts in all, want at least %d", prompts, o.Prompts)
	}
	c.interleaved(transcripts)
	return c.broken
}

type checker struct {
	ctx     context.Context
	source  sources.Source
	options Options

	asked map[string]asked // by the id of a prompt, in any transcript

	mu     sync.Mutex
	broken []error
}

func (c *checker) failf(path, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if path != "" {
		err = fmt.Errorf("%s: %w", path, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = append(c.broken, err)
}

// walk checks discovery: twice the same, each path once, early break and
// cancellation.
func (c *checker) walk() (all []sources.Transcript) {
	if c.source.Name() == "" {
		c.failf("", "the source has no name")
	}
	seen := map[string]sources.Info{}
	for t, err := range c.source.Transcripts(c.ctx) {
		if err != nil {
			c.failf("", "finding transcripts: %w", err)
			continue
		}
		in := t.Info()
		c.info(in)
		if _, twice := seen[in.Path]; twice {
			c.failf(in.Path, "found twice in one walk")
			break // which may have no end
		}
		seen[in.Path] = in
		all = append(all, t)
	}
	if len(all) == 0 {
		c.failf("", "no transcript found")
	}
	again := 0
	for t, err := range c.source.Transcripts(c.ctx) {
		if err == nil && seen[t.Info().Path] != t.Info() {
			c.failf(t.Info().Path, "a second walk says %+v, the first said %+v", t.Info(), seen[t.Info().Path])
		}
		again++
	}
	if again < len(all) {
		c.failf("", "a second walk found %d transcripts, the first %d", again, len(all))
	}
	for range c.source.Transcripts(c.ctx) {
		break
	}
	cancelled, cancel := context.WithCancel(c.ctx)
	cancel()
	for t, err := range c.source.Transcripts(cancelled) {
		if t != nil || !errors.Is(err, context.Canceled) {
			c.failf("", "a walk with a cancelled context yields (%v, %v)", t, err)
		}
	}
	return all
}

func (c *checker) info(in sources.Info) {
	switch {
	case in.Path == "":
		c.failf("", "a transcript without a path: %+v", in)
	case in.Source != c.source.Name():
		c.failf(in.Path, "Info.Source is %q, the source's name is %q", in.Source, c.source.Name())
	case in.Session == "":
		c.failf(in.Path, "no session id")
	case !slices.Contains(sources.Lanes(), in.Lane):
		c.failf(in.Path, "lane %q", in.Lane)
	case in.Size < 0 || in.ModTime == 0:
		c.failf(in.Path, "size %d, modified %d", in.Size, in.ModTime)
	}
}

// transcript checks one transcript and returns how many prompts it has.
func (c *checker) transcript(t sources.Transcript) int {
	path := t.Info().Path
	full, err := drain(t.Events(c.ctx, sources.Position{}), t.Info().Size)
	if err != nil {
		c.failf(path, "reading: %w", err)
		return 0
	}
	c.places(t.Info(), full)
	c.meanings(path, full)
	for range t.Events(c.ctx, sources.Position{}) {
		break
	}
	c.equal(t, "reading again", full, sources.Position{})
	var prompts []sources.Event
	for _, it := range full {
		if it.event.Kind == sources.Prompt {
			c.prompt(path, it.event)
			prompts = append(prompts, it.event)
		}
	}
	c.positions(path, prompts)
	for _, p := range spread(prompts, c.options.Resumes) {
		c.resume(t, full, p)
	}
	c.rewritten(t, prompts)
	c.cancelled(t, len(full))
	return len(prompts)
}

// rewritten checks that a reader notices another history, and one cut short.
func (c *checker) rewritten(t sources.Transcript, prompts []sources.Event) {
	wrong := []sources.Position{{Offset: t.Info().Size + 1, Line: 1, Tail: 1}}
	for _, p := range prompts {
		if p.From.Offset > 0 {
			p.From.Tail++
			wrong = append(wrong, p.From)
			break
		}
	}
	for _, from := range wrong {
		items, err := drain(t.Events(c.ctx, from), t.Info().Size)
		if len(items) > 0 || !errors.Is(err, sources.ErrRewritten) {
			c.failf(t.Info().Path, "position %+v is of another file: %d events and error %v, want ErrRewritten alone", from, len(items), err)
		}
	}
}

// cancelled checks that a cancelled context ends a read: before the first
// event, and after it. What was read ahead may still be yielded.
func (c *checker) cancelled(t sources.Transcript, n int) {
	ctx, cancel := context.WithCancel(c.ctx)
	first := true
	var last error
	for _, err := range t.Events(ctx, sources.Position{}) {
		if first {
			cancel()
		}
		first, last = false, err
	}
	cancel()
	if skipped := (*sources.Skipped)(nil); last != nil && !errors.As(last, &skipped) && !errors.Is(last, context.Canceled) {
		c.failf(t.Info().Path, "cancelled while reading: %w", last)
	}
	items, err := drain(t.Events(ctx, sources.Position{}), t.Info().Size)
	if n > 0 && (len(items) > 0 || !errors.Is(err, context.Canceled)) {
		c.failf(t.Info().Path, "read with a cancelled context: %d events, error %v", len(items), err)
	}
}

// interleaved reads transcripts side by side, and each twice at once.
func (c *checker) interleaved(transcripts []sources.Transcript) {
	var wg sync.WaitGroup
	for _, t := range spread(transcripts, 8) {
		want, err := drain(t.Events(c.ctx, sources.Position{}), t.Info().Size)
		if err != nil {
			continue // said before
		}
		for range 2 {
			wg.Go(func() { c.equal(t, "reading side by side", want, sources.Position{}) })
		}
	}
	wg.Wait()
}

// equal reads from a position and reports the first difference.
func (c *checker) equal(t sources.Transcript, what string, want []item, from sources.Position) {
	path := t.Info().Path
	got, err := drain(t.Events(c.ctx, from), t.Info().Size)
	if err != nil {
		c.failf(path, "%s: %w", what, err)
		return
	}
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			c.failf(path, "%s: ends after %d events, before %v", what, i, want[i])
		case i >= len(want):
			c.failf(path, "%s: more than before: %v", what, got[i])
		case !got[i].same(want[i]):
			c.failf(path, "%s: event %d is\n  %v\nwant\n  %v", what, i, got[i], want[i])
		default:
			continue
		}
		return
	}
}

// spread takes at most n of the elements, the first and the last among them.
func spread[T any](all []T, n int) []T {
	if len(all) <= n || n < 2 {
		return all[:min(n, len(all))]
	}
	var some []T
	for i := range n {
		some = append(some, all[i*(len(all)-1)/(n-1)])
	}
	return some
}
