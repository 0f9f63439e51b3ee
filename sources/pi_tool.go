package sources

import "github.com/hansard-search/hansard/sources/internal/jsonl"

// piTool is a tool call as fields and as text. Path and Command are whole; the
// text is capped. A call without any argument that is known shows all of them.
func piTool(call jsonl.Node, c Caps) Tool {
	args := call.Get("arguments")
	t := Tool{ID: call.Get("id").String(), Name: call.Get("name").String()}
	w := callArgs{limit: c.call()}
	args.Members(func(name []byte, v jsonl.Node) bool {
		w.argument(&t, string(name), v)
		return true
	})
	if w.limit >= 0 {
		t.Text = w.callText(t, args)
	}
	return t
}
