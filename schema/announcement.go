package schema

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Version is the version of the announcement document.
const Version = 1

// Bounds and default of a lease's time to live. Values outside are clamped.
const (
	DefaultTTL = 20 * time.Second
	MinTTL     = 3 * time.Second
	MaxTTL     = time.Hour
)

// ClampTTL returns the nearest time to live that is in range; 0 is
// [DefaultTTL].
func ClampTTL(ttl time.Duration) time.Duration {
	if ttl == 0 {
		return DefaultTTL
	}
	return min(max(ttl, MinTTL), MaxTTL)
}

// Kind says what a message on the topic tool-descriptors, or on
// tool-roll-call, is.
type Kind string

// The kinds of messages.
const (
	// KindAnnounce carries the full descriptor of one instance.
	KindAnnounce Kind = "announce"
	// KindRenew keeps a lease; it has no payload.
	KindRenew Kind = "renew"
	// KindWithdraw ends a lease; it has no payload.
	KindWithdraw Kind = "withdraw"
	// KindCanary is how a registry hears itself; everybody else ignores it.
	KindCanary Kind = "canary"
	// KindRollCall asks instances to announce in full. It travels on the topic
	// tool-roll-call; without an instance it means all.
	KindRollCall Kind = "roll-call"
	// KindBare marks a message without properties: the JSON of a descriptor
	// and nothing else. It is never sent by toolhub.
	KindBare Kind = ""
)

// Names of message properties.
const (
	propertyKind      = "kind"
	propertyService   = "service"
	propertyInstance  = "instance"
	propertySequence  = "seq"
	propertyTTL       = "ttl-ms"
	propertyDigest    = "digest"
	propertySignature = "signature"
)

// Header is what a message's properties say. A renewal and a withdrawal are
// nothing else, so that they cost a registry no JSON.
type Header struct {
	Kind     Kind
	Service  string
	Instance string
	// Sequence rises by one per message of an instance. What is not newer than
	// the last message that was seen is dropped.
	Sequence uint64
	// TTL is clamped on parsing; see [ClampTTL].
	TTL time.Duration
	// Digest is that of the announcement that the message belongs to.
	Digest    string
	Signature string
}

// Properties returns the header as message properties.
func (h Header) Properties() map[string]string {
	p := map[string]string{propertyKind: string(h.Kind)}
	set := func(name, value string) {
		if value != "" {
			p[name] = value
		}
	}
	set(propertyService, h.Service)
	set(propertyInstance, h.Instance)
	set(propertyDigest, h.Digest)
	set(propertySignature, h.Signature)
	if h.Sequence != 0 {
		p[propertySequence] = strconv.FormatUint(h.Sequence, 10)
	}
	if h.TTL != 0 {
		p[propertyTTL] = strconv.FormatInt(h.TTL.Milliseconds(), 10)
	}
	return p
}

// ParseHeader reads a header from message properties. A message without the
// property "kind" is [KindBare]. It allocates nothing on good input. Kinds
// that it does not know are faults, so that a misspelt one is counted.
func ParseHeader(properties map[string]string) (Header, error) {
	h := Header{
		Kind:      Kind(properties[propertyKind]),
		Service:   properties[propertyService],
		Instance:  properties[propertyInstance],
		Digest:    properties[propertyDigest],
		Signature: properties[propertySignature],
	}
	switch h.Kind {
	case KindBare, KindRollCall, KindCanary:
		return h, nil
	case KindAnnounce, KindRenew, KindWithdraw:
		return h, h.parseLease(properties)
	default:
		return h, h.fault(propertyKind, strconv.Quote(string(h.Kind)), "announce, renew or withdraw")
	}
}

// maxName bounds ids in properties, so that nobody can make a registry
// remember megabytes.
const maxName = 512

func (h *Header) parseLease(properties map[string]string) error {
	if h.Service == "" || len(h.Service) > maxName {
		return h.fault(propertyService, fmt.Sprintf("%d bytes", len(h.Service)), "a service id of 1 to 512 bytes")
	}
	if h.Instance == "" || len(h.Instance) > maxName {
		return h.fault(propertyInstance, fmt.Sprintf("%d bytes", len(h.Instance)), "an instance id of 1 to 512 bytes")
	}
	seq, err := strconv.ParseUint(properties[propertySequence], 10, 64)
	if err != nil || seq == 0 {
		return h.fault(propertySequence, strconv.Quote(properties[propertySequence]), "a number from 1 that rises with each message")
	}
	h.Sequence = seq
	if ttl, ok := properties[propertyTTL]; ok {
		ms, err := strconv.ParseInt(ttl, 10, 64)
		if err != nil || ms < 0 {
			return h.fault(propertyTTL, strconv.Quote(ttl), "milliseconds, a whole number")
		}
		h.TTL = ClampTTL(time.Duration(min(ms, MaxTTL.Milliseconds())) * time.Millisecond)
	} else {
		h.TTL = DefaultTTL
	}
	if h.Kind == KindRenew && h.Digest == "" {
		return h.fault(propertyDigest, "nothing", "the digest of the announcement that is renewed")
	}
	return nil
}

func (h *Header) fault(field, got, want string) error {
	return &FieldError{Service: h.Service, Field: "property " + field, Got: got, Want: want}
}

