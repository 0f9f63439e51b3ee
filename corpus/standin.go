package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/segment"
)

// standIns drops the jobs of stand-ins whose session is known from a transcript,
// in this walk or an earlier one, and takes back what was indexed of them before
// the transcript was found.
func (r *run) standIns(jobs []job, all []walk) ([]job, error) {
	sessions := make(map[string]bool)
	for _, w := range all {
		for _, t := range w.found {
			if in := t.Info(); !in.StandIn {
				sessions[in.Session] = true
			}
		}
	}
	for row := range r.ix.table.All() {
		if row.Flags&transcripts.StandIn == 0 && row.Turns > 0 {
			sessions[row.Session] = true
		}
	}
	if err := r.supersede(sessions); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(jobs, func(j job) bool { return j.info.StandIn && sessions[j.info.Session] }), nil
}

// supersede takes back stand-ins whose session has a transcript after all.
func (r *run) supersede(sessions map[string]bool) error {
	var over []*transcripts.Row
	for row := range r.ix.table.All() {
		if row.Flags&transcripts.StandIn != 0 && sessions[row.Session] {
			over = append(over, row)
		}
	}
	for _, row := range over {
		r.vanished[row.Path] = true // its record gives way to the transcript's
		if err := r.dropStale(row.Session, row.Path, nil); err != nil {
			return err
		}
		r.ix.table.Delete(row.Source, row.Path)
	}
	return nil
}

func idsOf(turns []segment.Turn) map[string]bool {
	ids := make(map[string]bool, len(turns))
	for i := range turns {
		ids[turns[i].ID] = true
	}
	return ids
}

// dropStale takes out the turns of a session that were read at path, but those
// whose ids are kept.
func (r *run) dropStale(session, path string, kept map[string]bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range r.base.Views {
		docs, err := v.Facet(shard.Turn, stored.FacetSession, session)
		if err != nil {
			return published.Damage(v.Name, err)
		}
		for doc := range docs.All() {
			if !v.Live(shard.Turn, doc) || r.isGone(v, shard.Turn, doc) {
				continue
			}
			m, err := published.Ref{View: v, Doc: doc}.Turn()
			if err != nil {
				return err
			}
			if kept[m.ID] || !slices.ContainsFunc(m.Places, func(p stored.Place) bool { return p.Session == session && p.Path == path }) {
				continue
			}
			if err := r.leave(m.ID, session); err != nil {
				return err
			}
		}
	}
	return nil
}

// leave takes a turn out of a session, and out of the corpus where it stands
// in no other. Holds mu.
func (r *run) leave(id, session string) error {
	key := signal.Of(id)
	e, err := r.known(key)
	if err != nil || e == nil {
		return err
	}
	places := slices.DeleteFunc(slices.Clone(e.places), func(p stored.Place) bool { return p.Session == session })
	switch {
	case len(places) == len(e.places):
		return nil
	case len(places) > 0:
		r.moved[key] = places
		return nil
	}
	r.retire(shard.Turn, key, e)
	delete(r.moved, key)
	if r.notes {
		r.entries = append(r.entries, ledger.Entry{Turn: key})
	}
	r.report.Removed++
	return nil
}
