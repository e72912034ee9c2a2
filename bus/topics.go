package bus

// Default topics of a workspace named [DefaultWorkspace]; see [TopicsOf].
const (
	DescriptorsTopic = "notify:tg:tool-descriptors"
	RollCallTopic    = "notify:tg:tool-roll-call"
	CatalogTopic     = "flow:tg:tool-catalog"
)

// DefaultWorkspace is the workspace whose topics carry no suffix.
const DefaultWorkspace = "default"

// Topics are the three well-known topics of one workspace.
type Topics struct {
	// Descriptors carries announcements from services to registries.
	Descriptors string
	// RollCall carries "announce in full now" from registries to services.
	RollCall string
	// Catalog carries the catalog from the leading registry to everyone.
	Catalog string
}

// TopicsOf returns the topics of a workspace; "" is [DefaultWorkspace].
func TopicsOf(workspace string) Topics {
	suffix := ""
	if workspace != "" && workspace != DefaultWorkspace {
		suffix = "." + workspace
	}
	return Topics{
		Descriptors: DescriptorsTopic + suffix,
		RollCall:    RollCallTopic + suffix,
		Catalog:     CatalogTopic + suffix,
	}
}
