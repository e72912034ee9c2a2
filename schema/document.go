package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// MaxDepth bounds the nesting of every document that is parsed here. A
// descriptor needs five levels; a JSON Schema inside one may need some dozens.
const MaxDepth = 64

// CheckJSON tells whether data is one JSON object in UTF-8 of at most maxBytes
// bytes and MaxDepth levels. It is the first step of every parser of this
// package and costs no allocation on good input.
func CheckJSON(data []byte, maxBytes int) error {
	fault := func(got, want string) error { return &FieldError{Field: "document", Got: got, Want: want} }
	if len(data) > maxBytes {
		return fault(fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("at most %d", maxBytes))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return fault("nothing", "a JSON object")
	}
	if !utf8.Valid(data) {
		return fault("bytes that are not UTF-8", "JSON in UTF-8")
	}
	if d := depth(data); d > MaxDepth {
		return fault(fmt.Sprintf("more than %d levels of nesting", MaxDepth), fmt.Sprintf("at most %d", MaxDepth))
	}
	if !json.Valid(data) {
		var v any
		err := json.Unmarshal(data, &v)
		return fault(fmt.Sprintf("%s (%v)", found(data), err), "a JSON object")
	}
	if bytes.TrimSpace(data)[0] != '{' {
		return fault(found(data), "a JSON object")
	}
	return nil
}

// depth returns the deepest nesting of brackets outside strings; it stops
// counting just above MaxDepth.
func depth(data []byte) int {
	deepest, level, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
			if deepest > MaxDepth {
				return deepest
			}
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}

// object reads the fields of one JSON object and collects its faults.
type object struct {
	path   string // "" for the document itself, else "arguments[1]."
	fields map[string]json.RawMessage
	faults []error
}

// newObject reads raw, which must be valid JSON, as an object. It returns nil
// and the fault when it is something else.
func newObject(path string, raw json.RawMessage) (*object, error) {
	o := &object{}
	if path != "" {
		o.path = path + "."
	}
	if err := json.Unmarshal(raw, &o.fields); err != nil || o.fields == nil {
		return nil, &FieldError{Field: pathOr(path, "document"), Got: found(raw), Want: "a JSON object"}
	}
	return o, nil
}

func pathOr(path, otherwise string) string {
	if path == "" {
		return otherwise
	}
	return path
}

func (o *object) fault(field, got, want string) {
	o.faults = append(o.faults, &FieldError{Field: o.path + field, Got: got, Want: want})
}

func (o *object) err() error { return errors.Join(o.faults...) }

// take removes a field from the object; null counts as absent.
func (o *object) take(field string) (json.RawMessage, bool) {
	raw, ok := o.fields[field]
	delete(o.fields, field)
	if !ok || string(bytes.TrimSpace(raw)) == "null" {
		return nil, false
	}
	return raw, true
}

// read takes an optional field into v, which json must be able to fill.
func (o *object) read(field string, v any, want string) bool {
	raw, ok := o.take(field)
	if !ok {
		return false
	}
	if err := json.Unmarshal(raw, v); err != nil {
		o.fault(field, found(raw), want)
		return false
	}
	return true
}

// text takes an optional string.
func (o *object) text(field string) string {
	var s string
	o.read(field, &s, "a string")
	return s
}

// required takes a string that must be there and not empty.
func (o *object) required(field, want string) string {
	raw, ok := o.take(field)
	if !ok {
		o.fault(field, "nothing", want)
		return ""
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || s == "" {
		o.fault(field, found(raw), want)
	}
	return s
}

// list takes an optional array and returns its elements.
func (o *object) list(field, want string) []json.RawMessage {
	var elements []json.RawMessage
	o.read(field, &elements, want)
	return elements
}

// rest returns the fields that nobody took, nil when there are none.
func (o *object) rest() map[string]json.RawMessage {
	if len(o.fields) == 0 {
		return nil
	}
	return o.fields
}

// writer formats one JSON object with its fields in a fixed order.
type writer struct {
	buf bytes.Buffer
	err error
}

func (w *writer) field(name string, v any) {
	if w.buf.Len() == 0 {
		w.buf.WriteByte('{')
	} else {
		w.buf.WriteByte(',')
	}
	key, _ := json.Marshal(name) // a string always marshals
	w.buf.Write(key)
	w.buf.WriteByte(':')
	value, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("format field %s: %w", name, err)
	}
	w.buf.Write(value)
}

func (w *writer) optional(name, value string) {
	if value != "" {
		w.field(name, value)
	}
}

// rest writes unknown fields, sorted, after the known ones.
func (w *writer) rest(fields map[string]json.RawMessage) {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w.field(name, fields[name])
	}
}

func (w *writer) bytes() ([]byte, error) {
	if w.buf.Len() == 0 {
		return []byte("{}"), w.err
	}
	w.buf.WriteByte('}')
	return w.buf.Bytes(), w.err
}
