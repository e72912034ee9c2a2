package schema

import (
	"encoding/json"
	"fmt"
)

// MaxDocument is the most bytes of an announcement, and so of any descriptor.
const MaxDocument = 1 << 20

// Types of tools.
const (
	TypeToolService   = "tool-service"
	TypeMCPTool       = "mcp-tool"
	TypePrompt        = "prompt"
	TypeText          = "text-completion"
	TypeKnowledge     = "knowledge-query"
	TypeStructured    = "structured-query"
	TypeRowEmbeddings = "row-embeddings-query"
)

// ToolService describes a tool service: the value of configuration key
// "tool-service/<id>".
type ToolService struct {
	ID            string
	RequestQueue  string
	ResponseQueue string
	ConfigParams  []ConfigParam
	// Extra holds the fields that this package does not know, as they came.
	Extra map[string]json.RawMessage
}

// ConfigParam is a parameter of a tool service whose value each tool gives.
type ConfigParam struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}

// Tool describes a tool: the value of configuration key "tool/<name>".
type Tool struct {
	Type        string
	Name        string
	Description string
	// Service is the id of the tool service, for type tool-service.
	Service string
	// Arguments are what the LLM fills in. nil means that the descriptor has
	// none, which is different from an empty list.
	Arguments []Argument
	// Group, ApplicableStates and State decide when an agent offers the tool.
	Group            []string
	ApplicableStates []string
	State            string
	// Extensions are toolhub's own fields, which other agents ignore.
	Extensions *Extensions
	// Extra holds every other field as it came, the values of configuration
	// parameters among them.
	Extra map[string]json.RawMessage
}

// Argument is one argument of a tool, as the LLM sees it.
type Argument struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

