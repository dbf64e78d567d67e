package engine

import (
	"time"

	"github.com/limit64/limit64/bucket"
)

// Reservation is the answer to Reserve: a turn that is granted, or a refusal.
type Reservation struct {
	// Turn says how long to wait, and whether it was granted: see OK.
	bucket.Turn
	// At is the instant of the turn, on the engine's clock.
	At      time.Duration
	engine  *Engine
	key     string
	promise *bucket.Promise // nil when there is nothing to give back
}

// Reserve takes n tokens of key for a turn that comes within longest, or none.
// The caller waits for Delay, and then goes ahead without asking again: turns that
// are kept are within the limit. To wait for any time, pass Never; a turn lies at
// most 73 years ahead.
//
// A token bucket spends what it will earn; a leaky bucket spaces turns by its
// emission interval, and lets no burst through. Those that come first have the
// earlier turns, and a Take sees what has been promised: it is denied until then.
// Windows and logs promise nothing ahead: they grant what Take would admit, with
// no wait, and refuse the rest; Delay then says how long.
//
// Reserve blocks while another turn of the same key is granted or given back, and
// allocates: each turn ahead takes some hundred bytes until it has come.
func (e *Engine) Reserve(key string, n int64, longest time.Duration) Reservation {
	return e.ReserveAt(key, n, longest, e.Now())
}

// ReserveAt is Reserve at an instant of the engine's clock.
func (e *Engine) ReserveAt(key string, n int64, longest, now time.Duration) Reservation {
	r, _ := e.reserve(key, n, longest, now)
	return r
}

// reserve also says whether the key's limit promises turns ahead.
func (e *Engine) reserve(key string, n int64, longest, now time.Duration) (r Reservation, ahead bool) {
	now = max(now, 0)
	r = Reservation{engine: e, key: key}
	if e.words != nil {
		r.Turn, r.promise, ahead = e.words.reserve(key, n, longest, now)
	} else {
		o, _ := e.logs.take(key, n, now)
		r.Turn = bucket.Turn{Delay: o.RetryAfter, RetryAfter: o.RetryAfter, Reason: o.Reason}
	}
	if !r.OK() {
		e.events.decided(key, n, now, &Decision{Reason: r.Reason, RetryAfter: r.RetryAfter})
		return r, ahead
	}
	r.At = now + r.Delay
	return r, ahead
}

// Cancel gives the tokens back, and reports whether it did: in any order, once,
// and not after the turn has come. What others take afterwards may use them, but
// turns that were granted keep their instants; when all are cancelled the key is
// as before.
//
// Nothing comes back once Forget has dropped the key, or its limit has changed.
// It blocks like Reserve.
func (r *Reservation) Cancel() bool {
	return r.promise != nil && r.CancelAt(r.engine.Now())
}

// CancelAt is Cancel at an instant of the engine's clock.
func (r *Reservation) CancelAt(now time.Duration) bool {
	return r.promise != nil && r.engine.words.cancel(r.key, r.promise, r.At, now)
}
