// Package schema owns everything that travels: the two tiers of TrustGraph's
// tool descriptors, the request and response of a tool service, announcements,
// the catalog's records, and the names of topics. It parses, validates and
// formats; it imports nothing of the project and does no I/O, has no clock and
// starts no goroutine.
//
// # Two tiers
//
// A [ToolService] is a pair of queues and the parameters it takes. A [Tool] is
// what an LLM sees: it names a service, gives values for those parameters and
// lists arguments. Fields that this package does not know are kept, because
// configuration values stand at the top level of a tool.
//
// # Errors
//
// Every fault of a document is a [*FieldError]: whose it is, which field, what
// was found, what is wanted. A document with several faults returns them
// joined, so that a person mends them in one go; [Faults] takes them apart.
// In an announcement, a fault of one tool costs that tool only.
//
// # Start
//
// Read descriptor.go for the documents, announcement.go for what an instance
// publishes, catalog.go for what a registry publishes. The JSON Schema files
// in the folder jsonschema describe the same documents for other languages.
package schema
