package query

import (
	"regexp/syntax"
	"strings"
	"testing"
)

func TestNeedOf(t *testing.T) {
	for expr, want := range map[string]string{
		"deploy": "deploy", "(?i)Deploy": "deploy", `deploy\w+ failed`: "deploy failed", "ab": "", ".*": "", "a|b": "",
		"deploy|rollout": "(deploy | rollout)", "deploy|x": "", "(deploy)+(x|yes)": "deploy", "(?:deploy){0,2}": "", "(?:deploy){2}": "deploy",
		`config\.ts`: "config", "na\u00efve-retry": "retry", "[Dd]eploy": "eploy", "deploy(s|ed)? rollout": "deploy rollout",
	} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := spell(needOf(re)); got != want {
			t.Errorf("%s needs %q, want %q", expr, got, want)
		}
	}
}

func spell(n need) string {
	if n.run != "" {
		return n.run
	}
	var parts []string
	for _, one := range n.list {
		parts = append(parts, spell(one))
	}
	if n.any {
		return "(" + strings.Join(parts, " | ") + ")"
	}
	return strings.Join(parts, " ")
}
