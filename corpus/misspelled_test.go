package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWordsThatStandNowhere: a word is read as the nearest one that somebody used,
// as the two it is made of, and otherwise said to be unknown.
func TestWordsThatStandNowhere(t *testing.T) {
	c := searched(t, `
# apart
> where does the web server listen?
< Behind the hook of the proxy.
# together
> which web hook tells us of a push?
< The deployment does.
# other
> is the time zone right?
< The database keeps time, each zone its own.
`)
	for query, want := range map[string]string{
		"webhook":           "together/1 apart/1 map[webhook:web hook] []",
		"webhooks":          "together/1 apart/1 map[webhooks:web hooks] []",
		"+webhook the":      "together/1 apart/1 map[webhook:web hook] []",
		"deploymint":        "together/1 map[deploymint:deployment] []",
		"timezone databose": "other/1 map[databose:database timezone:time zone] []",
		"thehook":           " map[] [thehook]", // a function word is no half
		"日本語":               " map[] [日本語]", "web 日本": "apart/1 together/1 map[] [日本]", "no/zebra.go": " map[] [no/zebra.go]", "web/zebra": "apart/1 together/1 map[] [zebra]",
		"usof":                       " map[] [usof]",                  // too short
		"(zebra, no/zebra.go)? 日本語!": " map[] [zebra no/zebra.go 日本語]", // as words, not as they stand in a sentence
		`"webhook"`:                  " map[] [webhook]",               // its very word
		"webhook_id":                 "together/1 apart/1 map[webhook:web hook] [id]",
		"timehook":                   "other/1 together/1 apart/1 map[timehook:time hook] []",
	} {
		ans := ask1(t, c, Query{Text: query, Group: ByTurn})
		got := fmt.Sprintf("%s %v %v", found(ans), ans.Scope.Repaired, ans.Scope.UnknownWords)
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	a := ask1(t, c, Query{Text: "webhook server", Group: ByTurn})
	b := ask1(t, c, Query{Text: "web hook server", Group: ByTurn})
	if !slices.Equal(strings.Fields(found(a)), strings.Fields(found(b))) {
		t.Errorf("webhook finds %s, web hook %s", found(a), found(b))
	}
}

// TestSeveralNearWords: a misspelling is read as any of the words that are as near, in any
// of their forms; as a function word, if that is the most common.
func TestSeveralNearWords(t *testing.T) {
	c := searched(t, `
# lists
> sort the lists, and the list of lists
< One list was left.
# lights
> the lights at the door
< A light went out.
# theme
> a dark theme
< It follows the lamp.
`)
	for query, want := range map[string]string{
		"liht":            "lists/1 lights/1 map[liht:light or list] []",
		"liht door":       "lights/1 lists/1 map[liht:light or list] []",
		"lihgts":          "lights/1 map[lihgts:lights] []",
		"+liht door":      "lights/1 lists/1 map[liht:light or list] []",
		"+liht +door":     "lights/1 map[liht:light or list] []",
		"-liht dark door": "theme/1 lights/1 map[] []",
		"thme lamp":       "theme/1 map[thme:the] []",
		"thme":            "lights/1 lists/1 theme/1 map[thme:the] []",
		"tehme":           "theme/1 map[tehme:theme] []",
	} {
		ans := ask1(t, c, Query{Text: query, Group: ByTurn})
		got := fmt.Sprintf("%s %v %v", found(ans), ans.Scope.Repaired, ans.Scope.UnknownWords)
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestPastedWordsThatStandNowhere: of very many words that stand nowhere only the first
// few are looked for as misspellings.
func TestPastedWordsThatStandNowhere(t *testing.T) {
	c := searched(t, `
# pond
> who wrote the song of the pond?
< The frogs, in four seasons.
`)
	nowhere := make([]string, 19)
	for i := range nowhere {
		nowhere[i] = strings.Repeat(string(rune('a'+i)), 7)
	}
	pasted := strings.Join(nowhere, " ")
	for query, want := range map[string]string{
		"saesons " + pasted:          "pond/1 map[saesons:seasons]",
		pasted + " saesons":          "pond/1 map[saesons:seasons]",
		pasted + " zzzzzzz saesons":  " map[]",
		pasted + " zzzzzzz seasons":  "pond/1 map[]",
		pasted + " zzzzzzz saesons~": "pond/1 map[]", // asked for
	} {
		ans := ask1(t, c, Query{Text: query, Group: ByTurn})
		if got := fmt.Sprintf("%s %v", found(ans), ans.Scope.Repaired); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestQuotationsThatStandNowhere: what is quoted in a question and stands nowhere is
// read as words; one that has to match, and one alone, is not.
func TestQuotationsThatStandNowhere(t *testing.T) {
	c := searched(t, `
# pond
> who wrote the song of the pond?
< The frogs, in four seasons.
# roses
> a song for roses
< The four of them sang.
`)
	for query, want := range map[string]string{
		`song "the four seasons"`:           `pond/1 roses/1 map["the four seasons":the four seasons] []`,
		`song "four seasons"`:               "pond/1 map[] []",
		`song "four frogs" -roses`:          `pond/1 map["four frogs":four frogs] []`,
		`song "seasons four" "them sang"`:   `roses/1 pond/1 map["seasons four":seasons four "them sang":them sang] []`,
		`zebra "ant bees"`:                  ` map["ant bees":ant bees] [zebra ant bees]`,
		`song +"seasons four"`:              " map[] []",
		`"seasons four"`:                    " map[] []",
		`"seasons four" "them sang"`:        " map[] []",
		`+song "seasons four"`:              " map[] []",
		`song "four frogs" project:/pond`:   ` map["four frogs":four frogs] []`,
		`song "four seasons" session:roses`: " map[] []",
	} {
		ans := ask1(t, c, Query{Text: query, Group: ByTurn})
		got := fmt.Sprintf("%s %v %v", found(ans), ans.Scope.Repaired, ans.Scope.UnknownWords)
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	ans := ask1(t, c, Query{Text: `song "four seasons" session:roses`})
	if ans.Scope.RemovedByFilters != 1 {
		t.Errorf("%d removed by filters", ans.Scope.RemovedByFilters)
	}
}
