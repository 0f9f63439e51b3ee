package stored

// The names of facets. All but the last are of turns, the first two of session
// records too; values are as the transcript spells them.
const (
	FacetSource  = "source"
	FacetLane    = "lane"
	FacetProject = "project"
	FacetCwd     = "cwd"
	FacetBranch  = "branch"
	FacetModel   = "model"
	FacetTool    = "tool"
	FacetPath    = "path"    // files touched
	FacetCommand = "command" // first words of shell commands
	FacetSession = "session" // every session in which the turn stands
	FacetDay     = "day"     // of the turn's last event, 2006-01-02 in UTC
	FacetBegan   = "began"   // of its first event, likewise
	FacetCopied  = "copied"  // "1" where the turn stands in several sessions
	FacetParent  = "parent"  // of session records alone: the session it continues or was spawned by
)
