package main

import (
	"encoding/json"
	"fmt"
	"time"
)

// The sizes of real-shaped turns, as real transcripts have them on average.
const (
	steps      = 18   // calls a turn
	resultSize = 2700 // bytes of a tool's output, which stands on the line twice
	noteSize   = 1500 // bytes of a line of progress
	thinkSize  = 900  // bytes of a thought's signature
)

// A writer writes transcripts. Words are plain ASCII and noise is escaped
// beforehand, so that lines are put together without an encoder.
type writer struct {
	*words
	pairs *json.Encoder
	real  bool
	noise []byte // escaped tool output
	text  int64

	buf         []byte
	start       time.Time
	clock       time.Time
	cwd         string
	sid, parent string // of the transcript being written
	prompt      []byte
	answer      []byte
}

// noise invents tool output, as it stands between the quotes of a JSON string.
func noise(w *words) []byte {
	var b []byte
	for len(b) < 8<<20 {
		b = append(b, `   `...)
		b = fmt.Appendf(b, `%d\t`, w.r.IntN(2000))
		b = w.text(b, 8+w.r.IntN(16)) // a backslash in 40 bytes, as real output has
		b = append(b, [...]string{`\n`, ` = \"x/y.go\";\n`, `(\"a\", 1) {\n\t\t`, `\r\n`, ` \\d+ \n`, `\n\n`}[w.r.IntN(6)]...)
	}
	return b
}

// some appends about n bytes of noise, cut where no escape is cut.
func (w *writer) some(n int) {
	n = n/2 + w.r.IntN(n)
	at := w.r.IntN(len(w.noise) - 2*n - 1000)
	for w.noise[at-min(at, 1)] != 'n' || w.noise[at] != ' ' {
		at++
	}
	end := at + n
	for w.noise[end-1] != 'n' || w.noise[end] != ' ' || w.noise[end-2] != '\\' {
		end++
	}
	w.buf = append(w.buf, w.noise[at:end]...)
}

func (w *writer) add(format string, args ...any) { w.buf = fmt.Appendf(w.buf, format, args...) }

func (w *writer) uuid() string {
	a, b := w.r.Uint64(), w.r.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
}

func (w *writer) tick() string {
	w.clock = w.clock.Add(time.Duration(500+w.r.IntN(9000)) * time.Millisecond)
	return w.clock.Format("2006-01-02T15:04:05.000Z")
}

// pair draws a prompt and an answer and notes them under the id.
func (w *writer) pair(id string) error {
	w.prompt = w.words.text(w.prompt[:0], w.length(25))
	w.answer = w.words.text(w.answer[:0], w.length(150))
	w.text += int64(len(w.prompt) + len(w.answer))
	return w.pairs.Encode(pair{id, string(w.prompt), string(w.answer)})
}

// open begins a line of Claude Code's that is a link of the chain.
func (w *writer) open(typ string) (id string) {
	id = w.uuid()
	parent := "null"
	if w.parent != "" {
		parent = `"` + w.parent + `"`
	}
	w.add(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"%s","sessionId":"%s","version":"2.1.62","gitBranch":"main","type":"%s",`, parent, w.cwd, w.sid, typ)
	w.parent = id
	return id
}

func (w *writer) shut(id string) { w.add(`,"uuid":"%s","timestamp":"%s"}`+"\n", id, w.tick()) }

// claudeTurn writes a turn as Claude Code does.
func (w *writer) claudeTurn() error {
	id := w.open("user")
	if err := w.pair(id); err != nil {
		return err
	}
	w.add(`"message":{"role":"user","content":"%s"}`, w.prompt)
	w.shut(id)
	if w.real {
		w.add(`{"type":"file-history-snapshot","messageId":"%s","snapshot":{"messageId":"%s","trackedFileBackups":{},"timestamp":"%s"},"isSnapshotUpdate":false}`+"\n", id, id, w.tick())
		for range steps/2 + w.r.IntN(steps) {
			w.claudeStep()
		}
	}
	id = w.reply()
	w.add(`{"type":"text","text":"%s"}`, w.answer)
	w.replied(id, "end_turn")
	return nil
}

// reply begins a line of an API message, replied ends it.
func (w *writer) reply() string {
	id := w.open("assistant")
	w.add(`"message":{"model":"claude-opus-4-6","id":"msg_%s","type":"message","role":"assistant","content":[`, id[:24])
	return id
}

func (w *writer) replied(id, stop string) {
	w.add(`],"stop_reason":"%s","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":22248,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":11377},"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%s"`,
		stop, w.r.IntN(20000), w.r.IntN(900), id[:20])
	w.shut(id)
}

