package presets

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPolicy(t *testing.T) {
	e := world(t)
	parse := func(text string) Preset {
		f, err := e.Parse("c.jsonc", []byte(`{"presets": {"a": {`+text+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Lookup("a")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := parse(`"refresh": "2d", "synopsis": {"command": ["llm", "-s"], "recent": "7d", "window": "22:30-06:00", "timeout": "5s"}`)
	want := &Synopsis{Command: []string{"llm", "-s"}, Recent: "7d", Window: Window{22*60 + 30, 6 * 60}, Timeout: 5 * time.Second}
	if d := cmp.Diff(want, p.Synopsis); d != "" {
		t.Error(d)
	}
	if p.Params(e).Config != parse("").Params(e).Config {
		t.Error("a policy changed the parameters of the index")
	}
	now := e.Now()
	for _, test := range []struct {
		refresh string
		age     time.Duration // 0: never made
		due     bool
		good    time.Duration
	}{
		{`"refresh": "source-change"`, time.Second, true, 0}, {``, time.Second, true, 0}, {`"refresh": "manual"`, time.Hour, false, 0},
		{`"refresh": "24h"`, 20 * time.Hour, false, 4 * time.Hour}, {`"refresh": "24h"`, 24 * time.Hour, true, 0},
		{`"refresh": "1w"`, 0, true, 0}, {`"refresh": "90m"`, time.Hour, false, 30 * time.Minute},
		{`"refresh": "24h"`, -365 * 24 * time.Hour, true, 0}, // by a clock that was ahead
	} {
		at := now.Add(-test.age)
		if test.age == 0 {
			at = time.Time{}
		}
		if due, good := parse(test.refresh).Due(at, now); due != test.due || good != test.good {
			t.Errorf("%s after %s: due %v, good for %s", test.refresh, test.age, due, good)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, test := range []struct {
		window, at string
		in         bool
	}{
		{"02:00-06:00", "02:00", true}, {"02:00-06:00", "06:00", false}, {"02:00-06:00", "01:59", false},
		{"22:00-06:00", "23:00", true}, {"22:00-06:00", "05:59", true}, {"22:00-06:00", "12:00", false}, {"00:00-00:00", "12:00", true},
	} {
		w, err := ParseWindow(test.window)
		at, err2 := time.Parse("15:04", test.at)
		if err != nil || err2 != nil || w.Has(at) != test.in || w.String() != test.window {
			t.Errorf("%+v: %v %v %v", test, w, err, err2)
		}
	}
}
