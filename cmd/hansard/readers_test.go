package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
)

// Two programs for testdata/script/readers.txtar, which runs them as processes
// of their own: one publishes again and again, the others search meanwhile.

// publish appends as many turns as it is told, and indexes after each.
func publish() {
	n, _ := strconv.Atoi(os.Args[1])
	path := filepath.Join(os.Getenv("P"), "-home-u-x", sessionID("aaaa1111")+".jsonl")
	ok := os.MkdirAll(filepath.Dir(path), 0o700) == nil
	for i := 0; ok && i < n; i++ {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			break
		}
		at := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
		fmt.Fprintf(f, `{"type":"user","uuid":"%08d-q","sessionId":"s","timestamp":%q,"cwd":"/x","message":{"role":"user","content":"gopher %d asked"}}`+"\n", i, at, i)
		fmt.Fprintf(f, `{"type":"assistant","uuid":"%08d-a","parentUuid":"%08d-q","sessionId":"s","timestamp":%q,"cwd":"/x","message":{"id":"m%d",`+
			`"role":"assistant","model":"m","content":[{"type":"text","text":"gopher %d answered"}]}}`+"\n", i, i, at, i, i)
		f.Close()
		w := process()
		w.out = io.Discard
		ok = run(context.Background(), w, []string{"index"}) == exitFound
	}
	if !ok {
		os.Exit(1)
	}
}

// read searches until the file that it is told is there, and complains about
// any error, any answer that is not whole, and any turn that is lost again.
func read() {
	seen, asked := 0, 0
	for {
		_, err := os.Stat(os.Args[1])
		total, problem := readOnce()
		switch {
		case problem == "" && total < seen:
			problem = fmt.Sprintf("%d turns after %d", total, seen)
		case problem == "" && err == nil: // one more search after the last publish
			fmt.Printf("%d turns after %d searches\n", total, asked)
			return
		}
		if problem != "" {
			fmt.Println(problem)
			os.Exit(1)
		}
		seen, asked = total, asked+1
	}
}

func readOnce() (total int, problem string) {
	var out, errs bytes.Buffer
	w := process()
	w.out, w.err = &out, &errs
	code := run(context.Background(), w, []string{"search", "gopher", "--no-refresh", "--json", "--group", "turn", "--limit", "20"})
	if code == exitNone {
		return 0, "" // nothing published yet
	}
	var a corpus.Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil || code != exitFound || errs.Len() > 0 {
		return 0, fmt.Sprintf("exit %d, %v: %s%s", code, err, out.String(), errs.String())
	}
	for _, h := range a.Results {
		if strings.TrimSuffix(h.Prompt, "asked") != strings.TrimSuffix(h.Summary, "answered") {
			return 0, fmt.Sprintf("torn: %q and %q", h.Prompt, h.Summary)
		}
	}
	if len(a.Results) != min(20, a.Total) || len(a.Scope.Damaged) > 0 {
		return 0, fmt.Sprintf("%d rows of %d, damaged %v", len(a.Results), a.Total, a.Scope.Damaged)
	}
	return a.Total, ""
}
