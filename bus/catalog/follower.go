package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/toolhub-dev/toolhub/bus"
	"github.com/toolhub-dev/toolhub/schema"
)

// HeadInterval is how often a leading registry writes the head.
const HeadInterval = 2 * time.Second

// StaleAfter is for how long no head may be heard before a copy counts as
// stale: three intervals, so that one lost head and one slow one are forgiven.
const StaleAfter = 3 * HeadInterval

// Re-reads that do not help are spaced ever wider, up to maxReread.
const (
	minReread = time.Second
	maxReread = time.Minute
)

// Update is a change of one key.
type Update struct {
	Key string
	// Record is the new value; nil says that the key is gone. It is shared and
	// must not be modified.
	Record *schema.Record
}

// Freshness says how far a copy of the catalog can be trusted.
type Freshness string

// The three answers that a reader can get; trouble is never shown as an empty
// list.
const (
	// Live: a registry leads, and was heard a moment ago.
	Live Freshness = "live"
	// Stale: the copy is whole, but no registry has been heard for Age.
	Stale Freshness = "stale"
	// Unknown: the catalog has not been read to its end, or there has never
	// been a registry.
	Unknown Freshness = "unknown"
)

// Status describes a copy at one moment.
type Status struct {
	Freshness Freshness `json:"freshness"`
	// Age is the time since a registry was last heard; 0 when unknown.
	Age      time.Duration `json:"-"`
	Revision uint64        `json:"revision"`
	Term     uint64        `json:"term"`
	// Entries is the number of keys, without the head.
	Entries int `json:"entries"`
	// Rereads counts how often the copy was found wrong.
	Rereads uint64 `json:"rereads"`
}

// Options of [Follow].
type Options struct {
	// Topic is the catalog topic. Required.
	Topic string
	// OnUpdate is told of every change, in order and one call at a time. A
	// whole read is one call with everything in which it differs from the
	// table before. It must not call Close. Nil is allowed.
	OnUpdate func([]Update)
	// OnHead is told of every head that arrives after the copy has caught up.
	// It runs as OnUpdate does. Nil is allowed.
	OnHead func(schema.Head)
	Logger zerolog.Logger
}

// Follower is a copy of the catalog that follows it. Its methods may be called
// concurrently.
type Follower struct {
	o        Options
	table    bus.Table
	caughtUp chan struct{} // closed at the first CaughtUp

	mu   sync.Mutex // guards what follows
	copy *fold      // what readers see
	next *fold      // the read that is under way; nil when caught up
	head schema.Head
	// headAt is when the head arrived by the local clock; zero when it was
	// read from storage, where arrival says nothing.
	headAt   time.Time
	rereads  uint64
	wait     time.Duration // to the next re-read, doubled each time in a row
	rereadAt time.Time     // no re-read before
}

// fold is a table in the making.
type fold struct {
	records map[string]*schema.Record
	sum     schema.Checksum
	term    uint64
	top     uint64 // highest revision
}

func newFold() *fold { return &fold{records: map[string]*schema.Record{}} }

// Follow starts to follow the catalog; ctx bounds the start only. It returns
// before the copy has caught up; see [Follower.CaughtUp].
func Follow(ctx context.Context, b bus.Bus, o Options) (*Follower, error) {
	f := &Follower{o: o, caughtUp: make(chan struct{}), copy: newFold(), wait: minReread}
	ready := make(chan struct{})
	after := func(fn func()) func() { return func() { <-ready; fn() } }
	table, err := b.Table(ctx, o.Topic, bus.TableHandler{
		Restart:  after(f.restart),
		Message:  f.message,
		CaughtUp: f.finish,
	})
	if err != nil {
		return nil, fmt.Errorf("follow catalog %s: %w", o.Topic, err)
	}
	f.table = table
	close(ready) // the first call is Restart, so nothing sees a nil table
	return f, nil
}

// Close ends following and waits for a running callback. The copy stays
// readable.
func (f *Follower) Close() error { return f.table.Close() }

// CaughtUp is closed once the catalog has been read to its end.
func (f *Follower) CaughtUp() <-chan struct{} { return f.caughtUp }

// Record returns the value of a key, nil when there is none. It must not be
// modified.
func (f *Follower) Record(key string) *schema.Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.copy.records[key]
}

// Records returns every key and its value, as of now. The map is the caller's,
// the records are shared.
func (f *Follower) Records() map[string]*schema.Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.copy.records)
}

