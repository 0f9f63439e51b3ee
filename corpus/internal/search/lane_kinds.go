package search

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/surfaces"
)

// A laneKind is a surface with what its occurrences count in a snapshot.
type laneKind struct {
	surfaces.Surface
	norms  [2]*rank.Norms // of turns without tools, and with
	halved [2]*laneNorms
	rough  *rank.RoughNorms
}

// laneKinds are those of all surfaces, worked out once.
func (s *snapshot) laneKinds() []laneKind {
	s.kinds.Do(func() {
		means := s.means()
		for _, f := range surfaces.All() {
			k := laneKind{Surface: f}
			if f.Name == surfaces.AssistantSummary || f.Name == surfaces.AssistantFull {
				k.norms[0] = rank.NewNorms(f.Weight, rank.AnswerB, means[f.Name])
				k.norms[1] = rank.NewNorms(f.Weight*rank.ToolFactor, rank.AnswerB, means[f.Name])
			} else {
				k.norms[0] = rank.NewNorms(f.Weight, rank.B, means[f.Name])
				k.norms[1] = k.norms[0]
			}
			for tools, n := range k.norms {
				k.halved[tools] = laneNormsOf(n)
			}
			k.rough = rank.NewRoughNorms(k.norms)
			s.laned = append(s.laned, k)
		}
	})
	return s.laned
}

// means is the mean length of live texts by surface.
func (s *snapshot) means() map[surfaces.Name]float64 {
	docs, length := map[surfaces.Name]int{}, map[surfaces.Name]int64{}
	for _, v := range s.views {
		i := slices.IndexFunc(s.Manifest.Shards, func(e manifest.Shard) bool { return e.Name == v.Name })
		if i < 0 {
			continue
		}
		for name, st := range s.Manifest.Shards[i].Surfaces {
			docs[name] += st.Docs
			length[name] += st.Length
		}
	}
	means := map[surfaces.Name]float64{}
	for _, f := range surfaces.All() {
		means[f.Name] = rank.Mean(length[f.Name], docs[f.Name], typicalLength(f.Name))
	}
	return means
}

func typicalLength(name surfaces.Name) float64 {
	switch name {
	case surfaces.SessionTitle:
		return rank.TypicalTitle
	case surfaces.SessionSummary:
		return rank.TypicalSummary
	}
	return rank.TypicalTurn
}

// turnLanes are the lanes of turns: of the surfaces searched, and of those whose words
// decide how rare a word is.
func (s *snapshot) turnLanes(searched surfaces.Set) []lane {
	return s.lanesOf(searched, func(k *laneKind) bool { return !k.Session && (k.Lean || searched.Has(k.Name)) })
}

// recordLanes are the lanes of session records: of the surfaces searched.
func (s *snapshot) recordLanes(searched surfaces.Set) []lane {
	return s.lanesOf(searched, func(k *laneKind) bool { return k.Session && searched.Has(k.Name) })
}

func (s *snapshot) lanesOf(searched surfaces.Set, wanted func(*laneKind) bool) []lane {
	kinds := s.laneKinds()
	lanes := make([]lane, 0, len(kinds))
	for i := range kinds {
		if k := &kinds[i]; wanted(k) {
			lanes = append(lanes, lane{surface: k.Name, lean: k.Lean, scored: searched.Has(k.Name), norms: k.norms, halved: k.halved, rough: k.rough})
		}
	}
	assignSlots(lanes)
	return lanes
}
