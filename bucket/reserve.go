package bucket

import "time"

// Turn answers a request that is ready to wait until its turn comes.
type Turn struct {
	// Delay is the wait until the turn, 0 when it is now. Of a refusal it is the
	// wait that would have been needed, Never when no wait helps.
	Delay time.Duration
	// RetryAfter is the least wait after which the same request would be
	// granted if nobody else asks: 0 when granted, Never when no wait helps.
	RetryAfter time.Duration
	// Reason says why; a turn that is too late is Denied.
	Reason Reason
}

// OK says whether the turn was granted.
func (t Turn) OK() bool { return t.Reason.OK() }

// turnNow is the turn of an algorithm that promises nothing ahead.
func turnNow(next uint64, o Outcome) (uint64, Turn) {
	return next, Turn{Delay: o.RetryAfter, RetryAfter: o.RetryAfter, Reason: o.Reason}
}

// Promises reports whether a turn ahead has been granted under r: then values may be
// debts, and what is given back must go through the [Turns] of its key. Ask after
// the value was loaded: a turn that was granted since has changed it.
func Promises(r Rule) bool {
	s, ok := r.(*spent)
	return ok && s.owes.Load()
}

func (w *window) Reserve(v, dt uint64, n int64, _ time.Duration) (uint64, Turn) {
	return turnNow(w.Take(v, dt, n))
}

func (c *counter) Reserve(v, dt uint64, n int64, _ time.Duration) (uint64, Turn) {
	return turnNow(c.Take(v, dt, n))
}

// A turn ahead is a debt: the index C runs ahead of what has been earned, and
//
//	turn = least t >= dt with K(t) >= C + n - allowance
//	C'   = max(C, ceil(turn · num / den)) + n
//
// which is what Take would store at the turn. The allowance is how far C may be
// ahead of K at a turn: the capacity for a token bucket. A leaky bucket shapes, so
// there it is just n: a turn comes when all before it have drained, and the bucket
// is charged for n more.
//
// A drained instant mostly lies between two nanoseconds. Its turn is rounded down,
// so that n turns take n intervals and no rounding adds up; C is then still at
// least ceil(turn · num / den), and the bound of the meter holds beside Take. Only
// n as large as the capacity leaves no room for that and is rounded up.

// Reserve is Take for a caller that waits for at most longest. A debt reaches at
// most the horizon: 2^61 units, or 73 years.
func (s *spent) Reserve(v, dt uint64, n int64, longest time.Duration) (uint64, Turn) {
	if uint64(n)-1 >= uint64(s.burst) {
		return v, Turn{Delay: Never, RetryAfter: Never, Reason: refused(Outcome{}, n).Reason}
	}
	k, _ := s.earned(dt)
	cost := uint64(n) * s.unit.d
	need := v + cost - min(v+cost, s.allowance(cost))
	at := dt
	if need > k {
		at = s.when(need)
	}
	early := uint64(0) // how much later it would be granted
	if need > k+s.horizon {
		early = s.when(need-s.horizon) - dt
	}
	if longest := uint64(max(longest, 0)); at-dt > longest {
		early = max(early, at-dt-longest)
	}
	if early > 0 {
		return v, Turn{Delay: wait(at - dt), RetryAfter: wait(early), Reason: Denied}
	}
	if at > dt && !s.owes.Load() {
		s.owes.Store(true) // before the caller can store the debt: see newest
	}
	k, fraction := s.earned(at)
	return max(v, k+fraction) + cost, Turn{Delay: time.Duration(at - dt)}
}

func (s *spent) allowance(cost uint64) uint64 {
	if s.limit.Algorithm == LeakyBucketAlgorithm {
		return min(s.capacity, cost+s.slip())
	}
	return s.capacity
}

// slip is what a nanosecond earns at most, less the unit that a turn rounded up
// may be late by where units are exact.
func (s *spent) slip() uint64 {
	if s.earn.den == 1 {
		return s.earn.num - 1
	}
	return s.earn.whole + 1
}

// maxDebt keeps a value with any debt below MaxValue: a span earns 2^62 units, and
// the capacity is at most 2^61.
const maxDebt = 1<<61 - 1

// newHorizon returns how many units K may lack at a turn: what fits the value, and
// at most 2^61 ns, so that with the refill of a whole bucket on top no wait
// overflows.
func newHorizon(earn ratio) uint64 {
	if earn.whole > 0 {
		return maxDebt
	}
	k, _ := earn.floor(maxDebt)
	return k
}
