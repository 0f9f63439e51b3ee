package mcp

import (
	"context"
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus"
)

func search(ctx context.Context, s *Server, v values) (*answer, error) {
	f, err := s.filter(v)
	if err != nil {
		return nil, err
	}
	limit, err := v.limit(usualHits, maxHits)
	if err != nil {
		return nil, err
	}
	r, now, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := r.Corpus.Search(ctx, corpus.Query{
		Text: v.text("query"), Filter: f, Group: corpus.Group(v.text("group")), Limit: limit, Window: true,
		Before: v.number("context_before", usualAround), After: v.number("context_after", usualAround), Now: now,
	})
	if err != nil {
		return nil, err
	}
	a.Scope.Refresh = r.Refresh
	return &answer{s.sayAnswer(a, corpus.Group(v.text("group")) == corpus.ByTurn, r.Corpus.Params().Since), a}, nil
}

func listSessions(ctx context.Context, s *Server, v values) (*answer, error) {
	f, err := s.filter(v)
	if err != nil {
		return nil, err
	}
	limit, err := v.limit(usualSessions, maxSessions)
	if err != nil {
		return nil, err
	}
	r, _, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, err := r.Corpus.Sessions(ctx, f, v.number("offset", 0), limit)
	if err != nil {
		return nil, err
	}
	return &answer{s.sayList(list), list}, nil
}

// A messagePage is a page of messages that says where the next one begins.
type messagePage struct {
	*corpus.SessionPage
	NextOffset     int `json:"nextOffset,omitempty"`     // absent on the last page
	NextTextOffset int `json:"nextTextOffset,omitempty"` // where in the page's only message to go on; absent when none was cut
}

// pageBytes is how much text a page holds at most: about 8,000 tokens, a third of
// what clients let through. A message that is longer is read in parts.
const pageBytes = 32 << 10

func listMessages(ctx context.Context, s *Server, v values) (*answer, error) {
	limit, err := v.limit(usualMessages, maxMessages)
	if err != nil {
		return nil, err
	}
	r, _, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	id, offset, err := place(ctx, r.Corpus, v)
	if err != nil {
		return nil, err
	}
	p, err := r.Corpus.Session(ctx, id, offset, limit)
	if err != nil {
		return nil, err
	}
	page := messagePage{SessionPage: p}
	page.fit(v.number("text_offset", 0))
	return &answer{s.sayMessages(&page), page}, nil
}

// fit leaves out the first message's text before a byte, and keeps as many messages
// as a page has room for, of the first one a part if need be.
func (p *messagePage) fit(from int) {
	size := 0
	for i := range p.Messages {
		text := &p.Messages[i].Text
		if i == 0 {
			from = begins(*text, from)
			*text = (*text)[from:]
		}
		if size += len(*text); size <= pageBytes {
			continue
		}
		if i == 0 {
			end := begins(*text, pageBytes)
			p.NextTextOffset, *text, i = from+end, (*text)[:end], 1
		}
		p.Messages = p.Messages[:i]
		break
	}
	if next := p.Offset + len(p.Messages); len(p.Messages) > 0 && next < p.Total {
		p.NextOffset = next
	}
}

// begins is where the character begins that byte n of a text is of, at most its end.
func begins(text string, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// place finds the session of an id and where in it to begin: at a turn's first
// message where the id is a turn's.
func place(ctx context.Context, c *corpus.Corpus, v values) (session string, offset int, err error) {
	offset = v.number("offset", 0)
	session, turn, err := c.Resolve(ctx, strings.TrimSpace(v.text("id")))
	if _, given := v["offset"]; given || err != nil || turn == "" {
		return session, offset, err
	}
	t, err := c.Turn(ctx, turn)
	if err == nil && len(t.Messages) > 0 {
		offset = t.Messages[0].MsgIdx
	}
	return session, offset, err
}

func sessionMeta(ctx context.Context, s *Server, v values) (*answer, error) {
	r, _, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	id, _, err := place(ctx, r.Corpus, v)
	if err != nil {
		return nil, err
	}
	p, err := r.Corpus.Session(ctx, id, math.MaxInt32, 1) // a page behind the last message: no message is read
	if err != nil {
		return nil, err
	}
	return &answer{s.saySession(&p.Session), p.Session}, nil
}

func status(ctx context.Context, s *Server, v values) (*answer, error) {
	r, _, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	st, err := r.Corpus.Status(ctx)
	if err != nil {
		return nil, err
	}
	return &answer{s.sayStatus(st), st}, nil
}

// A memoryAnswer holds whole entries, which are small.
type memoryAnswer struct {
	Query       string               `json:"query"`
	ResultCount int                  `json:"resultCount"`
	Total       int                  `json:"total"`
	Results     []*corpus.TurnRecord `json:"results"`
	Scope       corpus.Scope         `json:"scope,omitzero"`
	Next        string               `json:"next,omitempty"` // what to do where there is nothing to search yet
}

// memoryPreset is the corpus of memory files.
const memoryPreset = "memory"

func searchMemory(ctx context.Context, s *Server, v values) (*answer, error) {
	m := &memoryAnswer{Query: v.text("query"), Results: []*corpus.TurnRecord{}}
	limit, err := v.limit(corpus.DefaultLimit, maxHits)
	if err != nil {
		return nil, err
	}
	r, now, err := s.open(ctx, memoryPreset)
	if errors.Is(err, corpus.ErrNoCorpus) {
		m.Next = "no memory corpus yet: run hansard index --preset memory. search_sessions searches what was said"
		m.Scope = corpus.Scope{Preset: memoryPreset}
		return &answer{m.Next, m}, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := r.Corpus.Search(ctx, corpus.Query{Text: m.Query, Group: corpus.ByTurn, Limit: limit, Now: now})
	if err != nil {
		return nil, err
	}
	a.Scope.Refresh = r.Refresh
	m.ResultCount, m.Total, m.Scope = a.ResultCount, a.Total, a.Scope
	for _, h := range a.Results {
		t, err := r.Corpus.Turn(ctx, h.TurnID)
		if err != nil {
			return nil, err
		}
		t.Messages = nil
		m.Results = append(m.Results, t)
	}
	return &answer{s.sayMemory(m, a), m}, nil
}
