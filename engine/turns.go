package engine

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
	"github.com/puzpuzpuz/xsync/v3"
)

// turns are the promised turns of an engine's keys, for as long as they lie ahead:
// see bucket.Turns. A key's turns are granted and given back under a lock of its
// own; decisions never come here.
type turns struct {
	keys   *xsync.MapOf[string, *keyTurns]
	unpaid atomic.Int64 // entries made since the last sweep
}

// keyTurns are those of one key.
type keyTurns struct {
	mu      sync.Mutex // guards the rest; held while the table's locks are taken
	rule    bucket.Rule
	list    *bucket.Turns // of the rule; nil when it promises nothing ahead
	dropped bool          // no longer in the map
}

func newTurns() *turns { return &turns{keys: xsync.NewMapOf[string, *keyTurns]()} }

// enter returns the locked turns of a key; hand them back to leave.
func (t *turns) enter(key string, now time.Duration) *keyTurns {
	for {
		k, known := t.keys.Load(key)
		if !known {
			if t.unpaid.Add(1) > max(64, int64(t.keys.Size())) {
				t.sweep(now)
			}
			k, _ = t.keys.LoadOrCompute(strings.Clone(key), func() *keyTurns { return new(keyTurns) })
		}
		if k.mu.Lock(); !k.dropped {
			return k
		}
		k.mu.Unlock()
	}
}

// leave unlocks k, and drops it when no turn lies ahead.
func (t *turns) leave(key string, k *keyTurns, now time.Duration) {
	if k.list == nil || k.list.Empty(now) {
		k.dropped = true
		t.keys.Delete(key)
	}
	k.mu.Unlock()
}

// sweep drops the keys whose turns have all passed.
func (t *turns) sweep(now time.Duration) {
	t.unpaid.Store(0)
	t.keys.Range(func(key string, k *keyTurns) bool {
		if k.mu.TryLock() { // whoever holds it leaves
			t.leave(key, k, now)
		}
		return true
	})
}

// of makes k the turns of a rule. The turns of another rule are forgotten: they
// are kept, but cannot be given back any more.
func (k *keyTurns) of(r bucket.Rule) *bucket.Turns {
	if k.rule != r {
		k.rule, k.list = r, bucket.NewTurns(r)
	}
	return k.list
}

// turnWord is the word of a key for its turns.
type turnWord struct {
	w    *wordStore
	hash uint64
	key  string
	rule bucket.Rule // of the turns
	// last is the instant of the last turn that may be given back. A word of a
	// later epoch may be a successor that was never charged for it: the sweep
	// found the key idle, and its caller reads an older clock.
	last time.Duration
	slot *shard.Slot
}

func (t *turnWord) Load(now time.Duration) (v uint64, base time.Duration, ok bool) {
	for {
		base, slot, born := t.w.table.Lookup(t.hash, t.key)
		if slot == nil || born > t.last {
			return 0, 0, false
		}
		r := t.w.plans.rule(slot.Rule()) // before the word: see take
		switch v = slot.Load(); {
		case shard.Sealed(v):
		case r.Rule != t.rule:
			return 0, 0, false
		case bucket.Since(now, base) > r.span:
			t.w.table.Advance(t.hash, now)
		default:
			t.slot = slot
			return v, base, true
		}
	}
}

func (t *turnWord) CompareAndSwap(old, next uint64) bool {
	if t.slot.CompareAndSwap(old, next) {
		return true
	}
	t.w.counts.retry()
	return false
}

// reserve takes n tokens for a turn within longest. Ahead says that the key's
// limit promises turns ahead; only then is there a promise.
func (w *wordStore) reserve(key string, n int64, longest, now time.Duration) (turn bucket.Turn, p *bucket.Promise, ahead bool) {
	hash := w.table.Hash(key)
	k := w.turns.enter(key, now)
	defer w.turns.leave(key, k, now)
	for {
		base, slot := w.table.Find(hash, key)
		if slot == nil || shard.Sealed(slot.Load()) {
			var m missed
			if _, slot = w.miss(hash, key, n, now, base, &m); slot == nil || m.shared {
				break // there is no word of its own
			}
		}
		r := w.plans.rule(slot.Rule()).Rule
		list := k.of(r)
		if list == nil {
			break
		}
		word := turnWord{w: w, hash: hash, key: key, rule: r, last: bucket.Never}
		if turn, p, ok := list.Reserve(&word, n, longest, now); ok {
			w.counts.count(turn.Reason)
			return turn, p, true
		}
		k.rule = nil // another one, or the key has gone meanwhile
	}
	o, _ := w.take(hash, key, n, now)
	return bucket.Turn{Delay: o.RetryAfter, RetryAfter: o.RetryAfter, Reason: o.Reason}, nil, false
}

// cancel gives a turn back, and reports whether it could.
func (w *wordStore) cancel(key string, p *bucket.Promise, at, now time.Duration) bool {
	k := w.turns.enter(key, now)
	defer w.turns.leave(key, k, now)
	word := turnWord{w: w, hash: w.table.Hash(key), key: key, rule: k.rule, last: at}
	return k.list != nil && k.list.Cancel(&word, p, now)
}

// giveBackBeside is giveBack, or undo of what was admitted some time before, under
// a rule that has granted turns ahead.
func (w *wordStore) giveBackBeside(key string, n int64, r bucket.Rule, since *time.Duration, now time.Duration) {
	k := w.turns.enter(key, now)
	defer w.turns.leave(key, k, now)
	list := k.of(r)
	word := turnWord{w: w, hash: w.table.Hash(key), key: key, rule: r, last: bucket.Never}
	if since == nil {
		list.Return(&word, n, now)
		return
	}
	list.Undo(&word, n, bucket.Since(now, *since), now)
}
