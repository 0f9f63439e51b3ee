package main

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/segment"
)

// TestJSONIsDocumented holds docs/json.md and the types that are printed to each
// other: every field, and whether it may be left out. Names are frozen; a field
// that is added gets its line there.
func TestJSONIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, typ := range map[string]reflect.Type{
		"Answer": reflect.TypeFor[corpus.Answer](), "Hit": reflect.TypeFor[corpus.Hit](), "WindowItem": reflect.TypeFor[corpus.WindowItem](),
		"Part": reflect.TypeFor[corpus.Part](), "Scope": reflect.TypeFor[corpus.Scope](), "TurnRecord": reflect.TypeFor[corpus.TurnRecord](),
		"ToolCount": reflect.TypeFor[segment.ToolCount](), "UsageRecord": reflect.TypeFor[corpus.UsageRecord](),
		"MessageRecord": reflect.TypeFor[corpus.MessageRecord](), "SessionList": reflect.TypeFor[corpus.SessionList](),
		"SessionRecord": reflect.TypeFor[corpus.SessionRecord](), "SessionPage": reflect.TypeFor[corpus.SessionPage](),
		"Report": reflect.TypeFor[corpus.Report](), "TranscriptCounts": reflect.TypeFor[corpus.TranscriptCounts](),
		"SkippedLine": reflect.TypeFor[corpus.SkippedLine](), "Status": reflect.TypeFor[corpus.Status](),
		"DocumentCounts": reflect.TypeFor[corpus.DocumentCounts](), "SurfaceStatus": reflect.TypeFor[corpus.SurfaceStatus](),
		"ByteCounts": reflect.TypeFor[corpus.ByteCounts](), "SourceStatus": reflect.TypeFor[corpus.SourceStatus](),
		"WriterStatus": reflect.TypeFor[corpus.WriterStatus](), "CheckReport": reflect.TypeFor[corpus.CheckReport](),
		"CheckCounts": reflect.TypeFor[corpus.CheckCounts](), "Problem": reflect.TypeFor[corpus.Problem](),
		"Presets": reflect.TypeFor[presetsPage](), "Preset": reflect.TypeFor[presetRow](), "Recent": reflect.TypeFor[recentPage](),
		"RecentSession": reflect.TypeFor[recentSession](), "Resume": reflect.TypeFor[resumePage](), "Event": reflect.TypeFor[watchEvent](),
		"Maintain": reflect.TypeFor[maintainPage](), "Upkeep": reflect.TypeFor[upkeep](), "Synopses": reflect.TypeFor[synopses](),
		"SynopsisFailure": reflect.TypeFor[synopsisFailed](), "Evaluation": reflect.TypeFor[corpus.Evaluation](),
		"Scored": reflect.TypeFor[corpus.Scored](), "Hits": reflect.TypeFor[corpus.Hits](), "Miss": reflect.TypeFor[corpus.Miss](),
		"Removal": reflect.TypeFor[corpus.Removal](), "RemovedSession": reflect.TypeFor[corpus.RemovedSession](),
		"Repaired": reflect.TypeFor[corpus.Repaired](), "Repair": reflect.TypeFor[repairPage](), "BackedUp": reflect.TypeFor[corpus.BackedUp](),
		"Install": reflect.TypeFor[installPage](), "Change": reflect.TypeFor[changeRow](), "Error": reflect.TypeFor[failure](),
	} {
		_, section, ok := strings.Cut(string(page), "\n### "+name+"\n")
		if !ok {
			t.Errorf("docs/json.md: no section %s", name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		var documented, printed []string
		for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)`(\\??) \\|").FindAllStringSubmatch(section, -1) {
			documented = append(documented, row[1]+row[2])
		}
		for f := range typ.Fields() {
			field, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if strings.Contains(rest, "omit") {
				field += "?"
			}
			if field != "" && field != "-" {
				printed = append(printed, field)
			}
		}
		slices.Sort(documented)
		slices.Sort(printed)
		if d := cmp.Diff(documented, printed); d != "" {
			t.Errorf("docs/json.md and the program differ about %s: %s", name, d)
		}
	}
}

// TestPrintedJSON: what commands print has documented names only, and no null
// but that of a writer who is not there.
func TestPrintedJSON(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for _, args := range []string{"search --json why", "search --json --context 4 --explain why", "search --json zzzzzz", "sessions --json", "status --json", "presets --json",
		"check --json", "index --json", "maintain --json", "recent --json", "install claude --dry-run --json", "export --json", "show --json nowhere", "search --json"} {
		_, out, errs := askIn(home, strings.Fields(args)...)
		for text := range strings.Lines(out + errs) {
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Errorf("%s: %v: %s", args, err, text)
			}
			checkNames(t, args, string(page), "", v)
		}
	}
}

func checkNames(t *testing.T, command, page, under string, v any) {
	switch v := v.(type) {
	case nil:
		if under != "writer" {
			t.Errorf("%s: %s is null", command, under)
		}
	case []any:
		for _, x := range v {
			checkNames(t, command, page, under, x)
		}
	case map[string]any:
		for name, x := range v {
			data := slices.Contains([]string{"filters", "repaired", "redacted"}, under)
			if !data && !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, `{"`+name+`": `) {
				t.Errorf("%s: %s.%s is not in docs/json.md", command, under, name)
			}
			checkNames(t, command, page, name, x)
		}
	}
}
