package redact

import (
	"strings"
	"sync"
)

// A prefix is a kind of secret that says what it is: a fixed beginning and
// then characters of a class.
type prefix struct {
	kind  string
	begin string // exactly so
	rest  *class
	least int  // bytes after begin
	most  int  // the same; 0 = any. A longer run is no match
	loose bool // begin is so rare that it may stand right after a letter (a colour code's m, say)
	lot   bool // what follows must look random, as words begin so too
}

// known is prefixes, made at first use and never changed.
var known = sync.OnceValue(prefixes)

// prefixes lists the shapes that issuers publish.
func prefixes() []prefix {
	list := []prefix{
		{kind: "github-token", begin: "github_pat_", rest: word, least: 22, loose: true},
		{kind: "npm-token", begin: "npm_", rest: alnum, least: 36, most: 36},
		{kind: "pypi-token", begin: "pypi-", rest: urlSafe, least: 50},
		{kind: "google-key", begin: "AIza", rest: urlSafe, least: 35, most: 40},
		{kind: "google-key", begin: "GOCSPX-", rest: urlSafe, least: 20, loose: true},
		{kind: "google-token", begin: "ya29.", rest: urlSafe, least: 30},
		{kind: "api-key", begin: "sk-ant-", rest: urlSafe, least: 16, loose: true},
		{kind: "api-key", begin: "sk-proj-", rest: urlSafe, least: 16, loose: true},
		{kind: "api-key", begin: "sk-or-v1-", rest: urlSafe, least: 16, loose: true},
		{kind: "api-key", begin: "sk-", rest: urlSafe, least: 20, lot: true},
		{kind: "api-key", begin: "hf_", rest: alnum, least: 30},
		{kind: "api-key", begin: "gsk_", rest: alnum, least: 40},
		{kind: "api-key", begin: "xai-", rest: alnum, least: 40},
		{kind: "slack-token", begin: "xapp-", rest: urlSafe, least: 20, lot: true},
		{kind: "stripe-key", begin: "whsec_", rest: base64Set, least: 24},
		{kind: "sendgrid-key", begin: "SG.", rest: dotted, least: 40, lot: true},
		{kind: "shopify-token", begin: "shpat_", rest: alnum, least: 32},
		{kind: "digitalocean-token", begin: "dop_v1_", rest: alnum, least: 40},
		{kind: "age-key", begin: "AGE-SECRET-KEY-1", rest: upperNum, least: 40, loose: true},
		{kind: "vault-token", begin: "hvs.", rest: urlSafe, least: 24},
		{kind: "linear-key", begin: "lin_api_", rest: alnum, least: 30},
	}
	for _, b := range []string{"ghp_", "gho_", "ghs_", "ghu_", "ghr_"} {
		list = append(list, prefix{kind: "github-token", begin: b, rest: alnum, least: 30, loose: true})
	}
	for _, b := range []string{"glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"} {
		list = append(list, prefix{kind: "gitlab-token", begin: b, rest: dotted, least: 20, loose: true})
	}
	for _, b := range []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-"} {
		list = append(list, prefix{kind: "slack-token", begin: b, rest: urlSafe, least: 10, loose: true})
	}
	for _, b := range []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"} {
		list = append(list, prefix{kind: "stripe-key", begin: b, rest: alnum, least: 16, loose: true})
	}
	for _, b := range []string{"AKIA", "ASIA", "ABIA", "ACCA"} {
		list = append(list, prefix{kind: "aws-key", begin: b, rest: upperNum, least: 16, most: 16})
	}
	return list
}

func (p prefix) triggers() []string {
	if len(p.begin) < 4 {
		return wordAfter(p.begin)
	}
	return []string{p.begin}
}

func (p prefix) find(s string, at, _ int) (match, bool) {
	if !strings.HasPrefix(s[at:], p.begin) || !p.loose && !startsWord(s, at) {
		return match{}, false
	}
	body := at + len(p.begin)
	end := p.rest.run(s, body)
	n := end - body
	if n < p.least || p.most > 0 && n > p.most || end < len(s) && p.rest == upperNum && word.has(s[end]) {
		return match{}, false
	}
	if v := s[body:end]; p.lot && !random(v, p.least) || allSame(v) || strings.Contains(strings.ToLower(v), "xxxx") {
		return match{}, false
	}
	return match{at, end, p.kind}, true
}

// allSame tells AKIA0000000000000000 and the like, which stand for a key.
func allSame(v string) bool { return strings.Count(v, v[:1]) == len(v) }

// issuer returns the kind of the prefix at the beginning of a value that some
// other rule found, or otherwise.
func issuer(v, otherwise string) string {
	for _, p := range known() {
		if m, ok := p.find(v, 0, 0); ok {
			return m.kind
		}
	}
	return otherwise
}
