package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// MaxSchema is the most bytes of one JSON Schema in a descriptor.
const MaxSchema = 128 << 10

// ValidateTool judges a tool, whose shape is good, against the service that it
// belongs to. The verdict is [Live], with warnings where some agent will have
// trouble, or [Quarantined] with the reasons.
func ValidateTool(t *Tool, service *ToolService) Verdict {
	v := Verdict{Tool: t.Name, State: Live}
	var faults []error
	if t.Type != TypeToolService {
		faults = append(faults, &FieldError{Tool: t.Name, Field: "type", Got: fmt.Sprintf("%q", t.Type), Want: "tool-service: tools of other types need no announcement, put them into configuration"})
	} else if t.Service != service.ID {
		faults = append(faults, &FieldError{Tool: t.Name, Field: "service", Got: fmt.Sprintf("%q", t.Service), Want: fmt.Sprintf("%q, the service that is announced with it", service.ID)})
	} else if _, err := t.Config(service); err != nil {
		faults = append(faults, err)
	}
	if len(t.Name) > maxName {
		faults = append(faults, &FieldError{Tool: t.Name[:maxName], Field: "name", Got: fmt.Sprintf("%d bytes", len(t.Name)), Want: fmt.Sprintf("at most %d", maxName)})
	}
	if t.Extensions != nil {
		faults = append(faults, validateSchema(t.Name, "toolhub.input-schema", t.Extensions.InputSchema, true))
		faults = append(faults, validateSchema(t.Name, "toolhub.output-schema", t.Extensions.OutputSchema, false))
	}
	if err := errors.Join(faults...); err != nil {
		v.State = Quarantined
		for _, f := range Faults(err) {
			v.Reasons = append(v.Reasons, f.Error())
		}
		return v
	}
	v.Warnings = toolWarnings(t)
	if !PortableName(t.Name) {
		v.Alias = Alias(t.Name)
	}
	return v
}

// toolWarnings says what works but will trouble some agents.
func toolWarnings(t *Tool) []string {
	var warnings []string
	warn := func(field, got, want string) {
		warnings = append(warnings, (&FieldError{Tool: t.Name, Field: field, Got: got, Want: want}).Error())
	}
	if !PortableName(t.Name) {
		warn("name", fmt.Sprintf("%q (%d characters)", t.Name, len([]rune(t.Name))),
			fmt.Sprintf("^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$, which every LLM provider takes: it is exported as %q", Alias(t.Name)))
	}
	if t.Description == "" {
		warn("description", "nothing", "a sentence, by which an LLM chooses the tool")
	}
	return warnings
}

// validateSchema compiles a JSON Schema. References to anywhere outside the
// schema itself are refused and never followed.
func validateSchema(tool, field string, raw json.RawMessage, wantObject bool) error {
	if len(raw) == 0 {
		return nil
	}
	fault := func(got, want string) error {
		return &FieldError{Tool: tool, Field: field, Got: got, Want: want}
	}
	if len(raw) > MaxSchema {
		return fault(fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d", MaxSchema))
	}
	if _, err := CompileSchema(raw); err != nil {
		return fault(err.Error(), "a JSON Schema (2020-12) that refers to nothing outside itself")
	}
	var root struct {
		Type any `json:"type"`
	}
	if json.Unmarshal(raw, &root) != nil || wantObject && root.Type != "object" {
		return fault(fmt.Sprintf("type %v", root.Type), `"type": "object" at the root, because arguments are an object`)
	}
	return nil
}

// CompileSchema compiles a JSON Schema (2020-12 where it names no other
// draft). A "$ref" to anywhere outside the schema is an error; nothing is ever
// fetched.
func CompileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	const self = "toolhub:schema"
	c := jsonschema.NewCompiler()
	c.UseLoader(refuseLoader{})
	if err := c.AddResource(self, doc); err != nil {
		return nil, err
	}
	return c.Compile(self)
}

// refuseLoader loads nothing.
type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside the schema and is not fetched", url)
}
