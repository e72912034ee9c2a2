package schema

import (
	"errors"
	"fmt"
	"strings"
)

// FieldError is one fault of one document, told to the person who can mend it.
type FieldError struct {
	// Source is the file or configuration key; empty for messages.
	Source string
	// Service and Tool say whose descriptor is at fault; either may be empty.
	Service, Tool string
	// Field is the path in the document, as in "arguments[1].name".
	Field string
	// Got is what was found, Want what is wanted instead.
	Got, Want string
}

// Error returns one line: source, service, tool, field, found, wanted.
func (e *FieldError) Error() string {
	var b strings.Builder
	part := func(label, value string) {
		if value == "" {
			return
		}
		if label != "" {
			fmt.Fprintf(&b, "%s %q: ", label, value)
			return
		}
		b.WriteString(value + ": ")
	}
	part("", e.Source)
	part("service", e.Service)
	part("tool", e.Tool)
	part("", e.Field)
	fmt.Fprintf(&b, "found %s, want %s", e.Got, e.Want)
	return b.String()
}

// Faults takes an error of this package apart into its field errors. Errors of
// another kind become a FieldError with only Got set to their text.
func Faults(err error) []*FieldError {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*FieldError
		for _, e := range joined.Unwrap() {
			all = append(all, Faults(e)...)
		}
		return all
	}
	var fe *FieldError
	if errors.As(err, &fe) {
		return []*FieldError{fe}
	}
	return []*FieldError{{Field: "document", Got: err.Error(), Want: "a valid document"}}
}

// WithSource returns err with the source of each of its field errors set where
// it was empty.
func WithSource(err error, source string) error {
	if err == nil {
		return nil
	}
	return eachFault(err, func(e *FieldError) {
		if e.Source == "" {
			e.Source = source
		}
	})
}

// eachFault returns the faults of err, each a copy that set has changed.
func eachFault(err error, set func(*FieldError)) error {
	var all []error
	for _, fault := range Faults(err) {
		c := *fault
		set(&c)
		all = append(all, &c)
	}
	return errors.Join(all...)
}

// found shortens a value for an error message.
func found(raw []byte) string {
	const most = 60
	s := strings.TrimSpace(string(raw))
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}
