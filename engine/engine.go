package engine

import (
	"iter"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// Engine limits keys. It is safe for concurrent use; make one with New and do
// not copy it.
//
// Every method that decides at once has a twin that takes the instant, and one for
// a key in []byte, which the engine does not keep. An integer or an address is the
// key of its bytes, most significant first: TakeUint64, TakeAddr and AppendAddr.
type Engine struct {
	clock   Clock
	coarse  *CoarseClock // clock, when it is one: saves the interface call
	words   *wordStore   // nil for sliding window logs
	logs    *logStore    // nil for everything else
	counts  *counts      // nil when counting is off
	events  *emitter     // nil without Events
	sweeps  *sweeper     // nil without SweepEvery
	plans   *plans
	prefix  prefixes
	lines   lines
	accepts func(Limit) error // whether a limit is one that New would take
	maxLog  uint64            // tokens that a log has room for
}

// New returns an engine, or an error that names what is wrong with c. Call Close
// when it is no longer needed.
func New(c Config) (*Engine, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	plans, err := newPlans(c)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		clock: c.Clock, plans: plans, prefix: newPrefixes(c), lines: newLines(), accepts: c.accepts, maxLog: uint64(max(0, c.MaxLogBytes-bucket.LogOverhead) / 8),
		counts: newCounts(c.NoStats), events: newEmitter(c),
	}
	if c.Limit.Algorithm == bucket.SlidingLogAlgorithm {
		e.logs = newLogStore(c, plans, e.counts, e.events)
	} else {
		e.words = newWordStore(c, plans, e.counts, e.events)
	}
	if coarse, ok := c.Clock.(*CoarseClock); ok {
		if err := coarse.acquire(); err != nil {
			return nil, err
		}
		e.coarse = coarse
	}
	if c.SweepEvery > 0 {
		e.sweeps = startSweeper(e, c.SweepEvery)
	}
	return e, nil
}

// Close stops the engine's goroutines and waits for them. A closed engine still
// decides, on an exact clock, and sweeps only when keys are inserted. Call Close
// once.
func (e *Engine) Close() {
	if e.sweeps != nil {
		e.sweeps.close()
	}
	if e.coarse != nil {
		e.coarse.release()
	}
}

// Limit returns the limit of keys that have no plan.
func (e *Engine) Limit() Limit { return *e.plans.list[0].limit.Load() }

// Now reads the engine's clock.
func (e *Engine) Now() time.Duration {
	if e.coarse != nil {
		return e.coarse.Now()
	}
	return e.clock.Now()
}

// Allow takes one token of key and reports whether it could.
func (e *Engine) Allow(key string) bool {
	var d Decision
	e.takeString(&d, key, 1, e.Now())
	return d.OK
}

// Take takes n tokens of key, or none and says when it could. n of zero or less
// is denied with reason InvalidN.
func (e *Engine) Take(key string, n int64) (d Decision) {
	e.takeNow(&d, key, n)
	return d
}

// takeNow keeps Take small enough to be inlined, so that the decision is written
// where the caller wants it.
func (e *Engine) takeNow(d *Decision, key string, n int64) { e.takeString(d, key, n, e.Now()) }

// TakeAt is Take at an instant of the engine's clock. Instants before 0 count as 0.
func (e *Engine) TakeAt(key string, n int64, now time.Duration) (d Decision) {
	e.takeString(&d, key, n, now)
	return d
}

//go:generate go run github.com/limit64/limit64/gen -paths -o paths.go

// takeGeneric takes n tokens of a key whatever its rule and wherever it is. It is
// written by hand, and what the generated paths are tested against.
func (e *Engine) takeGeneric(d *Decision, key string, n int64, now time.Duration) {
	var o bucket.Outcome
	var limit int64
	if e.words != nil {
		o, limit = e.words.take(e.words.table.Hash(key), key, n, now)
	} else {
		o, limit = e.logs.take(key, n, now)
	}
	o.Fill(d, limit)
	e.events.decided(key, n, now, d)
}

