package presets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// A File is the user's config file: JSON with comments.
//
//	{
//	  "default": "work",                            // the preset that commands use without --preset
//	  "presets": {
//	    "work": {
//	      "about": "what I did for a living",
//	      "sources": ["pi", {"kind": "claude", "root": "~/work/.claude/projects"}],
//	      "include": ["full", "tools"],             // full, tools, tool-output
//	      "lanes": ["subagent", "headless"],        // beside main
//	      "since": "30d",                           // or 2026-01-01, or all
//	      "projects": ["api", "/home/me/web"],
//	      "max_sessions": 500,
//	      "refresh": "24h",                         // or source-change (the default), or manual
//	      "synopsis": {"command": ["llm", "-s", "Sum up"], "recent": "30d", "window": "02:00-06:00", "timeout": "60s"}
//	    }
//	  }
//	}
//
// Each key may be left out; then a preset is that of the same name that is
// built in, or the zero Preset. A bad value is a *ConfigError.
type File struct {
	Path     string
	Default  string   // "sessions" when the file does not say
	Presets  []Preset // the user's own, in file order
	Warnings []string // one line each: keys that mean nothing

	presets place // where they are, or would be
}

// Load reads the config file; none is as good as an empty one.
func (e Env) Load() (*File, error) {
	path, err := e.ConfigFile()
	if err != nil {
		return &File{Default: Sessions().Name}, nil // without a home there is no config; the data folder says the rest
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := e.Parse(path, nil)
		if err == nil {
			f.presets.line = 0
		}
		return f, err
	}
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return e.Parse(path, text)
}

// Parse reads the text of the config file at path.
func (e Env) Parse(path string, text []byte) (*File, error) {
	top, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Default: Sessions().Name, presets: place{path, 1, "presets"}}
	list, err := top.members()
	if err != nil {
		return nil, err
	}
	var def node
	for _, n := range list {
		switch n.key {
		case "presets":
			err = f.addPresets(e, n)
		case "default":
			def = n
			f.Default, err = n.text()
		case "$schema":
		default:
			f.warn(n, "default", "presets")
		}
		if err != nil {
			return nil, err
		}
	}
	if _, ok := f.lookup(f.Default); !ok {
		return nil, def.place().err(fmt.Sprintf("unknown preset %q", f.Default), oneOf(f.names()))
	}
	return f, nil
}

func (f *File) warn(n node, known ...string) {
	f.Warnings = append(f.Warnings, fmt.Sprintf("%s: means nothing here; known are %s", n.place(), strings.Join(known, ", ")))
}

func (f *File) addPresets(e Env, n node) error {
	f.presets = n.place()
	list, err := n.members()
	if err != nil {
		return err
	}
	for _, c := range list {
		p, err := f.preset(e, c)
		if err != nil {
			return err
		}
		f.Presets = append(f.Presets, p)
	}
	return nil
}

// preset reads one entry. What it leaves out is as in the built-in preset of that name.
func (f *File) preset(e Env, n node) (Preset, error) {
	p, _ := Lookup(n.key)
	p.Name = n.key
	if !validName(p.Name) {
		return p, n.place().err("not a name", "use letters, digits, - and _: it becomes a folder")
	}
	list, err := n.members()
	if err != nil {
		return p, err
	}
	for _, c := range list {
		switch c.key {
		case "about":
			p.About, err = c.text()
		case "since":
			p.Since, err = e.since(c)
		case "projects":
			p.Projects, err = c.texts(nil)
		case "max_sessions":
			p.MaxSessions, err = c.count()
		case "sources":
			err = e.sources(c, &p)
		case "include":
			p.Include, err = c.texts(switchNames())
		case "lanes":
			p.Lanes, err = lanes(c)
		case "refresh":
			p.Refresh, err = c.refresh()
		case "synopsis":
			p.Synopsis, err = f.synopsis(e, c)
		default:
			f.warn(c, "about", "sources", "include", "lanes", "since", "projects", "max_sessions", "refresh", "synopsis")
		}
		if err != nil {
			return p, err
		}
	}
	p.config, err = spelling(p)
	return p, err
}

// spelling is a preset's choices in one spelling: it changes when they do,
// not when the file is laid out anew. What is done when is none of an index's.
func spelling(p Preset) (string, error) {
	p.About, p.Refresh, p.Synopsis = "", "", nil
	b, err := json.Marshal(p)
	return string(b), err
}

func validName(s string) bool {
	bad := func(r rune) bool {
		return !(r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}
	return s != "" && len(s) <= 64 && s[0] != '-' && !strings.ContainsFunc(s, bad)
}

// All returns the built-in presets, as the file changes them, and the user's own.
func (f *File) All() []Preset {
	var list []Preset
	for _, p := range All() {
		p, _ = f.lookup(p.Name)
		list = append(list, p)
	}
	for _, p := range f.Presets {
		if _, builtIn := Lookup(p.Name); !builtIn {
			list = append(list, p)
		}
	}
	return list
}

func (f *File) names() []string {
	var names []string
	for _, p := range f.All() {
		names = append(names, p.Name)
	}
	return names
}

func (f *File) lookup(name string) (Preset, bool) {
	for _, p := range f.Presets {
		if p.Name == name {
			return p, true
		}
	}
	return Lookup(name)
}

// Lookup returns the preset called name, the default one for "". The error is
// a *ConfigError that names the place where presets are written.
func (f *File) Lookup(name string) (Preset, error) {
	if name == "" {
		name = f.Default
	}
	p, ok := f.lookup(name)
	if !ok {
		there := "there"
		if f.presets.line == 0 {
			there = "in " + f.presets.file
		}
		return p, f.presets.err(fmt.Sprintf("unknown preset %q", name), oneOf(f.names())+", or write it "+there)
	}
	return p, nil
}
