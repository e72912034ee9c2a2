// Package catalog keeps a copy of the catalog topic: what an agent, a standby
// registry, an announcer waiting for its verdict and the command line all
// need. It owns how the topic is folded into a table, how a reader notices
// that it has missed something, and how old the copy is. It may import bus and
// schema.
//
// A [Follower] compares each head it hears (a registry writes one every two
// seconds and after each change) with the checksum of its own copy. Where they
// differ, a tombstone was lost, a message skipped or a compaction went wrong,
// and the topic is read again from the beginning; what has gone meanwhile is
// reported as well as what has come. Records of a leader that has been
// succeeded are dropped.
//
// # Start
//
// Read follower.go: [Follow], [Update] and [Status] are all there is.
package catalog
