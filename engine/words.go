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
	plans    *plans
	turns    *turns
	counts   *counts
	events   *emitter
	overflow Overflow
	maxKeys  int64
}

func newWordStore(c Config, plans *plans, counts *counts, events *emitter) *wordStore {
	table := shard.New(plans, shard.Options{MaxKeys: c.MaxKeys, Share: c.Overflow == ShareNew, Depth: c.depth})
	return &wordStore{table: table, plans: plans, turns: newTurns(), counts: counts, events: events, overflow: c.Overflow, maxKeys: int64(c.MaxKeys)}
}

// take is the generic path: look-up by the key's hash, step, compare-and-swap. All
// that is not a resident, unsealed word within the span goes to miss. It returns
// the key's capacity along with the outcome.
func (w *wordStore) take(hash uint64, key string, n int64, now time.Duration) (bucket.Outcome, int64) {
	base, slot := w.table.Find(hash, key)
	for {
		if slot != nil {
			// The rule before the word: while the word is not sealed, its number
			// has not been given to another rule.
			r := w.plans.rule(slot.Rule())
			v, dt := slot.Load(), bucket.Since(now, base)
			if !shard.Sealed(v) && dt <= r.span {
				next, d := r.Take(v, dt, n)
				// Linearization point: the swap of an admission, the load of a
				// denial. A denial writes nothing.
				if next == v || slot.CompareAndSwap(v, next) {
					w.counts.count(d.Reason)
					return d, r.capacity
				}
				w.counts.retry()
				continue
			}
		}
		var m missed
		if base, slot = w.miss(hash, key, n, now, base, &m); slot == nil {
			w.counts.count(m.answer.Reason)
			return m.answer, m.limit
		}
	}
}

// step takes from a slot that was found, by whatever rule it has. It reports
// whether it could: not from a sealed word.
func (w *wordStore) step(d *Decision, slot *shard.Slot, r *compiled, dt uint64, n int64) bool {
	for {
		v := slot.Load()
		if shard.Sealed(v) {
			return false
		}
		next, o := r.Take(v, dt, n)
		if next == v || slot.CompareAndSwap(v, next) { // linearization point, as in take
			w.counts.count(o.Reason)
			o.Fill(d, r.capacity)
			return true
		}
		w.counts.retry()
	}
}

// missed is what miss tells beside the slot.
type missed struct {
	answer bucket.Outcome // without a slot
	limit  int64
	shared bool // the slot is not the key's own
}

// miss is the slow path of whoever takes: it moves the base when now lies beyond
// the span, and finds or makes the key's slot under its shard's lock. A nil slot
// means that there is only an answer: no key is made for a cost that cannot fit,
// nor in a table that is full.
func (w *wordStore) miss(hash uint64, key string, n int64, now, base time.Duration, m *missed) (time.Duration, *shard.Slot) {
	asked := w.plans.asked.Load()
	plan := w.plans.of(key)
	if uint64(n)-1 >= uint64(w.ruleOf(key, plan).capacity) {
		// The key may be spilled, sealed, or beyond the span all the same.
		if m.answer, m.limit = w.peek(key, n, now); !m.answer.OK() {
			return 0, nil
		}
	}
	if bucket.Since(now, base) > w.plans.Span() {
		w.table.Advance(hash, now)
	}
	base, slot, status := w.table.Acquire(hash, key, plan, now)
	if asked != w.plans.asked.Load() { // the key may have another plan by now
		w.table.Reassign(hash, key, w.plans.of(key), now)
	}
	switch status {
	case shard.Full:
		r := w.ruleOf(key, plan)
		m.answer, m.limit = w.overflow.answer(r.Peek(0, 0, n), r.Limit()), r.capacity
	case shard.Shared:
		m.shared = true
		w.counts.share()
		w.events.shared(key, now)
	}
	return base, slot
}

// ruleOf returns the rule that a key has when it is made now.
func (w *wordStore) ruleOf(key string, plan int) *compiled {
	return w.plans.rule(w.plans.Assign(key, plan))
}

func (w *wordStore) peek(key string, n int64, now time.Duration) (bucket.Outcome, int64) {
	for {
		base, slot, born := w.table.Lookup(w.table.Hash(key), key)
		if slot == nil {
			r := w.ruleOf(key, w.plans.of(key))
			return bucket.PeekAt(r.Rule, r.Fresh(bucket.Since(born, base)), bucket.Since(now, base), n), r.capacity
		}
		r := w.plans.rule(slot.Rule())
		if v := slot.Load(); !shard.Sealed(v) {
			return bucket.PeekAt(r.Rule, v, bucket.Since(now, base), n), r.capacity
		}
	}
}

func (w *wordStore) giveBack(key string, n int64, now time.Duration) {
	hash := w.table.Hash(key)
	for {
		base, slot, _ := w.table.Lookup(hash, key)
		if slot == nil {
			return
		}
		r := w.plans.rule(slot.Rule())
		v, dt := slot.Load(), bucket.Since(now, base)
		switch {
		case shard.Sealed(v):
		case dt > r.span:
			w.table.Advance(hash, now)
		case bucket.Promises(r.Rule):
			w.giveBackBeside(key, n, r.Rule, nil, now)
			return
		default:
			next := r.Return(v, dt, n)
			if next == v || slot.CompareAndSwap(v, next) {
				return
			}
			w.counts.retry()
		}
	}
}

func (w *wordStore) forget(key string, now time.Duration) bool {
	k := w.turns.enter(key, now) // no turn of the key is granted meanwhile
	defer w.turns.leave(key, k, now)
	k.rule, k.list = nil, nil
	return w.table.Forget(w.table.Hash(key), key, now)
}