// Status describes the copy at time now.
func (f *Follower) Status(now time.Time) Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := Status{
		Freshness: Unknown,
		Revision:  f.copy.top,
		Term:      f.copy.term,
		Entries:   len(f.copy.records),
		Rereads:   f.rereads,
	}
	if f.head.Term == 0 {
		return s
	}
	s.Revision, s.Term = f.head.Revision, f.head.Term
	s.Freshness = Live
	if f.headAt.IsZero() {
		// Read from storage: only the writer's clock tells its age.
		s.Age = max(0, now.Sub(f.head.At))
	} else {
		s.Age = max(0, now.Sub(f.headAt))
	}
	if s.Age > StaleAfter {
		s.Freshness = Stale
	}
	return s
}

func (f *Follower) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next = newFold()
}

// message folds one message into the table that is being read or followed.
func (f *Follower) message(m bus.Message) {
	if m.Key == schema.HeadKey {
		f.onHead(m)
		return
	}
	record, err := f.parse(m)
	if err != nil {
		f.o.Logger.Warn().Err(err).Str("key", m.Key).Msg("catalog record skipped")
		return
	}
	revision, term := schema.CatalogPosition(m.Properties)
	f.mu.Lock()
	into := f.copy
	if f.next != nil {
		into = f.next
	}
	changed := into.apply(m.Key, record, revision, term)
	reading := f.next != nil
	f.mu.Unlock()
	if changed && !reading && f.o.OnUpdate != nil {
		f.o.OnUpdate([]Update{{Key: m.Key, Record: record}})
	}
}

func (f *Follower) parse(m bus.Message) (*schema.Record, error) {
	if len(m.Payload) == 0 {
		return nil, nil
	}
	return schema.ParseRecord(m.Key, m.Payload)
}

// apply folds one key in and tells whether it changed anything. Records of an
// earlier term than one already seen come from a leader that was succeeded.
func (d *fold) apply(key string, record *schema.Record, revision, term uint64) bool {
	if record != nil {
		revision, term = record.Revision, record.Term
	}
	if term < d.term {
		return false
	}
	d.term = term
	d.top = max(d.top, revision)
	old := d.records[key]
	if old != nil {
		d.sum.Remove(key, old.Revision)
	}
	if record == nil {
		delete(d.records, key)
		return old != nil
	}
	d.sum.Add(key, record.Revision)
	d.records[key] = record
	return old == nil || old.Revision != record.Revision
}

// finish puts the table that was read in the place of the old one.
func (f *Follower) finish() {
	f.mu.Lock()
	updates := f.copy.diff(f.next)
	f.copy, f.next = f.next, nil
	reread := f.checkLocked(time.Now())
	f.mu.Unlock()
	if len(updates) > 0 && f.o.OnUpdate != nil {
		f.o.OnUpdate(updates)
	}
	select {
	case <-f.caughtUp:
	default:
		close(f.caughtUp)
	}
	if reread {
		f.table.Reread()
	}
}

// diff returns what turns d into next, sorted by key.
func (d *fold) diff(next *fold) []Update {
	var updates []Update
	for key, r := range next.records {
		if old := d.records[key]; old == nil || old.Revision != r.Revision || old.Term != r.Term {
			updates = append(updates, Update{Key: key, Record: r})
		}
	}
	for key := range d.records {
		if next.records[key] == nil {
			updates = append(updates, Update{Key: key})
		}
	}
	slices.SortFunc(updates, func(a, b Update) int {
		switch {
		case a.Key < b.Key:
			return -1
		case a.Key > b.Key:
			return 1
		}
		return 0
	})
	return updates
}

func (f *Follower) onHead(m bus.Message) {
	head, err := schema.ParseHead(m.Payload)
	if err != nil {
		f.o.Logger.Warn().Err(err).Msg("catalog head skipped")
		return
	}
	f.mu.Lock()
	if head.Term < f.head.Term {
		f.mu.Unlock()
		return
	}
	f.head = head
	reading := f.next != nil
	reread := false
	if reading {
		f.headAt = time.Time{}
	} else {
		f.headAt = m.Received
		reread = f.checkLocked(time.Now())
	}
	f.mu.Unlock()
	if reading {
		return
	}
	if reread {
		f.table.Reread()
	}
	if f.o.OnHead != nil {
		f.o.OnHead(head)
	}
}

// checkLocked compares the copy with the head, which comes after everything
// that it counts, and tells whether to read again.
func (f *Follower) checkLocked(now time.Time) bool {
	if f.head.Term == 0 {
		return false
	}
	if f.head.Entries == len(f.copy.records) && f.head.Checksum == f.copy.sum.String() {
		f.wait = minReread
		return false
	}
	if now.Before(f.rereadAt) {
		return false
	}
	f.rereadAt = now.Add(f.wait)
	f.wait = min(2*f.wait, maxReread)
	f.rereads++
	f.o.Logger.Warn().Int("entries", len(f.copy.records)).Int("want", f.head.Entries).
		Uint64("revision", f.head.Revision).Msg("catalog copy differs from its head, reading it again")
	return true
}
