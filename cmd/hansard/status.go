package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const statusHelp = `
Says what is indexed, from where, how fresh it is, and what it takes on the disk.
`

func (p *program) statusCommand() *cli.Command {
	return &cli.Command{
		Name:        "status",
		Usage:       "say what is indexed, and where",
		Description: statusHelp,
		UsageText:   exits(exitFound, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       []cli.Flag{presetFlag(), jsonFlag()},
		Action:      p.status,
	}
}

func (p *program) status(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	co, err := p.open(c)
	if err != nil {
		return err
	}
	defer co.Close()
	st, err := co.Status(c.Context)
	if err != nil {
		return err
	}
	return p.print.show(statusPage{st, co.Params()})
}

type statusPage struct {
	*corpus.Status
	params corpus.Params
}

func (p statusPage) data() any { return p.Status }

func (p statusPage) text(s *screen) {
	st := p.Status
	s.lacks(st.Damaged)
	s.put(s.bold(line(st.Preset)), "  ", count(st.Turns, "turn"), " of ", count(st.Sessions, "session"))
	s.put()
	var kinds, redacted []safe
	for _, f := range st.Surfaces {
		kinds = append(kinds, line(string(f.Name))+" "+num(f.Documents))
	}
	for _, k := range slices.Sorted(maps.Keys(st.Redacted)) {
		redacted = append(redacted, num(st.Redacted[k])+" "+line(k))
	}
	var span, missing, writer safe
	if !st.Oldest.IsZero() {
		span = s.stamp(st.Oldest.Time) + " to " + s.stamp(st.Newest.Time)
	}
	if st.Missing > 0 {
		missing = count(st.Missing, "turn") + " whose transcript is gone"
	}
	if st.Writer != nil {
		writer = safe(fmt.Sprintf("pid %d (", st.Writer.PID)) + line(st.Writer.Command) + ") since " + s.stamp(st.Writer.Since.Time)
	}
	s.rows(
		"turns", span,
		"surfaces", list(", ", kinds...),
		"indexed", s.date(st.IndexedAt.Time),
		"scope", scopeText(p.params),
		"kept", missing,
		"redacted", list(", ", redacted...),
		"writing", writer,
		"folder", line(st.DataDir),
		"size", size(st.Bytes.Shards+st.Bytes.Ledger+st.Bytes.Transcripts+st.Bytes.Manifest)+" in "+count(st.Shards, "shard"),
	)
	for _, src := range st.Sources {
		s.rows("source  ", line(src.Name)+" "+line(src.Root)+": "+count(src.Transcripts, "transcript")+goneCount(src.Gone))
	}
}

func goneCount(n int) safe {
	if n == 0 {
		return ""
	}
	return ", " + num(n) + " gone"
}

// scopeText says under which parameters the index is kept.
func scopeText(p corpus.Params) safe {
	parts := []safe{"since " + line(p.Since)}
	if len(p.Projects) > 0 {
		parts = append(parts, "projects "+list(", ", lines(p.Projects)...))
	}
	if p.MaxSessions > 0 {
		parts = append(parts, "the newest "+count(p.MaxSessions, "session"))
	}
	if len(p.Include) > 0 {
		parts = append(parts, "with "+list(", ", lines(p.Include)...))
	}
	return list("; ", parts...)
}
