package corpus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRegexpIsNotNarrowedTooFar: what an expression finds is what it matches,
// however its letters are written, divided and hashed as terms.
func TestRegexpIsNotNarrowedTooFar(t *testing.T) {
	pieces := []string{
		"deploy", "Failed", "dry-run", "RESTAURANT_SIGNALS", "parseHTTPRequest", "v1.2.3", "python3.12", "it's", "users'", "the", "of",
		"stra\u00dfe", "\u017fit", "\u212aelvin", "na\u00efve", "cafe\u0301", "soft\u00adware", "\u5317\u4eac", "\u30c7\u30fc\u30bf", "\uff21\uff22\uff23", strings.Repeat("aB3dE", 30), "c++", "x.y.z", "running", "libraries",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var texts []string
		for range rapid.IntRange(1, 6).Draw(rt, "turns") {
			var text strings.Builder
			for range rapid.IntRange(1, 8).Draw(rt, "pieces") {
				text.WriteString(rapid.SampledFrom(pieces).Draw(rt, "piece"))
				text.WriteString(rapid.SampledFrom([]string{" ", " ", "", "-", "/", ". "}).Draw(rt, "between"))
			}
			texts = append(texts, strings.TrimSpace(text.String()))
		}
		part := func() string {
			runes := []rune(rapid.SampledFrom(texts).Draw(rt, "text"))
			from := rapid.IntRange(0, len(runes)-1).Draw(rt, "from")
			to := rapid.IntRange(from+1, min(from+12, len(runes))).Draw(rt, "to")
			return regexp.QuoteMeta(string(runes[from:to]))
		}
		expr := part()
		switch rapid.IntRange(0, 5).Draw(rt, "kind") {
		case 1:
			expr = "(?i)" + strings.ToUpper(expr)
		case 2:
			expr = "(" + expr + "|" + part() + ")+"
		case 3:
			expr += ".*" + part()
		case 4:
			expr = "(?:" + expr + "){0,2}" + part()
		case 5:
			expr = "(?:" + expr + "|x?)" + part()
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			rt.Skip(err)
		}
		b := newBench(t)
		var want []string
		for i, text := range texts {
			id := fmt.Sprintf("t%d", i)
			b.src.AppendRecords("s", pair(id, text, "Yes.", i))
			if re.MatchString(text) || re.MatchString("Yes.") {
				want = append(want, id)
			}
		}
		b.sync()
		got := strings.Fields(found(ask1(t, b.open(), Query{Text: expr, Regexp: true, Group: ByTurn, Limit: -1})))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Errorf("%q of %q: %v, want %v", expr, texts, got, want)
		}
	})
}
