package presets

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
)

func (e Env) since(n node) (string, error) {
	s, err := n.text()
	if err != nil {
		return "", err
	}
	if _, err := ParseSince(s, e.Now()); err != nil {
		return "", n.place().err(fmt.Sprintf("%q is no date or duration", s), sinceNext)
	}
	return s, nil
}

const sinceNext = "write 90d, 12w, 2026-01-01 or all"

// ParseSince reads a bound in time; "" and "all" are the zero Time, no bound.
func ParseSince(s string, now time.Time) (time.Time, error) {
	if s == "" || s == "all" {
		return time.Time{}, nil
	}
	t, err := corpus.ParseDate(s, now, false)
	if err != nil {
		return t, fmt.Errorf("%q is no date or duration: %s", s, sinceNext)
	}
	return t, nil
}

func (e Env) sources(n node, p *Preset) error {
	list, err := n.elements("sources")
	if err != nil {
		return err
	}
	p.Sources, p.at = []corpus.Root{}, nil
	for _, c := range list {
		r, at, err := e.source(c)
		if err != nil {
			return err
		}
		p.Sources, p.at = append(p.Sources, r), append(p.at, at)
	}
	if len(list) == 0 {
		return n.place().err("names no source", "leave it out for the usual ones")
	}
	return nil
}

// source reads "claude" or {"kind": "claude", "root": "~/x"}. Relative roots
// start at the config file's folder.
func (e Env) source(n node) (r corpus.Root, at place, err error) {
	at = n.place()
	if s, err := n.text(); err == nil {
		return corpus.Root{Kind: s}, at, n.kind(s)
	}
	list, err := n.members()
	if err != nil {
		return r, at, n.wrong(`a kind or {"kind": ..., "root": ...}`)
	}
	for _, c := range list {
		switch c.key {
		case "kind":
			if r.Kind, err = c.text(); err == nil {
				err = c.kind(r.Kind)
			}
		case "root":
			at = c.place()
			if r.Dir, err = c.text(); err == nil && r.Dir == "" {
				err = at.err("is empty", "leave it out for the usual place")
			}
			r.Dir = e.expandIn(filepath.Dir(n.file), r.Dir)
		default:
			err = c.place().err("means nothing here", "a source has kind and root")
		}
		if err != nil {
			return r, at, err
		}
	}
	if r.Kind == "" {
		return r, at, n.place().err("has no kind", oneOf(Kinds()))
	}
	return r, at, nil
}

func (n node) kind(s string) error {
	if !slices.Contains(Kinds(), s) {
		return n.place().err(fmt.Sprintf("unknown source kind %q", s), oneOf(Kinds()))
	}
	return nil
}

func lanes(n node) ([]sources.Lane, error) {
	list, err := n.texts(corpus.Lanes())
	out := []sources.Lane{}
	for _, s := range list {
		out = append(out, sources.Lane(s))
	}
	return out, err
}
