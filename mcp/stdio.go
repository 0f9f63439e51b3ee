package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdio is the protocol on a pair of streams, a message a line. A line that is
// no message is answered as such and costs nothing else; and what was asked is
// answered although the questions have ended, as when they come from a pipe.
type stdio struct {
	in  io.ReadCloser
	out io.Writer
}

func (s *stdio) Connect(ctx context.Context) (sdk.Connection, error) {
	out := &shared{out: s.out}
	in := &messages{ReadCloser: s.in, lines: bufio.NewReader(s.in), out: out}
	c, err := (&sdk.IOTransport{Reader: in, Writer: out}).Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patient{Connection: c, open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

// shared is a stream for whole lines of several writers, which belongs to the
// caller and is not closed.
type shared struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *shared) Close() error { return nil }

// messages is a stream of which only the lines that are messages are read.
type messages struct {
	io.ReadCloser
	lines *bufio.Reader
	out   io.Writer
	rest  []byte // of the line that is being read
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if wrong := check(line); wrong == nil {
				m.rest = append(line, '\n')
			} else if err := m.refuse(wrong); err != nil {
				return 0, err
			}
		} else if err != nil {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line is the next line, or so much of it as a message may have.
func (m *messages) line() (line []byte, err error) {
	for {
		part, err := m.lines.ReadSlice('\n')
		line = append(line, part[:min(len(part), sdk.DefaultMaxLineLength-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// check says what is wrong with a line that is no message, nor a list of some.
func check(line []byte) *jsonrpc.Error {
	if !json.Valid(line) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "not JSON: a message is one line"}
	}
	var list []json.RawMessage
	if json.Unmarshal(line, &list) != nil {
		list = append(list, line)
	}
	for _, one := range list {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "not a message of JSON-RPC: " + err.Error()}
		}
	}
	if len(list) == 0 {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a list of no messages"}
	}
	return nil
}

func (m *messages) refuse(wrong *jsonrpc.Error) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": wrong})
	if err != nil {
		return err
	}
	_, err = m.out.Write(append(answer, '\n'))
	return err
}

// patient is a connection that does not end before what was asked is answered.
type patient struct {
	sdk.Connection
	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // asked and not answered
	answered chan struct{}
	closed   chan struct{}
	once     sync.Once
}

// lingering is how long answers are waited for when nobody can ask any more.
const lingering = 30 * time.Second

func (c *patient) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if q, ok := m.(*jsonrpc.Request); ok && q.IsCall() {
		c.mu.Lock()
		c.open[q.ID] = true
		c.mu.Unlock()
	}
	if errors.Is(err, io.EOF) {
		c.linger(ctx)
	}
	return m, err
}

func (c *patient) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if a, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, a.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default: // it is known already
		}
	}
	return err
}

func (c *patient) linger(ctx context.Context) {
	end := time.NewTimer(lingering)
	defer end.Stop()
	for c.waiting() {
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		case <-end.C:
			return
		}
	}
}

func (c *patient) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open) > 0
}

func (c *patient) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