// Announcement is the payload of an announce message: one instance of one
// service, in full.
type Announcement struct {
	Instance  string
	Sequence  uint64
	TTLMillis int64
	Service   ToolService
	// Tools are the tools whose descriptors have the right shape.
	Tools []Tool
	// Malformed are those that have not; they cost themselves only. It is
	// filled by parsing and not sent.
	Malformed []ToolFault
	Metadata  Metadata
}

// ToolFault is a tool descriptor that could not be read.
type ToolFault struct {
	// Name is the tool's name where that could be read, else "tools[i]".
	Name string
	Err  error
}

// Metadata says more about an instance, for people and for the choice between
// versions. Every field is optional.
type Metadata struct {
	ServiceVersion string            `json:"service-version,omitempty"`
	StartedAt      *time.Time        `json:"started-at,omitempty"`
	Host           string            `json:"host,omitempty"`
	MetricsURL     string            `json:"metrics-url,omitempty"`
	Labels         map[string]string `json:"labels,omitempty"`
}

// MarshalJSON formats the announcement as it is sent.
func (a Announcement) MarshalJSON() ([]byte, error) {
	tools := a.Tools
	if tools == nil {
		tools = []Tool{}
	}
	var w writer
	w.field("version", Version)
	w.field("instance", a.Instance)
	w.field("sequence", a.Sequence)
	w.field("ttl-ms", a.TTLMillis)
	w.field("service", a.Service)
	w.field("tools", tools)
	w.field("metadata", a.Metadata)
	return w.bytes()
}

// ParseAnnouncement reads the payload of an announce message. h is its header,
// with which the payload must agree. Faults of single tools are in Malformed;
// an error is a fault of the whole.
func ParseAnnouncement(h Header, payload []byte) (*Announcement, error) {
	a, err := parseAnnouncement(h, payload)
	if err != nil {
		return nil, eachFault(err, func(e *FieldError) { e.Service = h.Service })
	}
	return a, nil
}

func parseAnnouncement(h Header, payload []byte) (*Announcement, error) {
	if err := CheckJSON(payload, MaxDocument); err != nil {
		return nil, err
	}
	o, err := newObject("", payload)
	if err != nil {
		return nil, err
	}
	a := &Announcement{}
	version := 0
	if o.read("version", &version, "1"); version != Version {
		o.fault("version", fmt.Sprint(version), fmt.Sprintf("%d: upgrade the registry or the announcer", Version))
	}
	if o.read("instance", &a.Instance, "a string"); a.Instance != h.Instance {
		o.fault("instance", strconv.Quote(a.Instance), fmt.Sprintf("%q, as in the message's properties", h.Instance))
	}
	if o.read("sequence", &a.Sequence, "a whole number"); a.Sequence != h.Sequence {
		o.fault("sequence", fmt.Sprint(a.Sequence), fmt.Sprintf("%d, as in the message's properties", h.Sequence))
	}
	o.read("ttl-ms", &a.TTLMillis, "milliseconds, a whole number")
	o.read("metadata", &a.Metadata, `an object with strings, and RFC 3339 times`)
	if raw, ok := o.take("service"); !ok {
		o.fault("service", "nothing", "a tool service descriptor")
	} else if err := a.Service.UnmarshalJSON(raw); err != nil {
		o.faults = append(o.faults, eachFault(err, func(e *FieldError) { e.Field = "service." + e.Field }))
	} else if a.Service.ID != h.Service {
		o.fault("service.id", strconv.Quote(a.Service.ID), fmt.Sprintf("%q, as in the message's properties", h.Service))
	}
	for i, raw := range o.list("tools", "a list of tool descriptors") {
		a.addTool(i, raw)
	}
	return a, o.err()
}

func (a *Announcement) addTool(i int, raw json.RawMessage) {
	var t Tool
	if err := t.UnmarshalJSON(raw); err != nil {
		name := t.Name
		if name == "" {
			name = fmt.Sprintf("tools[%d]", i)
		}
		a.Malformed = append(a.Malformed, ToolFault{Name: name, Err: err})
		return
	}
	a.Tools = append(a.Tools, t)
}

// Bare is a descriptor that was published by itself, without properties. One
// of the fields is set.
type Bare struct {
	Service *ToolService
	Tool    *Tool
}

// ParseBare reads a bare descriptor: a tool service has an id and queues, a
// tool has a type.
func ParseBare(payload []byte) (Bare, error) {
	if err := CheckJSON(payload, MaxDocument); err != nil {
		return Bare{}, err
	}
	o, err := newObject("", payload)
	if err != nil {
		return Bare{}, err
	}
	if _, isTool := o.fields["type"]; isTool {
		var t Tool
		if err := t.UnmarshalJSON(payload); err != nil {
			return Bare{}, err
		}
		if t.Type != TypeToolService {
			return Bare{}, &FieldError{Tool: t.Name, Field: "type", Got: strconv.Quote(t.Type), Want: "tool-service: other types need no announcement, put them into configuration"}
		}
		return Bare{Tool: &t}, nil
	}
	var s ToolService
	if err := s.UnmarshalJSON(payload); err != nil {
		return Bare{}, err
	}
	return Bare{Service: &s}, nil
}
