package sources

import (
	"crypto/sha256"
	"encoding/hex"
)

// mayAsk notes a user's item. It holds instructions and the state of the
// machine as well as prompts; the prompts come again as events, except in early
// and some late versions, where the item has to do. Of two such items in a row the
// later one counts.
func (r *codexReader) mayAsk(text string, image bool, base Event, at value, before codexState) {
	if r.state.Clean || codexInjected(text) {
		return
	}
	if e, ok := r.ask(codexAsked(text), image, base, at, before); ok {
		r.asked = &e
	}
}

// ask is a prompt, or what was added while the agent worked.
func (r *codexReader) ask(text string, image bool, base Event, at value, before codexState) (Event, bool) {
	if text == "" && image {
		text = "[image]"
	}
	if text == "" {
		return base, false
	}
	base.Text, base.Lane = text, r.state.Lane
	base.Kind = Prompt
	if r.state.Open && r.state.Busy {
		base.Kind = Steering
	}
	base.From = at.position(before.carry())
	return base, true
}

// prompt gives a prompt its id and begins a turn.
func (r *codexReader) prompt(e Event) Event {
	r.asked = nil
	if e.Kind == Steering {
		return e
	}
	sum := sha256.Sum256([]byte(r.state.Chain + "\x00" + e.Text))
	r.state.Chain, r.state.Prompts, r.state.Busy = hex.EncodeToString(sum[:8]), true, true
	r.said, r.calls, r.group = map[string]*codexSaid{}, map[string]bool{}, ""
	e.ID = r.state.Turn
	if e.ID == "" {
		e.ID = r.state.Chain
	}
	return e
}
