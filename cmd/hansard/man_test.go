package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestManual: the page knows every command and flag, and a formatter of such
// pages, where there is one, has nothing to say against it.
func TestManual(t *testing.T) {
	code, page, err := ask(t, "man")
	if code != exitFound || err != "" {
		t.Fatal(code, err)
	}
	for _, c := range (&program{}).app().VisibleCommands() {
		_, section, ok := strings.Cut(page, `.SS "hansard `+c.Name)
		if section, _, _ = strings.Cut(section, "\n.SS "); !ok {
			t.Errorf("no %s", c.Name)
		}
		for _, f := range c.VisibleFlags() {
			if !strings.Contains(section, `\fB\-\-`+strings.ReplaceAll(f.Names()[0], "-", `\-`)) {
				t.Errorf("%s: no --%s", c.Name, f.Names()[0])
			}
		}
	}
	for l := range strings.Lines(page) {
		if strings.HasPrefix(l, "'") || strings.HasPrefix(l, ".") && len(strings.Fields(l)[0]) > 3 {
			t.Errorf("a line that is taken for a request: %q", l)
		}
	}
	for _, check := range [][]string{{"mandoc", "-T", "lint", "-W", "error"}, {"groff", "-man", "-Tutf8", "-ww", "-z"}} {
		if _, missing := exec.LookPath(check[0]); missing != nil {
			continue
		}
		cmd := exec.Command(check[0], check[1:]...)
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", check[0], err, out)
		}
	}
}
