package segment_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// inventor draws the lines of a transcript.
type inventor struct {
	t       *rapid.T
	n       int      // lines so far, for ids
	ids     []string // of the chain
	last    string
	groups  int
	version string
}

func (v *inventor) id() string {
	v.n++
	id := fmt.Sprintf("u%d", v.n)
	v.ids = append(v.ids, id)
	return id
}

func (v *inventor) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(v.t, label) }

// words are few, so that they repeat.
func (v *inventor) words() string {
	return rapid.SampledFrom([]string{"look", "look  ", "fix it", "why", "go on\nnow", "yes"}).Draw(v.t, "words")
}

// parent is mostly the last entry, sometimes an older one, none or nobody's.
func (v *inventor) parent() string {
	switch v.pick("parent", 12) {
	case 0:
		return ""
	case 1:
		return "nobody"
	case 2:
		return v.old()
	}
	return v.last
}

func (v *inventor) old() string {
	if len(v.ids) == 0 {
		return "nobody"
	}
	return v.ids[v.pick("old", len(v.ids))]
}

func (v *inventor) group() string {
	if v.pick("same group", 3) > 0 {
		v.groups++
	}
	return fmt.Sprintf("g%d", v.groups)
}

// chained finishes an entry of the chain.
func (v *inventor) chained(o obj) string {
	v.last = o["uuid"].(string)
	if v.version == "" {
		delete(o, "version")
	} else {
		o["version"] = v.version
	}
	if v.pick("timed", 4) > 0 {
		o["timestamp"] = fmt.Sprintf("2026-03-%02dT10:%02d:00.000Z", 1+v.pick("day", 3), v.n%60)
	}
	if v.pick("placed", 4) == 0 {
		o["cwd"] = "/home/u/" + v.words()
	}
	return o.String()
}

func (v *inventor) line() string {
	switch v.pick("kind", 24) {
	case 0, 1, 2, 3:
		return v.chained(human(v.id(), v.parent(), v.words()))
	case 4, 5, 6:
		return v.chained(reply(v.id(), v.last, v.group(), say(v.words())))
	case 7, 8:
		return v.chained(reply(v.id(), v.last, v.group(), bash(fmt.Sprintf("t%d", v.n), "go test")))
	case 9:
		return v.chained(reply(v.id(), v.last, v.group(), block("thinking", "thinking", "hm")))
	case 10:
		return v.chained(human(v.id(), v.last, []obj{block("tool_result", "content", "ok"), say(v.words())}))
	case 11:
		return v.chained(human(v.id(), v.last, "<task-notification>x</task-notification>"))
	case 12:
		return v.chained(human(v.id(), v.last, []obj{say("[Request interrupted by user]")}))
	case 13:
		args := []string{"", "with words"}[v.pick("args", 2)]
		return v.chained(human(v.id(), v.parent(), "<command-name>/own</command-name><command-args>"+args+"</command-args>"))
	case 14:
		return v.chained(human(v.id(), v.last, "<local-command-stdout>x</local-command-stdout>"))
	case 15:
		return v.chained(chain("system", v.id(), "").with("subtype", "compact_boundary").with("logicalParentUuid", v.parent()))
	case 16:
		return v.chained(human(v.id(), v.last, "All of it.").with("isCompactSummary", true))
	case 17:
		return v.chained(chain("system", v.id(), v.last).with("subtype", "turn_duration"))
	case 18:
		return v.chained(reply(v.id(), v.last, "", say("API Error")).with("isApiErrorMessage", true))
	case 19:
		v.version = rapid.SampledFrom([]string{"2.0.1", "2.1.99", "2.1.100", ""}).Draw(v.t, "version")
		return v.chained(chain("progress", v.id(), v.last))
	case 20:
		return obj{"type": "summary", "summary": v.words(), "leafUuid": rapid.SampledFrom([]string{v.old(), fmt.Sprintf("u%d", v.n+5), "x"}).Draw(v.t, "leaf")}.String()
	case 21:
		return obj{"type": "custom-title", "customTitle": v.words()}.String()
	case 22:
		return queued("enqueue", v.words()).String()
	}
	return queued(rapid.SampledFrom([]string{"remove", "remove", "dequeue", "popAll"}).Draw(v.t, "operation"), nil).String()
}

// TestReadingOn: however a transcript grew, reading on at every step gives
// what reading it from the beginning gives.
func TestReadingOn(t *testing.T) {
	p := newProject(t)
	rapid.Check(t, func(rt *rapid.T) {
		v := inventor{t: rt, version: "2.1.40"}
		var text strings.Builder
		for range rapid.IntRange(1, 40).Draw(rt, "lines") {
			text.WriteString(v.line())
			if v.pick("newline", 20) > 0 { // else two writers met
				text.WriteByte('\n')
			}
		}
		all := text.String()
		var k *kept
		for at := 0; at < len(all); {
			at = min(len(all), at+rapid.IntRange(1, len(all)).Draw(rt, "step"))
			if end := strings.IndexByte(all[at:], '\n'); end >= 0 && v.pick("at a newline", 4) > 0 {
				at += end + 1
			}
			p.write(t, all[:at])
			if tr := p.transcript(t); k == nil {
				k = read(t, tr)
			} else {
				k.readOn(t, tr)
			}
			same(rt, k, read(t, p.transcript(t)))
		}
	})
}

func TestAbandoned(t *testing.T) {
	text := lines(
		human("p1", "", "one"), reply("a1", "p1", "g1", say("1")),
		human("p2", "a1", "two"), reply("a2", "p2", "g2", say("2")),
		human("p3", "a2", "three"), reply("a3", "p3", "g3", say("3")),
		human("p4", "a1", "two again"), reply("a4", "p4", "g4", say("4")),
	)
	p := newProject(t)
	p.write(t, text[:strings.Index(text, "two again")])
	k := read(t, p.transcript(t))
	p.write(t, text)
	k.readOn(t, p.transcript(t))
	if k.wholes != 1 {
		t.Error("a prompt that hangs on an entry before the position needs the whole transcript")
	}
	for id, want := range map[string]bool{"p1": false, "p2": true, "p3": true, "p4": false} {
		if k.turns[id].Abandoned != want {
			t.Errorf("%s: abandoned %v, want %v", id, !want, want)
		}
	}
}
