package stored

import (
	"github.com/hansard-search/hansard/corpus/internal/ownjson"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// quickTurn reads what json.Marshal makes of a Turn: an answer opens ten of
// them, which would be a tenth of the time it takes. Of anything else ok is false,
// and encoding/json decides.
func quickTurn(b []byte) (m *Turn, ok bool) {
	r := ownjson.NewReader(string(b))
	m = new(Turn)
	text := func(field string) (s string) {
		if r.Try(field) {
			s = r.Text()
		}
		return s
	}
	r.Word(`{"id":`)
	m.ID = r.Text()
	r.Word(`,"src":`)
	m.Source = r.Text()
	m.Lane = sources.Lane(text(`,"lane":`))
	m.Project, m.Cwd, m.Branch = text(`,"proj":`), text(`,"cwd":`), text(`,"br":`)
	m.Models = quickTexts(r, `,"mod":[`)
	r.Word(`,"st":`)
	m.State = segment.State(r.Text())
	if r.Try(`,"tools":[`) {
		r.Each("]", func() { m.Tools = append(m.Tools, quickTool(r)) })
	}
	m.Paths, m.Commands = quickTexts(r, `,"paths":[`), quickTexts(r, `,"cmds":[`)
	if r.Try(`,"use":`) {
		m.Usage = quickUsage(r)
	}
	r.Word(`,"at":[`)
	r.Each("]", func() { m.Places = append(m.Places, quickPlace(r)) })
	m.Prompt, m.Answer = text(`,"p":`), text(`,"a":`)
	m.Partial, m.Abandoned, m.Generated = r.Try(`,"part":true`), r.Try(`,"aband":true`), r.Try(`,"gen":true`)
	r.Word("}")
	return m, r.Ended()
}

func quickTexts(r *ownjson.Reader, field string) (list []string) {
	if r.Try(field) {
		r.Each("]", func() { list = append(list, r.Text()) })
	}
	return list
}

func quickTool(r *ownjson.Reader) (t segment.ToolCount) {
	r.Word(`{"name":`)
	t.Name = r.Text()
	r.Word(`,"count":`)
	t.Count = int(r.Number())
	r.Word("}")
	return t
}

func quickUsage(r *ownjson.Reader) (u sources.Usage) {
	r.Word(`{"Input":`)
	u.Input = r.Number()
	r.Word(`,"Output":`)
	u.Output = r.Number()
	r.Word(`,"CacheRead":`)
	u.CacheRead = r.Number()
	r.Word(`,"CacheWrite":`)
	u.CacheWrite = r.Number()
	r.Word("}")
	return u
}

func quickPlace(r *ownjson.Reader) (p Place) {
	r.Word(`{"s":`)
	p.Session = r.Text()
	r.Word(`,"p":`)
	p.Path = r.Text()
	r.Word(`,"b":`)
	p.Began = r.Number()
	if r.Try(`,"f":`) {
		p.First = int(r.Number())
	}
	if r.Try(`,"n":`) {
		p.Messages = int(r.Number())
	}
	p.Complete = r.Try(`,"c":true`)
	r.Word("}")
	return p
}
