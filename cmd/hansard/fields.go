package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Scripts want few fields, and a row a line. Both are made from the JSON that
// is printed otherwise.

// listing gives a command that prints rows the flags --fields and --jsonl. list
// is the field that holds the rows, "" where the rows come one by one.
func (p *program) listing(c *cli.Command, list string, row reflect.Type) *cli.Command {
	c.Flags = append(c.Flags,
		&cli.StringSliceFlag{Name: "fields", Usage: "print only `A,B` of each row, as JSON (docs/json.md names them)"},
		&cli.BoolFlag{Name: "jsonl", DisableDefaultText: true, Usage: "print a row a line, as JSON"},
	)
	action := c.Action
	c.Action = func(ctx *cli.Context) error {
		k := picker{jsonPrinter{p.out, p.err}, list, commas(ctx.StringSlice("fields")), ctx.Bool("jsonl")}
		known := fieldNames(row)
		for _, f := range k.fields {
			if !slices.Contains(known, f) {
				return usage("use some of "+strings.Join(known, ","), "--fields: no field %q", f)
			}
		}
		if k.lines || ctx.IsSet("fields") {
			p.print = k
		}
		return action(ctx)
	}
	return c
}

// fieldNames are the names of a type's fields in JSON, in order.
func fieldNames(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		if name := jsonName(f); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// A picker prints some fields of rows, or rows without what is around them.
type picker struct {
	jsonPrinter
	list   string
	fields []string // empty: all
	lines  bool
}

func (k picker) show(pg page) error {
	text, err := encode(k.sparse(pg.data()))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := k.write(&out, text); err != nil {
		return fmt.Errorf("picking fields: %w", err)
	}
	_, err = k.out.Write(out.Bytes())
	return err
}

// sparse is a row that comes alone with the wanted fields only: of a turn the others
// are most, and they need not be written to be left out.
func (k picker) sparse(row any) any {
	whole := reflect.ValueOf(row)
	if k.list != "" || len(k.fields) == 0 || whole.Kind() != reflect.Pointer {
		return row
	}
	some := reflect.New(whole.Type().Elem())
	for f := range whole.Type().Elem().Fields() {
		if slices.Contains(k.fields, jsonName(f)) {
			some.Elem().FieldByIndex(f.Index).Set(whole.Elem().FieldByIndex(f.Index))
		}
	}
	return some.Interface()
}

func (k picker) write(out *bytes.Buffer, text []byte) error {
	if k.list == "" {
		if err := k.row(out, text); err != nil {
			return err
		}
		return out.WriteByte('\n')
	}
	document, err := members(text)
	if err != nil {
		return err
	}
	var rows []json.RawMessage
	at := slices.IndexFunc(document, func(m pair) bool { return m.name == k.list })
	if err := json.Unmarshal(document[at].value, &rows); err != nil {
		return err
	}
	var list bytes.Buffer
	for i, r := range rows {
		if i > 0 && !k.lines {
			list.WriteByte(',')
		}
		if err := k.row(&list, r); err != nil {
			return err
		}
		if k.lines {
			list.WriteByte('\n')
		}
	}
	if k.lines {
		_, err := list.WriteTo(out)
		return err
	}
	document[at].value = json.RawMessage("[" + list.String() + "]")
	object(out, document)
	return out.WriteByte('\n')
}

// row writes the fields that were asked for, in that order. What does not apply
// to the row is left out, as ever.
func (k picker) row(out *bytes.Buffer, text json.RawMessage) error {
	if len(k.fields) == 0 {
		_, err := out.Write(bytes.TrimSpace(text))
		return err
	}
	all, err := members(text)
	if err != nil {
		return err
	}
	var some []pair
	for _, f := range k.fields {
		if i := slices.IndexFunc(all, func(m pair) bool { return m.name == f }); i >= 0 {
			some = append(some, all[i])
		}
	}
	object(out, some)
	return nil
}

// A pair is a member of an object.
type pair struct {
	name  string
	value json.RawMessage
}

// members takes an object apart and keeps its order.
func members(text []byte) (list []pair, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		list = append(list, pair{fmt.Sprint(name), value})
	}
	return list, nil
}

func object(out *bytes.Buffer, list []pair) {
	out.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "%q:%s", m.name, m.value)
	}
	out.WriteByte('}')
}
