package surfaces

import (
	"slices"
	"strings"
	"testing"
)

func TestSetHoldsWhatItWasMadeOf(t *testing.T) {
	s := Of(AssistantFull, UserPrompt, "no such surface")
	if got := s.Names(); !slices.Equal(got, []Name{UserPrompt, AssistantFull}) {
		t.Errorf("names: %v", got)
	}
	if !s.Has(UserPrompt) || s.Has(SessionTitle) || s.Has("no such surface") {
		t.Errorf("membership of %v is wrong", s)
	}
	if got := s.With(Of(SessionTitle)).String(); got != "user_prompt,session_title,assistant_full" {
		t.Errorf("union: %s", got)
	}
	if names := Set(0).Names(); names == nil || len(names) != 0 {
		t.Errorf("an empty set lists %v, not an empty list", names)
	}
}

func TestParseNamesWhatIsUnknown(t *testing.T) {
	if s, err := Parse("user_prompt", "tool_calls"); err != nil || s != Of(UserPrompt, ToolCalls) {
		t.Errorf("parse: %v %v", s, err)
	}
	_, err := Parse("user_prompt", "prompts")
	if err == nil || !strings.Contains(err.Error(), `"prompts"`) || !strings.Contains(err.Error(), "assistant_summary") {
		t.Errorf("an unknown surface: %v", err)
	}
}

func TestEverySurfaceCanBeLookedUp(t *testing.T) {
	for i, s := range All() {
		if got, ok := Lookup(s.Name); !ok || got != s || Index(s.Name) != i+1 {
			t.Errorf("%s: %v %v, index %d", s.Name, got, ok, Index(s.Name))
		}
		if s.Weight <= 0 {
			t.Errorf("%s has no weight", s.Name)
		}
	}
	if got := Defaults().String(); got != "user_prompt,assistant_summary,session_title,session_summary" {
		t.Errorf("defaults: %s", got)
	}
}
