package mcp

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

// filters are the arguments that say which turns may answer.
func (s *Server) filters() []arg {
	return []arg{
		{name: "project", kind: aTexts, about: "sessions begun in this folder: the whole path or its last parts; several mean any of them"},
		{name: "cwd", kind: aText, about: "turns in this folder or below"},
		{name: "branch", kind: aText, about: "turns on this git branch (* allowed)"},
		{name: "model", kind: aText, about: "turns answered by this model (* allowed)"},
		{name: "tool", kind: aText, about: "turns that called this tool (* allowed)"},
		{name: "path", kind: aText, about: "turns that touched this file: the whole path or its last parts"},
		{name: "agent", kind: aText, words: s.Agents, about: "turns of this agent"},
		{name: "lane", kind: aText, words: corpus.Lanes(), about: "who drove the session; main is a person"},
		{name: "session", kind: aText, about: "turns of the session with this id; its first 8 characters do"},
		{name: "exclude", kind: aTexts, about: "ids of sessions to leave out with all their relatives"},
		{name: "after", kind: aText, about: "since when: 7d, 2w, yesterday, 2026-01-31, a time"},
		{name: "before", kind: aText, about: "until when; a bare date includes that day"},
	}
}

// filter makes a filter of a call's arguments. The session that asks stays out,
// unless it is wanted or asked for by its id.
func (s *Server) filter(v values) (f corpus.Filter, err error) {
	f = corpus.Filter{
		Branch: v.text("branch"), Model: v.text("model"), Tool: v.text("tool"), Path: s.place(v.text("path")),
		Source: v.text("agent"), Lane: v.text("lane"), Session: v.text("session"), Exclude: v.texts("exclude"),
	}
	for _, p := range v.texts("project") {
		f.Projects = append(f.Projects, s.place(p))
	}
	if cwd := v.text("cwd"); cwd != "" {
		f.Cwd = s.Expand(cwd)
	}
	for _, name := range v.texts("surfaces") {
		f.Surfaces = append(f.Surfaces, surfaces.Name(name))
	}
	if f.After, err = s.date(v, "after", false); err != nil {
		return f, err
	}
	if f.Before, err = s.date(v, "before", true); err != nil {
		return f, err
	}
	if !v.flag("include_current") {
		for _, id := range s.Asking {
			wanted := f.Session != "" && strings.HasPrefix(id, f.Session) || id == v.text("query")
			if !wanted && !slices.Contains(f.Exclude, id) {
				f.Exclude = append(f.Exclude, id)
			}
		}
	}
	return f, nil
}

// place expands what can only be a path of this machine, and leaves names alone.
func (s *Server) place(p string) string {
	if corpus.LocalPath(p) {
		return s.Expand(p)
	}
	return p
}

func (s *Server) date(v values, name string, end bool) (t time.Time, err error) {
	if v.text(name) == "" {
		return t, nil
	}
	if t, err = corpus.ParseDate(v.text(name), s.Now(), end); err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
