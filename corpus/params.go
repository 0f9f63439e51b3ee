package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/redact"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/strategies"
)

// What Params.Include may name.
const (
	IncludeFull       = "full"        // every text of the assistant, not only the final answer
	IncludeTools      = "tools"       // names, paths, commands and written text of tool calls
	IncludeToolOutput = "tool-output" // what tools answered, head and tail, and their calls
	IncludeSubagents  = "subagents"   // sessions of agents' own helpers
	IncludeHeadless   = "headless"    // sessions driven by scripts
	IncludeCron       = "cron"        // sessions driven by a schedule
)

func paramsOf(m manifest.Params) Params {
	p := Params{
		Since:       m.Since,
		Projects:    slices.Clone(m.Projects),
		MaxSessions: m.MaxSessions,
		Include:     slices.Clone(m.Include),
		Config:      m.Config,
	}
	for _, r := range m.Sources {
		p.Roots = append(p.Roots, Root{Kind: r.Kind, Dir: r.Root, Default: r.Default})
	}
	return p
}

func (p Params) manifest(s strategies.Strategy) manifest.Params {
	m := manifest.Params{
		Strategy:    s.Name(),
		Include:     slices.Clone(p.Include),
		Since:       p.Since,
		Projects:    slices.Clone(p.Projects),
		MaxSessions: p.MaxSessions,
		Config:      p.Config,
		Redaction:   redact.Version,
		Terms:       terms.Version,
	}
	for _, r := range p.Roots {
		m.Sources = append(m.Sources, manifest.Root{Kind: r.Kind, Root: r.Dir, Default: r.Default})
	}
	return m
}

// readingKey is a short hash of the parameters that decide what is taken from a
// transcript. A row read under another key is read again. The scope is not in
// it, since what is outside is looked at anew in each run, nor is the analysis of
// words, which is made again from stored text.
func readingKey(m manifest.Params) string {
	var s signal.Sum
	s.String(m.Strategy)
	s.Strings(m.Include)
	s.String(m.Redaction)
	return s.Hash().String()[:12]
}
