package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The kinds of arguments.
const (
	aText   = "a text"
	aNumber = "a whole number"
	aFlag   = "true or false"
	aTexts  = "a list of texts"
	aGroup  = "an object"
)

// An arg is one argument of a tool: what the schema says and what is checked.
type arg struct {
	name, kind, about string
	required          bool
	words             []string // all it may be; nil: anything
	inner             []arg    // of a group; they may stand outside of it too
}

// values are the arguments of a call, checked.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }

func (v values) texts(name string) []string { l, _ := v[name].([]string); return l }

func (v values) flag(name string) bool { b, _ := v[name].(bool); return b }

// number is the argument, or what is usual where it was not given.
func (v values) number(name string, usual int) int {
	if n, ok := v[name].(int); ok {
		return n
	}
	return usual
}

// limit is the argument of that name, or what is usual where it was not given, but
// never more than most.
func (v values) limit(usual, most int) (int, error) {
	n := v.number("limit", usual)
	if n == 0 {
		return 0, fmt.Errorf("limit must be above 0: %d is usual", usual)
	}
	return min(n, most), nil
}

// read checks the arguments of a call. The error tells an agent what to write.
func read(tool string, args []arg, raw json.RawMessage) (values, error) {
	v := values{}
	if len(bytes.TrimSpace(raw)) > 0 && string(raw) != "null" {
		if err := v.object(tool, args, raw); err != nil {
			return nil, err
		}
	}
	for _, a := range args {
		if s, ok := v[a.name].(string); a.required && (!ok || strings.TrimSpace(s) == "") {
			return nil, fmt.Errorf("%s is missing: %s", a.name, a.about)
		}
	}
	return v, nil
}

func (v values) object(tool string, args []arg, raw json.RawMessage) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return fmt.Errorf("the arguments of %s must be an object, as in %s", tool, example(args))
	}
	for name, value := range given {
		a, ok := find(args, name)
		if !ok {
			return fmt.Errorf("%s has no argument %q: it takes %s", tool, name, cmp.Or(strings.Join(names(args), ", "), "none"))
		}
		if string(value) == "null" {
			continue // how some clients leave an argument out
		}
		if a.kind == aGroup {
			if err := v.object(tool+"."+name, a.inner, value); err != nil {
				return err
			}
			continue
		}
		x, err := a.value(value)
		if err != nil {
			return err
		}
		v[name] = x
	}
	return nil
}

func find(args []arg, name string) (arg, bool) {
	for _, a := range args {
		if a.name == name {
			return a, true
		}
		if in, ok := find(a.inner, name); ok {
			return in, true
		}
	}
	return arg{}, false
}

func names(args []arg) (list []string) {
	for _, a := range args {
		list = append(list, a.name)
		if a.inner != nil {
			list[len(list)-1] += " (" + strings.Join(names(a.inner), ", ") + ")"
		}
	}
	return list
}

func example(args []arg) string {
	for _, a := range args {
		if a.required {
			return fmt.Sprintf(`{%q: "..."}`, a.name)
		}
	}
	return "{}"
}

// value reads one argument.
func (a arg) value(raw json.RawMessage) (any, error) {
	wrong := fmt.Errorf("%s must be %s, not %s: %s", a.name, a.kind, raw, a.about)
	switch a.kind {
	case aFlag:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return nil, wrong
		}
		return b, nil
	case aNumber:
		var f float64
		if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
			return nil, wrong
		}
		if f < 0 {
			return nil, fmt.Errorf("%s must be 0 or more, not %s", a.name, raw)
		}
		return int(f), nil
	}
	list, err := a.list(raw)
	if err != nil {
		return nil, wrong
	}
	for i, s := range list {
		if a.words == nil {
			break
		}
		list[i] = strings.ToLower(strings.TrimSpace(s))
		if !slices.Contains(a.words, list[i]) {
			return nil, fmt.Errorf("%s: unknown %q: use one of %s", a.name, s, strings.Join(a.words, ", "))
		}
	}
	if a.kind == aTexts {
		return list, nil
	}
	return list[0], nil
}

// list reads a text, and where several are wanted a list of texts too.
func (a arg) list(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	if a.kind != aTexts {
		return nil, errors.New("not a text")
	}
	return many, json.Unmarshal(raw, &many)
}

// schema is the JSON schema of a call's arguments.
func schema(args []arg) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, a := range args {
		properties[a.name] = a.schema()
		if a.required {
			required = append(required, a.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func (a arg) schema() map[string]any {
	var s map[string]any
	text := map[string]any{"type": "string"}
	if a.words != nil {
		text["enum"] = a.words
	}
	switch a.kind {
	case aGroup:
		s = schema(a.inner)
	case aNumber:
		s = map[string]any{"type": "integer", "minimum": 0}
	case aFlag:
		s = map[string]any{"type": "boolean"}
	case aTexts:
		s = map[string]any{"type": "array", "items": text}
	default:
		s = text
	}
	s["description"] = a.about
	return s
}
