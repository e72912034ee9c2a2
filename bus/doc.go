// Package bus is the seam between toolhub and a message transport. It owns
// the interface [Bus], the names of the well-known topics, and what may be
// relied upon; the adapters bus/pulsar and bus/nats are the only importers of
// their client libraries, and bus/bustest holds the conformance suite that
// both pass, with an in-memory bus for tests. It may import schema only.
//
// There are three ways to receive, because the hub needs three: Consume (one
// member of a group, for requests), Listen (everybody, for responses and
// announcements) and Table (the latest value of every key, for the catalog).
// There are two ways to send: Publish, and Exclusive for table topics.
//
// # Order
//
// Messages of one publisher with one key arrive in the order in which they
// were published. A table topic is totally ordered: every reader sees the
// changes of an Exclusive publisher in the order it made them, whatever their
// keys. Nothing else is ordered.
//
// # Loss
//
// Publish and Listen and Consume are at most once: a message may be lost when
// a connection breaks or a receiver is too slow. What the transport can know
// of it is never silent: the publisher gets an error, the receiver a gap mark.
// What it cannot know (a broker that dies holding messages) is why the hub has
// leases, a canary and checksums. A table is eventually exact: after any fault
// it reads again from the beginning and says so.
//
// # Blocking
//
// Each subscription has a handler that is called one message at a time. A slow
// handler holds up its own subscription and nobody else's. Publish blocks no
// longer than its context.
//
// # Start
//
// Read bus.go. To add a transport, implement [Bus] and run bustest.Run on it.
package bus
