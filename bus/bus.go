package bus

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Message is what a topic carries.
type Message struct {
	// Key orders and, on a table topic, names the message. Optional elsewhere.
	Key string
	// Properties are small string attributes that travel beside the payload.
	// A receiver must not modify them.
	Properties map[string]string
	// Payload is the body. An empty payload on a table topic deletes its key.
	// A receiver may keep it but must not modify it.
	Payload []byte
	// Received is when the transport handed the message to this process, by
	// the local monotonic clock and before any queue of ours. Publish ignores
	// it. The sender's clock is never shown: nothing here may rely on it.
	Received time.Time
}

// Handler receives what a subscription hears. The transport calls the
// functions of one Handler one at a time, in the order of the topic, and never
// after the subscription's Close has returned. A handler that blocks holds up
// its own subscription only; one that blocks for long makes the transport drop
// messages, which is then reported as a gap.
type Handler struct {
	// Message is called for every message. Required.
	Message func(Message)
	// Gap is called when messages may have been lost: after a reconnect, or
	// when the transport dropped some because this process was too slow.
	// Messages that follow the call were sent after the loss. Nil ignores gaps.
	Gap func(reason error)
}

// Subscription is a running Consume or Listen.
type Subscription interface {
	// Close ends the subscription and waits for a running handler to return.
	// It is idempotent and must not be called from the handler itself.
	Close() error
}

// TableHandler receives a table's contents and then its changes, in order and
// one call at a time.
type TableHandler struct {
	// Restart is called before every read from the beginning: first of all,
	// after a gap, and after Reread. The receiver starts a new, empty table
	// and replaces its old one with it at CaughtUp. Required.
	Restart func()
	// Message is called for each key's latest value and then for each change.
	// An empty payload says that the key was deleted. Required.
	Message func(Message)
	// CaughtUp is called once after each Restart, when everything that was
	// there at that moment has been delivered. Required.
	CaughtUp func()
	// Gap is called when the connection was lost or a read from the beginning
	// failed; the transport retries by itself and calls Restart when it begins
	// anew. Nil ignores it.
	Gap func(reason error)
}

// Table is a running read of a table topic.
type Table interface {
	// Reread makes the table start again from the beginning, soon and in its
	// own goroutine. Calls while a read is under way are merged into one.
	Reread()
	// Close is as for [Subscription].
	Close() error
}

// Exclusive is the right to be a table topic's only publisher: a leader lock
// and its fence in one.
type Exclusive interface {
	// Publish writes messages in order and returns when the transport has
	// stored all of them. After an error it is unknown which of them were
	// stored. It returns [ErrFenced] once the right is lost.
	Publish(ctx context.Context, messages ...Message) error
	// Lost is closed when another process holds the right, or when this one
	// can no longer be sure that it does. It is not closed by Close.
	Lost() <-chan struct{}
	// Close gives the right back, at once. It is idempotent.
	Close() error
}

// Bus is a connection to a message transport. All methods may be called
// concurrently.
type Bus interface {
	// Publish sends one message and returns when the transport has taken it.
	// It says nothing about receivers. Errors: [ErrClosed], [ErrTooLarge],
	// [ErrUnavailable] (not connected: not sent), the context's error, or one
	// that wraps the transport's own. Table topics are written by
	// [Bus.Exclusive] only.
	Publish(ctx context.Context, topic string, m Message) error
	// Consume gives each message of topic to one member of group. Use it for
	// requests. A message counts as taken when the handler returns.
	Consume(ctx context.Context, topic, group string, h Handler) (Subscription, error)
	// Listen hears every message published to topic from the moment it
	// returns. Use it for responses and announcements.
	Listen(ctx context.Context, topic string, h Handler) (Subscription, error)
	// Table reads the latest value of every key of topic and follows changes.
	// It returns before it has caught up.
	Table(ctx context.Context, topic string, h TableHandler) (Table, error)
	// Exclusive waits until this process is the only publisher of topic. It
	// returns early only with the context's error or one that waiting cannot
	// cure.
	Exclusive(ctx context.Context, topic string) (Exclusive, error)
	// Limits says what one message may hold.
	Limits() Limits
	// Close ends every subscription, table and exclusive right of this bus and
	// waits for them. It is idempotent.
	Close() error
}

// Limits is what a transport can carry.
type Limits struct {
	// Payload is the most bytes that a payload and its properties may have
	// together.
	Payload int
}

var (
	// ErrClosed is returned by every method of a closed bus, subscription or
	// exclusive right.
	ErrClosed = errors.New("bus is closed")
	// ErrUnavailable means that the transport is not connected, and that the
	// message was not sent.
	ErrUnavailable = errors.New("bus is not connected")
	// ErrFenced means that another process has become a table topic's
	// publisher.
	ErrFenced = errors.New("another process holds the exclusive right to publish")
	// ErrTooLarge is wrapped by [TooLargeError].
	ErrTooLarge = errors.New("message is too large")
	// ErrNoTopic means that a topic's name space does not exist and that the
	// transport does not create it by itself.
	ErrNoTopic = errors.New("topic does not exist")
)

// TooLargeError is the [ErrTooLarge] of one message.
type TooLargeError struct {
	Topic string
	Size  int // bytes, payload and properties
	Limit int // bytes
}

// Error says what was measured, and the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("publish to %s: the message has %d bytes, the transport takes %d: make it smaller or raise the broker's limit", e.Topic, e.Size, e.Limit)
}

// Unwrap returns [ErrTooLarge].
func (e *TooLargeError) Unwrap() error { return ErrTooLarge }

// Size is the number of bytes that count towards [Limits].Payload.
func (m Message) Size() int {
	n := len(m.Key) + len(m.Payload)
	for k, v := range m.Properties {
		n += len(k) + len(v)
	}
	return n
}
