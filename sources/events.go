package sources

import "strings"

// single is an event alone. A title has the rank of session info.
func single(base Event, k Kind, text string) []Event {
	base.Kind, base.Text = k, text
	if k == Title {
		base.Rank = 2
	}
	return []Event{base}
}

// summaryOf is nil when there is no text.
func summaryOf(base Event, text string, f Flags) []Event {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	base.Flags |= f
	return single(base, Summary, text)
}
