package engine

import (
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// wordStore decides on keys whose state is one word of the table: all algorithms
// but the sliding window log.
type wordStore struct {
	table    *shard.Table
	rule     bucket.Rule
	span     uint64
	capacity int64
	counts   *counts
	events   *emitter
	overflow Overflow
}

func newWordStore(c Config, counts *counts, events *emitter) (*wordStore, error) {
	rule, err := bucket.NewRule(c.Limit)
	if err != nil {
		return nil, err
	}
	table := shard.New(rule, shard.Options{MaxKeys: c.MaxKeys, Share: c.Overflow == ShareNew})
	return &wordStore{table: table, rule: rule, span: rule.Span(), capacity: c.Limit.Capacity(), counts: counts, events: events, overflow: c.Overflow}, nil
}

// take is the hot path: hash, look-up, step, compare-and-swap. Whatever it meets
// that is not a resident, unsealed word within the span goes to locate.
func (w *wordStore) take(key string, n int64, now time.Duration) bucket.Outcome {
	hash := w.table.Hash(key)
	base, slot := w.table.Find(hash, key)
	for {
		if slot != nil {
			v, dt := slot.Load(), bucket.Since(now, base)
			if !shard.Sealed(v) && dt <= w.span {
				next, d := w.rule.Take(v, dt, n)
				// Linearization point: the swap of an admission, the load of a
				// denial. A denial writes nothing.
				if next == v || slot.CompareAndSwap(v, next) {
					w.counts.count(d.Reason)
					return d
				}
				w.counts.retry()
				continue
			}
		}
		if uint64(n)-1 >= uint64(w.capacity) {
			return w.refused(n) // and no key is made for it
		}
		if base, slot, _ = w.locate(hash, key, now, base); slot == nil {
			return w.full(n)
		}
	}
}

// locate is the slow path of take: it moves the base when now lies beyond the
// span, and finds or makes the key's slot under its shard's lock. A nil slot
// means that the table is full.
func (w *wordStore) locate(hash uint64, key string, now, base time.Duration) (time.Duration, *shard.Slot, shard.Status) {
	if bucket.Since(now, base) > w.span {
		w.table.Advance(hash, now)
	}
	base, slot, status := w.table.Acquire(hash, key, now)
	if status == shard.Shared {
		w.counts.share()
		w.events.shared(key, now)
	}
	return base, slot, status
}

// refused answers a cost that no state could admit, on a key that is not there.
func (w *wordStore) refused(n int64) bucket.Outcome {
	o := w.unseen(n)
	w.counts.count(o.Reason)
	return o
}

// full answers a key for which there is no room.
func (w *wordStore) full(n int64) bucket.Outcome {
	d := w.overflow.answer(w.unseen(n), w.rule.Limit())
	w.counts.count(d.Reason)
	return d
}

// unseen is the state of a key that is not in the table.
func (w *wordStore) unseen(n int64) bucket.Outcome { return w.rule.Peek(0, 0, n) }

func (w *wordStore) peek(key string, n int64, now time.Duration) bucket.Outcome {
	base, slot := w.table.Lookup(w.table.Hash(key), key)
	if slot == nil {
		return w.unseen(n)
	}
	// A sealed word holds the last value it had before it moved.
	return bucket.PeekAt(w.rule, shard.Value(slot.Load()), bucket.Since(now, base), n)
}

func (w *wordStore) giveBack(key string, n int64, now time.Duration) {
	hash := w.table.Hash(key)
	for {
		base, slot := w.table.Lookup(hash, key)
		if slot == nil {
			return
		}
		v, dt := slot.Load(), bucket.Since(now, base)
		switch {
		case shard.Sealed(v):
		case dt > w.span:
			w.table.Advance(hash, now)
		default:
			next := w.rule.Return(v, dt, n)
			if next == v || slot.CompareAndSwap(v, next) {
				return
			}
			w.counts.retry()
		}
	}
}

func (w *wordStore) forget(key string, now time.Duration) bool {
	return w.table.Forget(w.table.Hash(key), key, now)
}