// claudeStep writes a thought, a call, what it reports meanwhile, and its result.
func (w *writer) claudeStep() {
	id := w.reply()
	w.add(`{"type":"thinking","thinking":"`)
	w.some(thinkSize)
	w.add(`","signature":"%s"}`, id)
	w.replied(id, "tool_use")
	call := w.uuid()
	id = w.reply()
	w.add(`{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{"command":"go test ./%s/...","description":"%s"}}`, call, w.list[w.rank()], w.list[w.rank()])
	w.replied(id, "tool_use")
	id = w.open("progress")
	w.add(`"data":{"type":"bash_progress","output":"`)
	w.some(noteSize)
	w.add(`","elapsedTimeSeconds":2,"totalLines":40},"toolUseID":"bash-progress-0","parentToolUseID":"toolu_%s"`, call)
	w.shut(id)
	id = w.open("user")
	w.add(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%s","type":"tool_result","content":"`, call)
	at := len(w.buf)
	w.some(resultSize)
	output := w.buf[at:len(w.buf):len(w.buf)]
	w.add(`","is_error":false}]},"toolUseResult":{"stdout":"`)
	w.buf = append(w.buf, output...)
	w.add(`","stderr":"","interrupted":false,"isImage":false}`)
	w.shut(id)
}

// piHead writes the first line of a pi session.
func (w *writer) piHead(id string) {
	w.add(`{"type":"session","version":3,"id":"%s","timestamp":"%s","cwd":"%s"}`+"\n", id, w.tick(), w.cwd)
}

// entry begins a line of pi's, said ends it.
func (w *writer) entry(role string) {
	id := w.uuid()[:8]
	parent := "null"
	if w.parent != "" {
		parent = `"` + w.parent + `"`
	}
	w.add(`{"type":"message","id":"%s","parentId":%s,"timestamp":"%s","message":{"role":"%s","content":[`, id, parent, w.tick(), role)
	w.parent = id
}

func (w *writer) said(format string, args ...any) {
	w.add("]"+format, args...)
	w.add(`,"timestamp":%d}}`+"\n", w.clock.UnixMilli())
}

const piUsage = `,"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":{"input":2775,"output":%d,"cacheRead":0,"cacheWrite":0,"totalTokens":2916,"cost":{"input":0.01,"output":0.003,"total":0.013}},"stopReason":"%s"`

// piTurn writes a turn as pi does.
func (w *writer) piTurn() error {
	if err := w.pair("pi-" + w.uuid()); err != nil {
		return err
	}
	w.entry("user")
	w.add(`{"type":"text","text":"%s"}`, w.prompt)
	w.said("")
	if w.real {
		for range steps/2 + w.r.IntN(steps) {
			w.piStep()
		}
	}
	w.entry("assistant")
	w.add(`{"type":"text","text":"%s"}`, w.answer)
	w.said(piUsage, w.r.IntN(900), "stop")
	return nil
}

func (w *writer) piStep() {
	call := w.uuid()
	w.entry("assistant")
	w.add(`{"type":"thinking","thinking":"`)
	w.some(thinkSize)
	w.add(`"},{"type":"toolCall","id":"toolu_%s","name":"bash","arguments":{"command":"go vet ./%s"}}`, call, w.list[w.rank()])
	w.said(piUsage, w.r.IntN(900), "toolUse")
	w.entry("toolResult")
	w.add(`{"type":"text","text":"`)
	w.some(2 * resultSize)
	w.add(`"}`)
	w.said(`,"toolCallId":"toolu_%s","toolName":"bash","isError":false`, call)
}
