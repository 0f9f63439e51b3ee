package corpus

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
)

// Export yields the turns that pass the filter, whole, oldest first, without
// their messages. The first error ends it. Where a part of the corpus is damaged
// it comes last, a *DamageError behind all that could be read.
func (c *Corpus) Export(ctx context.Context, f Filter) iter.Seq2[*TurnRecord, error] {
	return func(yield func(*TurnRecord, error) bool) {
		s, err := c.acquire()
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.Release()
		var refs []published.Ref
		err = s.Protected(func() (err error) { refs, err = s.ordered(f); return err })
		if err == nil {
			err = s.yieldEach(ctx, refs, yield)
		}
		if err == nil && len(s.Damaged) > 0 {
			err = s.Damaged[0]
		}
		if s.Condemn(err); err != nil && err != errEnough {
			yield(nil, err)
		}
	}
}

// errEnough: who asked wants no more.
var errEnough = errors.New("enough")

func (s snapshot) yieldEach(ctx context.Context, refs []published.Ref, yield func(*TurnRecord, error) bool) error {
	for _, ref := range refs {
		var r *TurnRecord
		err := s.Protected(func() (err error) { r, err = s.turnRecord(ref); return err })
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if !yield(r, nil) {
			return errEnough
		}
	}
	return nil
}

// ordered returns the turns that pass, by time and id.
func (s snapshot) ordered(f Filter) ([]published.Ref, error) {
	pass, err := s.passing(f)
	if err != nil {
		return nil, err
	}
	type row struct {
		Ref published.Ref
		h   shard.Head
	}
	var rows []row
	for i, v := range s.Views {
		for doc := range v.LiveTurns(pass[i]).All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			rows = append(rows, row{published.Ref{View: v, Doc: doc}, h})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.h.Created, b.h.Created), slices.Compare(a.h.Key[:], b.h.Key[:]))
	})
	refs := make([]published.Ref, len(rows))
	for i := range rows {
		refs[i] = rows[i].Ref
	}
	return refs, nil
}

// turnRecord is a whole turn as it is exported.
func (s snapshot) turnRecord(ref published.Ref) (*TurnRecord, error) {
	ps, err := ref.View.Passages(shard.Turn, ref.Doc)
	if err != nil {
		return nil, published.Damage(ref.View.Name, err)
	}
	return s.turnRecordOf(ref, ps)
}

// turnRecordOf is turnRecord for a turn of which the passages are read already.
func (s snapshot) turnRecordOf(ref published.Ref, ps []shard.Passage) (*TurnRecord, error) {
	r := new(TurnRecord)
	m, err := ref.Turn()
	if err != nil {
		return nil, err
	}
	return r, s.fill(r, ref, m, ps)
}

// fill makes a record of what was read of a turn, which it does not change.
func (s snapshot) fill(r *TurnRecord, ref published.Ref, m *stored.Turn, ps []shard.Passage) error {
	h, err := ref.View.Head(shard.Turn, ref.Doc)
	if err != nil {
		return published.Damage(ref.View.Name, err)
	}
	at, missing := shown(m.Places)
	*r = TurnRecord{
		TurnID: m.ID, SessionID: m.Places[0].Session, Source: m.Source, Lane: string(m.Lane), Path: at.Path,
		Project: m.Project, Cwd: m.Cwd, Branch: m.Branch, Created: fromMillis(h.Created), Updated: fromMillis(h.Updated),
		State: m.State, Tools: orEmpty(m.Tools), Paths: orEmpty(m.Paths), Missing: missing,
		Abandoned: m.Abandoned, Generated: m.Generated,
		Usage: UsageRecord{m.Usage.Input, m.Usage.Output, m.Usage.CacheRead, m.Usage.CacheWrite},
	}
	r.Places = make([]string, 0, len(m.Places))
	for _, p := range m.Places {
		r.Places = append(r.Places, p.Session)
	}
	if len(m.Models) > 0 {
		r.Model = m.Models[len(m.Models)-1]
	}
	if len(m.Models) > 1 {
		r.Models = m.Models
	}
	r.Prompt, r.Summary = m.Texts(ps)
	if m.Partial {
		r.Summary, r.Partial = "", r.Summary
	}
	r.Name, err = s.title(r.SessionID)
	return err
}

// orEmpty is list, never nil: JSON prints an empty list as [].
func orEmpty[T segment.ToolCount | string](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
