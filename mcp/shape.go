package mcp

import (
	"reflect"
	"strings"

	"github.com/hansard-search/hansard/corpus"
)

// shape is the JSON schema of what a type is written as: fields by their tags,
// those that may be left out not required.
func shape(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		s := shape(t.Elem())
		s["type"] = []any{s["type"], "null"}
		return s
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": shape(t.Elem())}
	case reflect.Struct:
		if t == reflect.TypeFor[corpus.Time]() {
			return map[string]any{"type": "string", "format": "date-time"}
		}
		properties, required := map[string]any{}, []any{}
		fields(t, properties, &required)
		return map[string]any{"type": "object", "properties": properties, "required": required}
	case reflect.Map:
		return map[string]any{"type": "object"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Interface:
		return map[string]any{}
	}
	return map[string]any{"type": "integer"}
}

func fields(t reflect.Type, properties map[string]any, required *[]any) {
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "":
			fields(inner, properties, required)
		case f.IsExported():
			properties[name] = shape(f.Type)
			if !strings.Contains(rest, "omit") {
				*required = append(*required, name)
			}
		}
	}
}