// Extensions stand in a tool descriptor under the key "toolhub".
type Extensions struct {
	// InputSchema and OutputSchema are JSON Schema 2020-12.
	InputSchema  json.RawMessage `json:"input-schema,omitempty"`
	OutputSchema json.RawMessage `json:"output-schema,omitempty"`
	// ReadOnly, Idempotent and Destructive are hints; nil means unknown. Only
	// an idempotent tool is ever called again after a failure.
	ReadOnly    *bool `json:"read-only,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	// TimeoutMillis bounds one call; 0 means the caller's default.
	TimeoutMillis int64 `json:"timeout-ms,omitempty"`
	// Tags are free words to filter by.
	Tags []string `json:"tags,omitempty"`
	// RetainMillis is for how long the tool stays listed as unavailable after
	// its last lease has ended.
	RetainMillis int64 `json:"retain-ms,omitempty"`
}

// ParseToolService reads a tool service descriptor and validates its shape.
func ParseToolService(data []byte) (ToolService, error) {
	if err := CheckJSON(data, MaxDocument); err != nil {
		return ToolService{}, err
	}
	var s ToolService
	err := s.UnmarshalJSON(data)
	return s, err
}

// ParseTool reads a tool descriptor and validates its shape.
func ParseTool(data []byte) (Tool, error) {
	if err := CheckJSON(data, MaxDocument); err != nil {
		return Tool{}, err
	}
	var t Tool
	err := t.UnmarshalJSON(data)
	return t, err
}

// UnmarshalJSON reads the descriptor and validates its shape; it returns field
// errors, and fills in what could be read even then.
func (s *ToolService) UnmarshalJSON(data []byte) error {
	o, err := newObject("", data)
	if err != nil {
		return err
	}
	*s = ToolService{
		ID:            o.required("id", "the service's id, a string"),
		RequestQueue:  o.required("request-queue", "a topic, as in non-persistent://tg/request/NAME"),
		ResponseQueue: o.required("response-queue", "a topic, as in non-persistent://tg/response/NAME"),
		ConfigParams:  readConfigParams(o),
	}
	checkQueue(o, "request-queue", s.RequestQueue)
	checkQueue(o, "response-queue", s.ResponseQueue)
	s.Extra = o.rest()
	return eachFault(o.err(), func(e *FieldError) { e.Service = s.ID })
}

func checkQueue(o *object, field, queue string) {
	if queue == "" {
		return // already a fault
	}
	if _, err := ParseTopic(queue); err != nil {
		o.fault(field, err.Error(), "a topic that can be parsed")
	}
}

// readConfigParams reads config-params, whose entries are objects or bare
// names.
func readConfigParams(o *object) []ConfigParam {
	const want = `a list of {"name", "required"} or names`
	var params []ConfigParam
	seen := map[string]bool{}
	for i, raw := range o.list("config-params", want) {
		field := fmt.Sprintf("config-params[%d]", i)
		var p ConfigParam
		if json.Unmarshal(raw, &p.Name) != nil {
			entry, err := newObject(field, raw)
			if err != nil {
				o.fault(field, found(raw), want)
				continue
			}
			p.Name = entry.required("name", "the parameter's name, a string")
			entry.read("required", &p.Required, "true or false")
			o.faults = append(o.faults, entry.faults...)
		}
		if seen[p.Name] {
			o.fault(field+".name", fmt.Sprintf("%q a second time", p.Name), "names that differ")
		}
		seen[p.Name] = true
		params = append(params, p)
	}
	return params
}

// MarshalJSON formats the descriptor with its fields in a fixed order.
func (s ToolService) MarshalJSON() ([]byte, error) {
	var w writer
	w.field("id", s.ID)
	w.field("request-queue", s.RequestQueue)
	w.field("response-queue", s.ResponseQueue)
	if s.ConfigParams != nil {
		w.field("config-params", s.ConfigParams)
	}
	w.rest(s.Extra)
	return w.bytes()
}

// UnmarshalJSON reads the descriptor and validates its shape; it returns field
// errors, and fills in what could be read even then.
func (t *Tool) UnmarshalJSON(data []byte) error {
	o, err := newObject("", data)
	if err != nil {
		return err
	}
	*t = Tool{
		Type:        o.required("type", "the tool's type, as in tool-service"),
		Name:        o.required("name", "the tool's name, a string"),
		Description: o.text("description"),
		Service:     o.text("service"),
		State:       o.text("state"),
	}
	t.Arguments = readArguments(o)
	o.read("group", &t.Group, "a list of strings")
	o.read("applicable-states", &t.ApplicableStates, "a list of strings")
	if raw, ok := o.take("toolhub"); ok {
		t.Extensions = readExtensions(o, raw)
	}
	if t.Type == TypeToolService && t.Service == "" {
		o.fault("service", "nothing", "the id of a tool service")
	}
	t.Extra = o.rest()
	return eachFault(o.err(), func(e *FieldError) { e.Tool, e.Service = t.Name, t.Service })
}

// readArguments reads the arguments of a tool, each with its three fields.
func readArguments(o *object) []Argument {
	const want = `a list of {"name", "type", "description"}`
	if _, there := o.fields["arguments"]; !there {
		return nil
	}
	arguments := []Argument{}
	seen := map[string]int{}
	for i, raw := range o.list("arguments", want) {
		path := fmt.Sprintf("arguments[%d]", i)
		entry, err := newObject(path, raw)
		if err != nil {
			o.fault(path, found(raw), want)
			continue
		}
		a := Argument{
			Name:        entry.required("name", "the argument's name, a string"),
			Type:        entry.required("type", "the argument's type, as in string"),
			Description: entry.required("description", "what the argument is for, a string"),
		}
		o.faults = append(o.faults, entry.faults...)
		if first, ok := seen[a.Name]; ok && a.Name != "" {
			o.fault(path+".name", fmt.Sprintf("%q, which arguments[%d] has too", a.Name, first), "names that differ")
		}
		seen[a.Name] = i
		arguments = append(arguments, a)
	}
	return arguments
}

// readExtensions reads toolhub's own fields of a tool.
func readExtensions(o *object, raw json.RawMessage) *Extensions {
	e, err := newObject("toolhub", raw)
	if err != nil {
		o.faults = append(o.faults, err)
		return nil
	}
	x := &Extensions{}
	e.read("input-schema", &x.InputSchema, "a JSON Schema")
	e.read("output-schema", &x.OutputSchema, "a JSON Schema")
	e.read("read-only", &x.ReadOnly, "true or false")
	e.read("idempotent", &x.Idempotent, "true or false")
	e.read("destructive", &x.Destructive, "true or false")
	e.read("timeout-ms", &x.TimeoutMillis, "milliseconds, a whole number")
	e.read("tags", &x.Tags, "a list of strings")
	e.read("retain-ms", &x.RetainMillis, "milliseconds, a whole number")
	checkMillis(e, "timeout-ms", x.TimeoutMillis)
	checkMillis(e, "retain-ms", x.RetainMillis)
	o.faults = append(o.faults, e.faults...)
	return x
}

func checkMillis(o *object, field string, ms int64) {
	if ms < 0 || ms > maxMillis {
		o.fault(field, fmt.Sprint(ms), fmt.Sprintf("0 to %d", maxMillis))
	}
}

// maxMillis bounds durations in descriptors at one day, so that no arithmetic
// on them can overflow and no tool is retained for ever.
const maxMillis = 24 * 60 * 60 * 1000

// MarshalJSON formats the descriptor with its fields in a fixed order.
func (t Tool) MarshalJSON() ([]byte, error) {
	var w writer
	w.field("type", t.Type)
	w.field("name", t.Name)
	w.field("description", t.Description)
	w.optional("service", t.Service)
	if t.Arguments != nil {
		w.field("arguments", t.Arguments)
	}
	if t.Group != nil {
		w.field("group", t.Group)
	}
	if t.ApplicableStates != nil {
		w.field("applicable-states", t.ApplicableStates)
	}
	w.optional("state", t.State)
	if t.Extensions != nil {
		w.field("toolhub", t.Extensions)
	}
	w.rest(t.Extra)
	return w.bytes()
}

// Config returns what a request to service carries in its "config" field for
// this tool: the values of the service's parameters, as a JSON object. It is
// "{}" where the tool gives none, and an error for each required parameter
// that the tool does not give.
func (t *Tool) Config(service *ToolService) (json.RawMessage, error) {
	var w writer
	o := object{}
	for _, p := range service.ConfigParams {
		value, ok := t.value(p.Name)
		switch {
		case ok:
			w.field(p.Name, value)
		case p.Required:
			o.fault(p.Name, "nothing", fmt.Sprintf("a value, because service %q requires this parameter", service.ID))
		}
	}
	if err := o.err(); err != nil {
		return nil, eachFault(err, func(e *FieldError) { e.Tool, e.Service = t.Name, service.ID })
	}
	return w.bytes()
}

// value returns the value of any top-level field. A parameter may bear the
// name of a field that this package knows; its value is then that field's.
func (t *Tool) value(name string) (json.RawMessage, bool) {
	if raw, ok := t.Extra[name]; ok {
		return raw, string(raw) != "null"
	}
	switch name {
	case "type", "name", "description", "service", "arguments", "group", "applicable-states", "state", "toolhub":
	default:
		return nil, false
	}
	data, err := json.Marshal(t)
	if err != nil {
		return nil, false
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return nil, false
	}
	raw, ok := all[name]
	return raw, ok
}
