// Package plugins holds what agents load: the folder of a Claude Code plugin,
// an extension for pi, and the skill that all of them share.
//
// It only carries files; where they go is known elsewhere.
package plugins

import (
	"embed"
	"fmt"
)

//go:embed all:claude-code pi
var files embed.FS

// Skill returns the skill that teaches the commands. The bytes are the caller's.
func Skill() ([]byte, error) { return read("claude-code/skills/hansard/SKILL.md") }

// PiExtension returns the extension for pi, which calls the program as
// "hansard". The bytes are the caller's.
func PiExtension() ([]byte, error) { return read("pi/hansard.ts") }

func read(name string) ([]byte, error) {
	b, err := files.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("plugin file: %w", err)
	}
	return b, nil
}
