package stored

import (
	"github.com/hansard-search/hansard/corpus/internal/ownjson"
	"github.com/hansard-search/hansard/sources"
)

// What json.Marshal makes of turns and of messages, byte for byte, in a fifth of
// the time: every turn has both.

// AppendTurn appends the meta of a turn.
func AppendTurn(b []byte, m *Turn) []byte {
	b = appendText(b, `{"id":`, m.ID)
	b = appendText(b, `,"src":`, m.Source)
	b = appendSome(b, `,"lane":`, m.Lane)
	b = appendSome(b, `,"proj":`, m.Project)
	b = appendSome(b, `,"cwd":`, m.Cwd)
	b = appendSome(b, `,"br":`, m.Branch)
	b = appendTexts(b, `,"mod":[`, m.Models)
	b = appendText(b, `,"st":`, m.State)
	for i, t := range m.Tools {
		b = appendText(append(b, listed(i, `,"tools":[`)...), `{"name":`, t.Name)
		b = append(ownjson.AppendNumber(b, `,"count":`, int64(t.Count)), '}')
	}
	b = ended(b, len(m.Tools))
	b = appendTexts(b, `,"paths":[`, m.Paths)
	b = appendTexts(b, `,"cmds":[`, m.Commands)
	if u := m.Usage; u != (sources.Usage{}) {
		b = ownjson.AppendNumber(b, `,"use":{"Input":`, u.Input)
		b = ownjson.AppendNumber(b, `,"Output":`, u.Output)
		b = ownjson.AppendNumber(b, `,"CacheRead":`, u.CacheRead)
		b = append(ownjson.AppendNumber(b, `,"CacheWrite":`, u.CacheWrite), '}')
	}
	b = appendPlaces(b, m.Places)
	b = appendSome(b, `,"p":`, m.Prompt)
	b = appendSome(b, `,"a":`, m.Answer)
	b = appendTrue(b, `,"part":true`, m.Partial)
	b = appendTrue(b, `,"aband":true`, m.Abandoned)
	b = appendTrue(b, `,"gen":true`, m.Generated)
	return append(b, '}')
}

func appendPlaces(b []byte, places []Place) []byte {
	if places == nil {
		return append(b, `,"at":null`...)
	}
	b = append(b, `,"at":[`...)
	for i, p := range places {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, `{"s":`, p.Session)
		b = appendText(b, `,"p":`, p.Path)
		b = ownjson.AppendNumber(b, `,"b":`, p.Began)
		if p.First != 0 {
			b = ownjson.AppendNumber(b, `,"f":`, int64(p.First))
		}
		if p.Messages != 0 {
			b = ownjson.AppendNumber(b, `,"n":`, int64(p.Messages))
		}
		b = append(appendTrue(b, `,"c":true`, p.Complete), '}')
	}
	return append(b, ']')
}

// AppendMessages appends what KeptMessages made, as it is kept.
func AppendMessages(b []byte, ms []Message) []byte {
	b = append(b, '[')
	for i, m := range ms {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, `{"r":`, m.Role)
		if m.Time != 0 {
			b = ownjson.AppendNumber(b, `,"t":`, m.Time)
		}
		b = appendSome(b, `,"n":`, m.Tool)
		b = appendSome(b, `,"x":`, m.Text)
		b = append(appendSome(b, `,"s":`, m.Same), '}')
	}
	return append(b, ']')
}

func appendText[T ~string](b []byte, field string, s T) []byte {
	return ownjson.AppendText(append(b, field...), s)
}

// appendSome leaves out what is empty.
func appendSome[T ~string](b []byte, field string, s T) []byte {
	if s == "" {
		return b
	}
	return appendText(b, field, s)
}

func appendTrue(b []byte, field string, on bool) []byte {
	if !on {
		return b
	}
	return append(b, field...)
}

func appendTexts(b []byte, field string, list []string) []byte {
	for i, s := range list {
		b = ownjson.AppendText(append(b, listed(i, field)...), s)
	}
	return ended(b, len(list))
}

// listed is what stands before the i-th of a list.
func listed(i int, begin string) string {
	if i == 0 {
		return begin
	}
	return ","
}

// ended ends a list of n, unless there is none.
func ended(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	return append(b, ']')
}
