package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// A Filter says which turns may answer. The zero value lets all pass; a turn
// passes when it passes every field that is set. A session's title or summary
// passes when a turn of the session does.
type Filter struct {
	Projects []string        // any of these, see MatchProject; empty means all
	Cwd      string          // the folder at the prompt is this one or below, see UnderDir
	Branch   string          // at the prompt, see MatchGlob
	Model    string          // any model of the turn, see MatchGlob
	Tool     string          // any tool of the turn, see MatchGlob
	Path     string          // any path the turn touched, see MatchPath
	Source   string          // kind of agent: "claude", "pi"
	Lane     string          // one of Lanes; "" means all that are indexed
	Session  string          // id of a session the turn has a place in, or its beginning, of 8 characters at least
	Exclude  []string        // ids of sessions, or their beginnings, whose whole family stays out
	Without  []Condition     // turns of which any holds stay out
	After    time.Time       // turns that ended at this moment or later; zero means no bound
	Before   time.Time       // turns that began before this moment; zero means no bound
	Surfaces []surfaces.Name // matches there only; empty means all that the corpus keeps
}

// A Condition is one filter, as in project:api: a key of an inline filter and
// what is asked of it. Dates, sessions and surfaces are none.
type Condition struct{ Key, Value string }

// filterKeys are the keys of inline filters, in the order in which they are
// spelled.
func filterKeys() []string {
	return []string{"project", "cwd", "branch", "model", "tool", "path", "agent", "lane", "session", "exclude", "after", "before", "surface"}
}

func isFilterKey(s string) bool { return slices.Contains(filterKeys(), s) }

// set applies key:value; now is what relative dates are counted from. A blank value
// says nothing.
func (f *Filter) set(key, value string, now time.Time) (err error) {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	if one := f.text(key); one != nil {
		*one = value
		return nil
	}
	switch key {
	case "project":
		f.Projects = append(f.Projects, value)
	case "exclude":
		f.Exclude = append(f.Exclude, value)
	case "lane":
		f.Lane, err = parseLane(value)
	case "after":
		f.After, err = ParseDate(value, now, false)
		f.After = f.After.UTC()
	case "before":
		f.Before, err = ParseDate(value, now, true)
		f.Before = f.Before.UTC()
	case "surface":
		err = f.addSurfaces(value)
	}
	return err
}

// without applies -key:value. A blank value says nothing.
func (f *Filter) without(key, value string) (err error) {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	switch key {
	case "session", "exclude":
		f.Exclude = append(f.Exclude, value)
		return nil
	case "after", "before", "surface":
		return errors.New("leaves nothing out: after:, before: and surface: say what is wanted")
	case "lane":
		value, err = parseLane(value)
	}
	f.Without = append(f.Without, Condition{key, value})
	return err
}

// text returns the field that holds a key's value as it was typed, nil for
// other keys.
func (f *Filter) text(key string) *string {
	switch key {
	case "cwd":
		return &f.Cwd
	case "branch":
		return &f.Branch
	case "model":
		return &f.Model
	case "tool":
		return &f.Tool
	case "path":
		return &f.Path
	case "agent":
		return &f.Source
	case "session":
		return &f.Session
	}
	return nil
}

// Lanes lists what Filter.Lane may be, as people type it.
func Lanes() (names []string) {
	for _, lane := range sources.Lanes() {
		names = append(names, string(lane))
	}
	return names
}

func parseLane(value string) (string, error) {
	if lane := strings.ToLower(value); slices.Contains(Lanes(), lane) {
		return lane, nil
	}
	return "", fmt.Errorf("unknown lane %q: one of %s", value, strings.Join(Lanes(), ","))
}

// check is a *QueryError for a value that nothing can meet, which an empty answer
// would not tell.
func (f *Filter) check() (err error) {
	for _, c := range append([]Condition{{"lane", f.Lane}}, f.Without...) {
		if facet, _ := c.facet(); facet == "" {
			err = fmt.Errorf("no condition is called %q", c.Key)
		} else if c.Key == "lane" && c.Value != "" {
			_, err = parseLane(c.Value)
		}
		if err != nil {
			return &QueryError{Msg: "filter: " + err.Error()}
		}
	}
	for _, name := range f.Surfaces {
		if _, err := surfaces.Parse(string(name)); err != nil {
			return &QueryError{Msg: "filter: " + err.Error()}
		}
	}
	return nil
}

// addSurfaces adds the surfaces of a list with commas.
func (f *Filter) addSurfaces(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, err := surfaces.Parse(name); err != nil {
			return err
		}
		if n := surfaces.Name(name); !slices.Contains(f.Surfaces, n) {
			f.Surfaces = append(f.Surfaces, n)
		}
	}
	return nil
}

// spell returns the filter as inline filters.
func (f Filter) spell() (parts []string) {
	add := func(key, value string) {
		if value == "" {
			return
		}
		if strings.ContainsFunc(value, unicode.IsSpace) || strings.HasPrefix(value, `"`) || strings.HasPrefix(value, leftMark) {
			value = quote(value)
		}
		parts = append(parts, key+":"+value)
	}
	for _, key := range filterKeys() {
		if one := f.text(key); one != nil {
			add(key, *one)
		}
	}
	add("lane", f.Lane)
	for _, v := range f.Projects {
		add("project", v)
	}
	for _, v := range f.Exclude {
		add("exclude", v)
	}
	for _, c := range f.Without {
		add("-"+c.Key, c.Value)
	}
	if !f.After.IsZero() {
		add("after", f.After.UTC().Format(time.RFC3339Nano))
	}
	if !f.Before.IsZero() {
		add("before", f.Before.UTC().Format(time.RFC3339Nano))
	}
	for _, v := range f.Surfaces {
		add("surface", string(v))
	}
	return parts
}
