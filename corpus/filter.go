package corpus

import (
	"time"

	"github.com/hansard-search/hansard/surfaces"
)

// A Filter says which turns may answer. The zero value lets all pass; a turn
// passes when it passes every field that is set.
type Filter struct {
	Projects []string        // any of these, see MatchProject; empty means all
	Cwd      string          // this folder and below, see UnderDir
	Branch   string          // see MatchGlob
	Model    string          // any model of the turn, see MatchGlob
	Tool     string          // any tool of the turn, see MatchGlob
	Path     string          // any path the turn touched, see MatchPath
	Source   string          // kind of agent, "claude" or "pi"
	Lane     string          // main, subagent, headless or cron
	Session  string          // id of a session the turn has a place in
	Exclude  []string        // ids of sessions whose whole family stays out
	After    time.Time       // turns that ended at this moment or later; zero means no bound
	Before   time.Time       // turns that began before this moment; zero means no bound
	Surfaces []surfaces.Name // only matches there; empty means all that the corpus keeps
}
