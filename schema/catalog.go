package schema

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// HeadKey is the key of the catalog's [Head]. It is no tool, and no listing
// shows it.
const HeadKey = "_head"

// Prefixes of configuration keys.
const (
	toolServicePrefix = "tool-service/"
	toolPrefix        = "tool/"
)

// ServiceKey returns the configuration key of a tool service.
func ServiceKey(id string) string { return toolServicePrefix + id }

// ToolKey returns the configuration key of a tool.
func ToolKey(name string) string { return toolPrefix + name }

// ServiceOfKey returns the id in a tool service's key.
func ServiceOfKey(key string) (id string, ok bool) { return strings.CutPrefix(key, toolServicePrefix) }

// ToolOfKey returns the name in a tool's key.
func ToolOfKey(key string) (name string, ok bool) { return strings.CutPrefix(key, toolPrefix) }

// State is what the catalog says of a service or a tool.
type State string

// The states of a catalog record.
const (
	// Live: at least one instance holds a lease.
	Live State = "live"
	// Unavailable: the last lease has ended, and the tool asked to stay listed
	// for some time; calls fail at once.
	Unavailable State = "unavailable"
	// Quarantined: an instance announces it, but the announcement was refused;
	// the verdicts say why.
	Quarantined State = "quarantined"
	// Shadowed: the tool is good, but another service holds its name. Only
	// verdicts have this state.
	Shadowed State = "shadowed"
)

// Record is the value of one key of the catalog.
type Record struct {
	// Revision rises by one per change over the life of a deployment; Term
	// rises with each leading registry.
	Revision uint64 `json:"revision"`
	Term     uint64 `json:"term"`
	// Since is when the record came to be in this state, by the registry's
	// clock; for people.
	Since time.Time `json:"since"`
	// Service is the id of the service that the record belongs to.
	Service string `json:"service"`
	State   State  `json:"state"`
	// Instances is the number of leases; only a service's record has it.
	Instances int `json:"instances,omitempty"`
	// Digest is that of the announcement which is in use, and Skew counts the
	// instances of every other one. Only a service's record has them.
	Digest string         `json:"digest,omitempty"`
	Skew   map[string]int `json:"skew,omitempty"`
	// Flapping says that the service comes and goes, and that its return is
	// listed only after it has held for a while.
	Flapping bool `json:"flapping,omitempty"`
	// Descriptor is the tool service or tool descriptor. It is absent when the
	// whole announcement was refused.
	Descriptor json.RawMessage `json:"descriptor,omitempty"`
	// Verdicts has an entry for each tool of a service about which there is
	// something to say: refused, shadowed, or live with warnings. Only a
	// service's record has it.
	Verdicts []Verdict `json:"verdicts,omitempty"`
}

// Verdict is what a registry decided about a service or one of its tools.
type Verdict struct {
	// Tool is empty when the verdict is about the service as a whole.
	Tool  string `json:"tool,omitempty"`
	State State  `json:"state"`
	// Reasons say why it is not live: field, found, wanted, remedy.
	Reasons []string `json:"reasons,omitempty"`
	// Warnings say what works but will trouble some agents.
	Warnings []string `json:"warnings,omitempty"`
	// Alias is the name under which the tool is exported to providers whose
	// names are narrower than this tool's.
	Alias string `json:"alias,omitempty"`
	// Digest is that of the announcement that the verdict is about, when it is
	// not the one in use.
	Digest string `json:"digest,omitempty"`
}

// Head tells readers where the catalog stands, so that they can notice what
// they have missed.
type Head struct {
	Revision uint64    `json:"revision"`
	Term     uint64    `json:"term"`
	Entries  int       `json:"entries"`
	Checksum string    `json:"checksum"`
	At       time.Time `json:"at"`
}

// ParseRecord reads the value of a catalog key.
func ParseRecord(key string, payload []byte) (*Record, error) {
	var r Record
	if err := json.Unmarshal(payload, &r); err != nil {
		return nil, fmt.Errorf("catalog record %s: %w", key, err)
	}
	return &r, nil
}

// ParseHead reads the value of [HeadKey].
func ParseHead(payload []byte) (Head, error) {
	var h Head
	if err := json.Unmarshal(payload, &h); err != nil {
		return Head{}, fmt.Errorf("catalog head: %w", err)
	}
	return h, nil
}

// Names of catalog message properties: what a reader must know of a message
// whose payload is empty.
const (
	propertyRevision = "revision"
	propertyTerm     = "term"
)

// CatalogProperties returns the message properties of a catalog message.
func CatalogProperties(revision, term uint64) map[string]string {
	return map[string]string{
		propertyRevision: strconv.FormatUint(revision, 10),
		propertyTerm:     strconv.FormatUint(term, 10),
	}
}

// CatalogPosition reads what [CatalogProperties] wrote; both are 0 where the
// properties are missing.
func CatalogPosition(properties map[string]string) (revision, term uint64) {
	revision, _ = strconv.ParseUint(properties[propertyRevision], 10, 64)
	term, _ = strconv.ParseUint(properties[propertyTerm], 10, 64)
	return revision, term
}

// Checksum is an order-free hash of (key, revision) pairs: the sum, modulo
// 2^64, of FNV-1a over the key, a zero byte and the revision in decimal. It
// can be kept up to date by adding what comes and removing what goes. The zero
// value is that of an empty catalog.
type Checksum uint64

// Add counts a pair in.
func (c *Checksum) Add(key string, revision uint64) { *c += pairHash(key, revision) }

// Remove takes a pair out.
func (c *Checksum) Remove(key string, revision uint64) { *c -= pairHash(key, revision) }

// String returns the sum as 16 hexadecimal digits, as [Head] has it.
func (c Checksum) String() string { return fmt.Sprintf("%016x", uint64(c)) }

func pairHash(key string, revision uint64) Checksum {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // a hash never fails
	_, _ = h.Write(strconv.AppendUint([]byte{0}, revision, 10))
	return Checksum(h.Sum64())
}
