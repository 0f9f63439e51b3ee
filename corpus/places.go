package corpus

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// withPlace puts the place at which a turn was read now among those at which it was
// found before. It returns all of them, the one that the content is taken from
// first and the others from the newest session to the oldest, and whether
// anything changed.
func withPlace(known []stored.Place, at stored.Place, moved func(path string) bool) (places []stored.Place, changed bool) {
	places = slices.Clone(known)
	i := slices.IndexFunc(places, func(p stored.Place) bool { return p.Session == at.Session })
	switch {
	case i < 0:
		places = append(places, at)
	case places[i].Path == at.Path || moved(places[i].Path):
		places[i] = at
	case at.Better(places[i]) || !places[i].Better(at) && at.Path < places[i].Path:
		places[i] = at // two transcripts of one session: the fuller one, else the first by path
	}
	arrange(places)
	return places, !slices.Equal(places, known)
}

// arrange puts the best place first and the others behind it, newest first.
func arrange(places []stored.Place) {
	slices.SortFunc(places, func(p, q stored.Place) int {
		switch {
		case p == q:
			return 0
		case p.Better(q):
			return -1
		}
		return 1
	})
	slices.SortFunc(places[1:], func(p, q stored.Place) int {
		return cmp.Or(cmp.Compare(q.Began, p.Began), strings.Compare(p.Session, q.Session))
	})
}

// shown chooses the place under which a turn is shown: the first, unless its
// transcript is gone and another's is not. missing tells that none is there.
func shown(places []stored.Place) (at stored.Place, missing bool) {
	for _, p := range places {
		if !vanished(p.Path) {
			return p, false
		}
	}
	return places[0], true
}

// vanished reports whether the transcript at path is gone. Of one that is no file, and
// has no absolute path therefore, nobody can tell.
func vanished(path string) bool { return filepath.IsAbs(path) && absent(path) }
