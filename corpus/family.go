package corpus

import (
	"path/filepath"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// family returns the ids of all sessions that are one conversation with the
// given one, itself included: sessions that hold copies of its turns, the one it
// continues or was spawned by, those that continue it, and theirs.
func (s snapshot) family(id string) (map[string]bool, error) {
	members := map[string]bool{id: true}
	for todo := []string{id}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		kin, err := s.kin(next)
		if err != nil {
			return nil, err
		}
		for _, k := range kin {
			if k != "" && !members[k] {
				members[k] = true
				todo = append(todo, k)
			}
		}
	}
	return members, nil
}

// families unites the families of several sessions.
func (s snapshot) families(ids []string) (map[string]bool, error) {
	all := make(map[string]bool)
	for _, id := range ids {
		if all[id] {
			continue
		}
		members, err := s.family(id)
		if err != nil {
			return nil, err
		}
		for m := range members {
			all[m] = true
		}
	}
	return all, nil
}

// kin returns the sessions next to one in its family.
func (s snapshot) kin(id string) ([]string, error) {
	var kin []string
	ref, ok, err := s.Find(shard.Session, signal.Of(id))
	if err != nil {
		return nil, err
	}
	if ok {
		m, err := ref.Session()
		if err != nil {
			return nil, err
		}
		kin = append(kin, m.Parent)
	}
	for _, v := range s.Views {
		more, err := kinIn(v, id)
		if err != nil {
			return nil, published.Damage(v.Name, err)
		}
		kin = append(kin, more...)
	}
	return kin, nil
}

// kinIn returns the children of a session, and the sessions that share a turn
// with it, as far as this shard knows.
func kinIn(v *published.View, id string) ([]string, error) {
	var kin []string
	children, err := v.Facet(shard.Session, stored.FacetParent, id)
	if err != nil {
		return nil, err
	}
	for doc := range children.All() {
		if key, err := v.Key(shard.Session, doc); err != nil {
			return nil, err
		} else if v.Live(shard.Session, doc) {
			kin = append(kin, key)
		}
	}
	copied, err := v.Facet(shard.Turn, stored.FacetCopied, "1")
	if err != nil || copied.Empty() {
		return kin, err
	}
	standing, err := v.Facet(shard.Turn, stored.FacetSession, id)
	if err != nil {
		return nil, err
	}
	copied.And(standing)
	for doc := range copied.All() {
		if !v.Live(shard.Turn, doc) {
			continue
		}
		m, err := published.Ref{View: v, Doc: doc}.Turn()
		if err != nil {
			return nil, err
		}
		for _, p := range m.Places {
			kin = append(kin, p.Session)
		}
	}
	return kin, nil
}

// parentID makes a session id of what a transcript says of its parent, which
// may be a path (pi: <time>_<id>.jsonl).
func parentID(parent string) string {
	if !strings.ContainsAny(parent, `/\`) && !strings.HasSuffix(parent, ".jsonl") {
		return parent
	}
	stem := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(parent, `\`, "/")), ".jsonl")
	if _, id, ok := strings.Cut(stem, "_"); ok {
		return id
	}
	return stem
}
