package engine

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/puzpuzpuz/xsync/v3"
)

// EventKind says what happened.
type EventKind uint8

const (
	// DenialEvent: a request was denied; Reason says why.
	DenialEvent EventKind = iota + 1
	// ShadowEvent: a limit that only reports for this key would have denied a
	// request that passed; Reason says why.
	ShadowEvent
	// SaturationEvent: a new key found the table full. Reason is Saturated (it
	// was denied), Untracked (it was admitted) or Admitted (it got a bucket that
	// such keys share; N is 0).
	SaturationEvent
	// LimitEvent: a key got a limit of its own, or another plan; Limit says which.
	LimitEvent
	// PlanEvent: the limit of a plan was changed; Key is the plan's name, Limit
	// the new one.
	PlanEvent
)

var eventNames = [...]string{"", "denial", "shadow", "saturation", "limit", "plan"}

// String returns the kind in a word.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown kind"
}

// Event is something that Events tells. Key is valid until the handler returns.
type Event struct {
	Kind   EventKind
	Reason Reason
	// Engine is the Name of its configuration.
	Engine string
	// Key begins with the key's first EventKeyBytes bytes; Truncated says that
	// there were more. Hash is xxhash of all of them.
	Key       []byte
	Truncated bool
	Hash      uint64
	// N is what the request asked for, At its instant on the engine's clock.
	N          int64
	At         time.Duration
	RetryAfter time.Duration
	// Limit is the new one of a LimitEvent or PlanEvent, else nil.
	Limit *Limit
}

// EventsConfig configures Events. Only Handle is required.
type EventsConfig struct {
	// Handle is called with one event after the other, in a goroutine of its
	// own. It may call the engines, but not Close.
	Handle func(Event)
	// Capacity is how many events may wait, 128 bytes each: a power of two, 0
	// means 4096.
	Capacity int
	// Every is how often the goroutine looks for events; 0 means 10 ms. More
	// than Capacity events in that time are more than it can take.
	Every time.Duration
}

func (c EventsConfig) withDefaults() EventsConfig {
	if c.Capacity == 0 {
		c.Capacity = 4096
	}
	if c.Every == 0 {
		c.Every = 10 * time.Millisecond
	}
	return c
}

func (c EventsConfig) validate() error {
	switch {
	case c.Handle == nil:
		return fmt.Errorf("limit64: events: Handle is nil")
	case c.Capacity < 2 || c.Capacity > 1<<24 || c.Capacity&(c.Capacity-1) != 0:
		return fmt.Errorf("limit64: events: Capacity %d must be a power of two from 2 to %d", c.Capacity, 1<<24)
	case c.Every < 0:
		return fmt.Errorf("limit64: events: Every %v must not be negative", c.Every)
	}
	return nil
}

// Events tells a handler about denials, saturation and changed limits, without
// ever slowing a decision down for it: an event is copied to a ring of fixed
// size, or, where the handler has fallen behind and the ring is full, dropped
// and counted. Emitting is lock-free and does not allocate. An engine without
// Events pays one comparison with nil.
//
// One Events may serve many engines, and is safe for concurrent use. Make it
// with NewEvents, and Close it after the engines.
type Events struct {
	ring    *eventRing
	config  EventsConfig
	closed  atomic.Bool
	handled atomic.Uint64 // written by run
	dropped *xsync.Counter
	stop    chan struct{}
	done    chan struct{}
}

// NewEvents starts the goroutine that calls the handler.
func NewEvents(c EventsConfig) (*Events, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	v := &Events{
		ring: newEventRing(c.Capacity), config: c, dropped: xsync.NewCounter(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	go v.run()
	return v, nil
}

// Close handles the events that wait, stops the goroutine and waits for it.
// Later events are dropped. Call it once.
func (v *Events) Close() {
	v.closed.Store(true)
	close(v.stop)
	<-v.done
}

// EventStats are totals since NewEvents. Every event emitted is one of them.
type EventStats struct {
	// Handled events, the one whose handler runs included.
	Handled uint64
	// Dropped for want of room, or because Events was closed.
	Dropped uint64
	// Waiting in the ring; after Close, emitted while it closed and lost.
	Waiting uint64
}

// Stats returns the counts; they are not read at one instant.
func (v *Events) Stats() EventStats {
	handled := v.handled.Load()
	return EventStats{Handled: handled, Dropped: uint64(v.dropped.Value()), Waiting: v.ring.tail.Load() - handled}
}

func (v *Events) run() {
	defer close(v.done)
	tick := time.NewTicker(v.config.Every)
	defer tick.Stop()
	for {
		select {
		case <-v.stop:
			v.drain()
			return
		case <-tick.C:
			for v.drain() && !v.closed.Load() {
				continue
			}
		}
	}
}

// drain handles what waits, at most a ring full, and reports whether it was that
// much: who floods the ring must not keep Close waiting.
func (v *Events) drain() bool {
	for range v.ring.slots {
		at := v.handled.Load()
		slot := v.ring.next(at)
		if slot == nil {
			return false
		}
		v.handled.Store(at + 1)
		v.config.Handle(slot.event())
		v.ring.release(slot, at)
	}
	return true
}

// emit copies an event to the ring or drops it.
func (v *Events) emit(kind EventKind, reason Reason, source, key string, n int64, at, retry time.Duration, limit *Limit) {
	if !v.closed.Load() {
		if slot, position := v.ring.claim(); slot != nil {
			slot.kind, slot.reason, slot.source, slot.limit = kind, reason, source, limit
			slot.n, slot.at, slot.retry = n, at, retry
			slot.hash = xxhash.Sum64String(key)
			slot.length, slot.truncated = uint8(copy(slot.key[:], key)), len(key) > EventKeyBytes
			slot.publish(position)
			return
		}
	}
	v.dropped.Inc()
}
