package jsonl

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkNext reads lines as transcripts have them: long strings with escapes,
// many short members, and plain text.
func BenchmarkNext(b *testing.B) {
	lines := map[string]string{
		"output":  `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"` + strings.Repeat(`   12\tfunc (r *Reader) Next() (Line, error) {\n\t\treturn \"x\", nil // and on\n`, 80) + `"}]}}`,
		"members": `{"parentUuid":null,"isSidechain":false,"cwd":"/home/dev/p","usage":{"input_tokens":3,"cache":{"ephemeral_5m_input_tokens":0,"b":11377},"output_tokens":2},"list":[1,2,{"a":"b"},true],"version":"2.1.62"}`,
		"text":    `{"type":"assistant","text":"` + strings.Repeat("plain words of an answer, one after the other ", 100) + `"}`,
	}
	for name, line := range lines {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			var p Parser
			data := []byte(line)
			for b.Loop() {
				if _, _, _, err := p.Next(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLines reads a file of lines of 600 bytes to 6 KB, which have a dozen members.
func BenchmarkLines(b *testing.B) {
	var text bytes.Buffer
	for i := range 1000 {
		fmt.Fprintf(&text, `{"parentUuid":"x%d","isSidechain":false,"userType":"external","cwd":"/home/dev/p","sessionId":"20075073-b47b-42a9-a037-6fd2312fa495",`+
			`"version":"2.1.62","gitBranch":"main","type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"%s"}]},"timestamp":"2026"}`+"\n",
			i, strings.Repeat(`   12\tfunc (r *Reader) Next() (Line, error) {\n`, 4+i*31%100))
	}
	for name, next := range map[string]func(p *Parser, r *Reader) (Line, error){
		"apart":    func(_ *Parser, r *Reader) (Line, error) { return r.Next() },
		"together": (*Parser).Line,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				r := NewReader(bytes.NewReader(text.Bytes()), 0, 0)
				var p Parser
				for l, err := next(&p, r); err == nil; l, err = next(&p, r) {
					if _, _, _, err := p.Next(l.Bytes); err != nil {
						b.Fatal(err)
					}
				}
				r.Close()
			}
		})
	}
}

// BenchmarkString decodes tool output, whole and its ends.
func BenchmarkString(b *testing.B) {
	v := Value(`"` + strings.Repeat(`   12\tfunc (r *Reader) Next() (Line, error) {\n\t\treturn \"x\", nil // and on\n`, 200) + `"`)
	b.Run("whole", func(b *testing.B) {
		b.SetBytes(int64(len(v)))
		for b.Loop() {
			_ = v.String()
		}
	})
	b.Run("ends", func(b *testing.B) {
		b.SetBytes(int64(len(v)))
		for b.Loop() {
			_ = v.Ends(1024)
		}
	})
}
