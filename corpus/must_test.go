package corpus

import (
	"slices"
	"strings"
	"testing"
)

// TestDemandsOfNumberedNames: sha256 is not any sha where it has to be there, must
// not be there, or is quoted.
func TestDemandsOfNumberedNames(t *testing.T) {
	c := searched(t, `
# hashes
@ 2026-10-01
> which sum is it, sha1?
< A sha1 sum of the file.
@ 2026-10-02
> and the other sum
< The sha256 sum, as sha256sum-tool prints it.
`)
	for query, want := range map[string]string{
		"sum": "hashes/1 hashes/2", "sum +sha256": "hashes/2", "sum -sha256": "hashes/1", "sum -sha1": "hashes/2",
		`"sha256 sum"`: "hashes/2", `"sha1 sum"`: "hashes/1", "sha256": "hashes/1 hashes/2",
	} {
		got := strings.Fields(found(ask1(t, c, Query{Text: query, Group: ByTurn})))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestDemandsOfCompounds: what is typed as one has to stand as one, however it is
// written; its pieces elsewhere in the text are not it.
func TestDemandsOfCompounds(t *testing.T) {
	c := searched(t, `
# spread
> run it once more, dry this time
< The server spoke http, and then I must go. The app is not in src.
# hyphen
> is there a dry-run?
< See http_server.go in src/app, 部署失败.
# blank
> dry runs are cheap
< The http server, go, is below src, app.
# one
> dryRun is set
< It is in httpServer.go of the src/app folder, 失败.
`)
	for query, want := range map[string]string{
		"+dry-run": "blank/1 hyphen/1 one/1", "the -dry-run": "spread/1", `+"dry-run"`: "hyphen/1 one/1",
		"+http_server.go": "blank/1 hyphen/1 one/1", "+src/app": "blank/1 hyphen/1 one/1",
		"the -http_server": "spread/1", "+部署失败": "hyphen/1", "dry -src/app": "spread/1", "+http-sevrer": "blank/1 hyphen/1 one/1 spread/1",
	} {
		got := strings.Fields(found(ask1(t, c, Query{Text: query, Group: ByTurn})))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestSearchByHash: a commit is found by more and by fewer digits of its hash than
// the text has, an id before it, and what is spelled so before all.
func TestSearchByHash(t *testing.T) {
	b := newBench(t)
	const full = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432"
	b.src.AppendRecords("s1", pair("t1", "which commit broke it", "It was "+full+".", 1))
	b.src.AppendRecords("s2", pair("t2", "and the fix?", "Pushed as cb310a1c, see above.", 2))
	b.src.AppendRecords("s3", pair("cb310a1d-an-id", "cb310a1d77?", "No.", 3), pair("t4", "20260101", "A number.", 4))
	b.sync()
	c := b.open()
	for query, want := range map[string]string{
		"9f8e7d6": "t1", "9f8e7d6c5": "t1", full: "t1", "fix 9f8e7d6": "t1 t2", "9f8e7d6c5b4b": "", "9f8e7d": "",
		"cb310a1c5b4a39281706f5e4d3c2b1a098765432": "t2", "cb310a1c": "t2", `"cb310a1c5"`: "", "cb310a1d": "cb310a1d-an-id", "cb310a1d7": "cb310a1d-an-id",
		"cb310a1-4000-8000": "", "9f8e7d6c5b4a-xyz": "",
		"2026010": "", "202601011": "",
	} {
		ans := ask1(t, c, Query{Text: query, Group: ByTurn})
		got := strings.Fields(found(ans))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q (%v)", query, got, want, ans.Scope.Repaired)
		}
	}
}
