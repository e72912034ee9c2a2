package schema

import (
	"fmt"
	"strings"
)

// Topic is a topic's name in its parts.
type Topic struct {
	Persistent bool
	Tenant     string
	Namespace  string
	Name       string
}

// String returns the full name, as in "persistent://tg/flow/tool-catalog".
func (t Topic) String() string {
	domain := "non-persistent"
	if t.Persistent {
		domain = "persistent"
	}
	return domain + "://" + t.Tenant + "/" + t.Namespace + "/" + t.Name
}

// ParseTopic reads both spellings of a topic: a full Pulsar name
// ("non-persistent://tenant/namespace/name") and TrustGraph's short form
// ("class:topicspace:name", where class flow is persistent and request,
// response and notify are not). The name itself may hold colons, as in
// "request:tg:agent:workspace:flow".
func ParseTopic(s string) (Topic, error) {
	if domain, rest, ok := strings.Cut(s, "://"); ok {
		return parseFull(s, domain, rest)
	}
	parts := strings.SplitN(s, ":", 3)
	if len(parts) != 3 {
		return Topic{}, topicError(s, "it has neither form")
	}
	class, space, name := parts[0], parts[1], parts[2]
	switch class {
	case "flow", "request", "response", "notify":
	default:
		return Topic{}, topicError(s, fmt.Sprintf("class %q is none of flow, request, response, notify", class))
	}
	return check(s, Topic{Persistent: class == "flow", Tenant: space, Namespace: class, Name: name})
}

func parseFull(s, domain, rest string) (Topic, error) {
	if domain != "persistent" && domain != "non-persistent" {
		return Topic{}, topicError(s, fmt.Sprintf("scheme %q is neither persistent nor non-persistent", domain))
	}
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) != 3 {
		return Topic{}, topicError(s, "tenant, namespace or name is missing")
	}
	return check(s, Topic{Persistent: domain == "persistent", Tenant: parts[0], Namespace: parts[1], Name: parts[2]})
}

func check(s string, t Topic) (Topic, error) {
	if t.Tenant == "" || t.Namespace == "" || t.Name == "" {
		return Topic{}, topicError(s, "tenant, namespace or name is empty")
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			return Topic{}, topicError(s, "it holds a control character")
		}
	}
	return t, nil
}

func topicError(s, fault string) error {
	return fmt.Errorf("topic %q: %s: want persistent://tenant/namespace/name, non-persistent://tenant/namespace/name or class:space:name", s, fault)
}