// Peek returns what Take would answer, but takes nothing, changes nothing and
// creates nothing; Remaining and ResetAfter describe the key as it is.
func (e *Engine) Peek(key string, n int64) Decision { return e.PeekAt(key, n, e.Now()) }

// PeekAt is Peek at an instant of the engine's clock.
func (e *Engine) PeekAt(key string, n int64, now time.Duration) (d Decision) {
	o, limit := e.look(key, n, now)
	o.Fill(&d, limit)
	return d
}

// Return gives n tokens back that were taken but not used. A key never has more
// than its capacity; n of zero or less, and an unknown key, change nothing.
func (e *Engine) Return(key string, n int64) { e.ReturnAt(key, n, e.Now()) }

// ReturnAt is Return at an instant of the engine's clock.
func (e *Engine) ReturnAt(key string, n int64, now time.Duration) {
	if e.words != nil {
		e.words.giveBack(key, n, now)
		return
	}
	e.logs.giveBack(key, n, now)
}

// Forget drops a key with all that it has used, and reports whether it was there.
// Its next request finds it as if never seen. It blocks on the key's shard.
func (e *Engine) Forget(key string) bool {
	if e.words != nil {
		return e.words.forget(key, e.Now())
	}
	return e.logs.forget(key)
}

// AllowBytes is Allow for a key in bytes.
func (e *Engine) AllowBytes(key []byte) bool { return e.Allow(shard.Bytes(key)) }

// TakeBytes is Take for a key in bytes.
func (e *Engine) TakeBytes(key []byte, n int64) Decision { return e.Take(shard.Bytes(key), n) }

// TakeBytesAt is TakeAt for a key in bytes.
func (e *Engine) TakeBytesAt(key []byte, n int64, now time.Duration) Decision {
	return e.TakeAt(shard.Bytes(key), n, now)
}

// PeekBytes is Peek for a key in bytes.
func (e *Engine) PeekBytes(key []byte, n int64) Decision { return e.Peek(shard.Bytes(key), n) }

// PeekBytesAt is PeekAt for a key in bytes.
func (e *Engine) PeekBytesAt(key []byte, n int64, now time.Duration) Decision {
	return e.PeekAt(shard.Bytes(key), n, now)
}

// ReturnBytes is Return for a key in bytes.
func (e *Engine) ReturnBytes(key []byte, n int64) { e.Return(shard.Bytes(key), n) }

// ReturnBytesAt is ReturnAt for a key in bytes.
func (e *Engine) ReturnBytesAt(key []byte, n int64, now time.Duration) {
	e.ReturnAt(shard.Bytes(key), n, now)
}

// ForgetBytes is Forget for a key in bytes.
func (e *Engine) ForgetBytes(key []byte) bool { return e.Forget(shard.Bytes(key)) }

// Len returns the number of keys held; idle ones count until they are swept.
func (e *Engine) Len() int {
	if e.words != nil {
		return e.words.table.Len()
	}
	return e.logs.len()
}

// Sweep looks through all keys once and forgets the idle ones of every shard in
// which they are a quarter or more. It blocks, each shard for some ten
// microseconds, and never makes a decision wait for the whole of it.
func (e *Engine) Sweep() { e.SweepAt(e.Now()) }

// SweepAt is Sweep at an instant of the engine's clock.
func (e *Engine) SweepAt(now time.Duration) {
	if e.words != nil {
		e.words.table.SweepAll(now)
		e.words.turns.sweep(now)
		return
	}
	e.logs.sweep(now)
}

// All iterates over the live keys, those that are not idle, and their state as
// Peek(key, 1) shows it. Keys that come or go during the loop may be missed; the
// body may call the engine.
func (e *Engine) All() iter.Seq2[string, Decision] {
	return func(yield func(string, Decision) bool) {
		visit := func(key string) bool {
			d := e.Peek(key, 1)
			return d.ResetAfter == 0 || yield(key, d)
		}
		if e.words != nil {
			for entry := range e.words.table.All() {
				if !visit(entry.Key) {
					return
				}
			}
			return
		}
		e.logs.all(visit)
	}
}
