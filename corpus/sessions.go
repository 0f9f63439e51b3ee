package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/snippet"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/surfaces"
)

// tally is what a session's turns add up to.
type tally struct {
	id               string
	created, updated int64
	turns, messages  int
	first            []published.Ref // of its turns: those that began at the same moment
	passes           bool            // a turn of it passes the filter
}

// Sessions lists the sessions of which a turn passes the filter, newest first,
// from offset on, at most limit of them (all where it is 0 or less).
func (c *Corpus) Sessions(ctx context.Context, f Filter, offset, limit int) (*SessionList, error) {
	return reading(c, func(s snapshot) (*SessionList, error) { return s.sessions(ctx, f, offset, limit) })
}

func (s snapshot) sessions(ctx context.Context, f Filter, offset, limit int) (*SessionList, error) {
	tallies, err := s.tallies(ctx, f)
	if err != nil {
		return nil, err
	}
	list := &SessionList{Total: len(tallies), Offset: offset, Sessions: []SessionRecord{}, Damaged: s.Lacks()}
	tallies = tallies[min(max(offset, 0), len(tallies)):]
	if limit > 0 {
		tallies = tallies[:min(limit, len(tallies))]
	}
	for _, t := range tallies {
		r, err := s.sessionRecord(t)
		if err != nil {
			return nil, err
		}
		list.Sessions = append(list.Sessions, *r)
	}
	return list, nil
}

// tallies adds up the sessions of which a turn passes, newest first.
func (s snapshot) tallies(ctx context.Context, f Filter) ([]*tally, error) {
	pass, err := s.passing(f)
	if err != nil {
		return nil, err
	}
	all := make(map[signal.Hash]*tally)
	for i, v := range s.Views {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := addAll(v, all, pass[i]); err != nil {
			return nil, published.Damage(v.Name, err)
		}
	}
	var list []*tally
	for _, t := range all {
		if t.passes {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.updated, a.updated), cmp.Compare(a.id, b.id))
	})
	return list, nil
}

// addAll adds a view's live turns to the sessions in which they stand.
func addAll(v *published.View, all map[signal.Hash]*tally, pass *postings.Set) error {
	for doc := range v.LiveTurns(nil).All() {
		h, err := v.Head(shard.Turn, doc)
		if err != nil {
			return err
		}
		passes := pass == nil || pass.Contains(doc)
		if h.Flags&stored.FlagCopied != 0 {
			m, err := published.Ref{View: v, Doc: doc}.Turn()
			if err != nil {
				return err
			}
			for _, p := range m.Places {
				addTo(all, signal.Of(p.Session), published.Ref{View: v, Doc: doc}, h, passes).id = p.Session
			}
			continue
		}
		id, err := v.SessionHash(h.Session)
		if err != nil {
			return err
		}
		if t := addTo(all, id, published.Ref{View: v, Doc: doc}, h, passes); t.id == "" {
			if t.id, err = v.SessionKey(h.Session); err != nil {
				return err
			}
		}
	}
	return nil
}

func addTo(all map[signal.Hash]*tally, id signal.Hash, ref published.Ref, h shard.Head, passes bool) *tally {
	t := all[id]
	if t == nil {
		t = &tally{}
		all[id] = t
	}
	t.add(ref, h, int(h.Flags>>stored.MessageShift))
	t.passes = t.passes || passes
	return t
}

func (t *tally) add(ref published.Ref, h shard.Head, messages int) {
	if t.turns == 0 || h.Created < t.created {
		t.first, t.created = t.first[:0], h.Created
	}
	if h.Created == t.created {
		t.first = append(t.first, ref)
	}
	t.updated = max(t.updated, h.Updated)
	t.turns++
	t.messages += messages
}

// asked is the session's first prompt.
func (t *tally) asked() (string, error) {
	var turns []standing
	for _, ref := range t.first {
		st, err := standingOf(ref, t.id)
		if err != nil {
			return "", err
		}
		turns = append(turns, st)
	}
	first := slices.MinFunc(turns, compareStandings)
	ps, err := first.ref.View.Passages(shard.Turn, first.ref.Doc)
	if err != nil {
		return "", published.Damage(first.ref.View.Name, err)
	}
	prompt, _ := first.meta.Texts(ps)
	return prompt, nil
}

// summaryShown is how much of a summary or of a prompt a list of sessions shows, in bytes.
const summaryShown = 1024

// sessionRecord completes a tally with what the session's record says.
func (s snapshot) sessionRecord(t *tally) (*SessionRecord, error) {
	r := &SessionRecord{
		SessionID: t.id, Created: fromMillis(t.created), Updated: fromMillis(t.updated),
		Turns: t.turns, Messages: t.messages,
	}
	asked, err := t.asked()
	if err != nil {
		return nil, err
	}
	r.Asked, _ = snippet.Beginning(asked, summaryShown)
	ref, ok, err := s.Find(shard.Session, signal.Of(t.id))
	if err != nil || !ok {
		return r, err
	}
	m, err := ref.Session()
	if err != nil {
		return nil, err
	}
	r.Source, r.Lane, r.Path, r.Project = m.Source, string(m.Lane), m.Path, m.Project
	r.Missing = vanished(m.Path)
	ps, err := ref.View.Passages(shard.Session, ref.Doc)
	if err != nil {
		return nil, published.Damage(ref.View.Name, err)
	}
	for _, p := range ps {
		switch p.Surface {
		case surfaces.SessionTitle:
			r.Name = p.Text
		case surfaces.SessionSummary: // the last one says most
			r.Summary, _ = snippet.Beginning(p.Text, summaryShown)
		}
	}
	members, err := s.family(t.id)
	if err != nil {
		return nil, err
	}
	if len(members) > 1 {
		r.Family = t.id
		for id := range members {
			r.Family = min(r.Family, id)
		}
	}
	return r, nil
}

// title is the name of a session, "" when it has none.
func (s snapshot) title(session string) (string, error) {
	ref, ok, err := s.Find(shard.Session, signal.Of(session))
	if err != nil || !ok {
		return "", err
	}
	title := ""
	err = ref.View.ReadPassages(shard.Session, ref.Doc, func(name surfaces.Name, text string) {
		if name == surfaces.SessionTitle && title == "" {
			title = strings.Clone(text)
		}
	})
	return title, published.Damage(ref.View.Name, err)
}
