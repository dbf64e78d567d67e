package engine

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// eventRing is a bounded queue of many producers and one consumer, after Vyukov.
// Positions count up for ever; position p lies in slot p mod capacity.
//
//	seq of a slot = p              free for the producer that claims position p
//	              = p + 1          published
//	              = p + capacity   consumed: free for the next lap
//
// A producer claims a position by compare-and-swap of tail, writes the slot,
// then stores seq; the consumer reads seq, then the slot, then stores seq. So the
// two never touch a slot at once. A producer that was preempted between claim
// and publication keeps nobody waiting but the consumer: others publish behind
// it until the ring is full, and then drop.
type eventRing struct {
	slots []eventSlot
	_     [64]byte // tail has a cache line of its own: producers write it
	tail  atomic.Uint64
	_     [64]byte
}

// EventKeyBytes is how many bytes of a key an event keeps.
const EventKeyBytes = 60

type eventSlot struct {
	seq       atomic.Uint64
	at, retry time.Duration
	n         int64
	hash      uint64
	source    string
	limit     *Limit
	kind      EventKind
	reason    Reason
	length    uint8
	truncated bool
	key       [EventKeyBytes]byte
}

const _ = uint(128 - unsafe.Sizeof(eventSlot{})) // two cache lines

func newEventRing(capacity int) *eventRing {
	r := &eventRing{slots: make([]eventSlot, capacity)}
	for i := range r.slots {
		r.slots[i].seq.Store(uint64(i))
	}
	return r
}

func (r *eventRing) slot(position uint64) *eventSlot {
	return &r.slots[position&uint64(len(r.slots)-1)]
}

// claim returns a slot to fill and publish, or nil when the ring is full. It is
// lock-free: it starts again only when another producer has claimed a slot.
func (r *eventRing) claim() (slot *eventSlot, position uint64) {
	for {
		position = r.tail.Load()
		slot = r.slot(position)
		switch seq := slot.seq.Load(); {
		case seq == position:
			if r.tail.CompareAndSwap(position, position+1) {
				return slot, position
			}
		case seq < position: // still holds the event of the lap before
			return nil, 0
		}
	}
}

func (s *eventSlot) publish(position uint64) { s.seq.Store(position + 1) }

// next returns the slot at a position, or nil when it is not published yet.
func (r *eventRing) next(position uint64) *eventSlot {
	if slot := r.slot(position); slot.seq.Load() == position+1 {
		return slot
	}
	return nil
}

// release gives a consumed slot to the producers.
func (r *eventRing) release(slot *eventSlot, position uint64) {
	slot.seq.Store(position + uint64(len(r.slots)))
}

func (s *eventSlot) event() Event {
	return Event{
		Kind: s.kind, Reason: s.reason, Engine: s.source, Key: s.key[:s.length], Truncated: s.truncated,
		Hash: s.hash, N: s.n, At: s.at, RetryAfter: s.retry, Limit: s.limit,
	}
}
