package bucket

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// The token bucket and the leaky bucket keep neither tokens nor a time but the
// spent-token index C: how many units were spent since the base, where a unit
// is a fixed fraction of a token. What was earned is computed from dt:
//
//	K(dt)     = floor(dt · num / den)            units
//	available = min(capacity, capacity + K(dt) - C)
//	admit n when C + n <= capacity + K(dt)       n in units
//	then C'   = max(C, ceil(dt · num / den)) + n
//
// C = 0 is full at every dt: never used. A stale dt only sees a smaller K, so it
// never mints tokens. The max means that a full bucket banks nothing; its ceil
// makes burst + T·rate hold to the last fraction of a unit: the spender who
// finds the bucket full pays for the fraction that the floor would give back.
//
// Wherever 63 bits allow it a token has period/gcd units and den is 1: one unit
// is what one nanosecond earns, divided by tokens/gcd, and nothing is rounded at
// all. Otherwise (a rate that shares few factors with the second, a very large
// burst) a token has 2^f units with the largest f that fits.
//
// GCRA keeps the same number for num = den = 1 and calls it the theoretical
// arrival time.
type spent struct {
	capacity uint64  // in units
	burst    int64   // the same in tokens
	unit     Divisor // units per token
	earn     ratio   // num/den: units earned per nanosecond
	wait     ratio   // den/num: nanoseconds to earn a unit
	span     uint64
	horizon  uint64 // units that a debt may lack
	limit    Limit
	owes     atomic.Bool // a turn ahead was granted: C may be a debt
}

const (
	maxCapacityUnits = 1 << 61
	maxEarnedUnits   = 1 << 62
	minSpan          = 1 << 42 // 73 minutes: a base moves at most that often
)

func newSpent(l Limit) *spent {
	g := gcd(uint64(l.Tokens), uint64(l.Period))
	tokens, period := uint64(l.Tokens)/g, uint64(l.Period)/g
	unit, num, den := exactUnits(tokens, period, uint64(l.Capacity()))
	if unit == 0 {
		unit, num, den = roundedUnits(tokens, period, uint64(l.Capacity()))
	}
	s := &spent{
		limit: l, burst: l.Capacity(), capacity: uint64(l.Capacity()) * unit, unit: NewDivisor(unit),
		earn: newRatio(num, den), wait: newRatio(den, num),
	}
	s.horizon = newHorizon(s.earn)
	s.span = MaxValue
	if hi, lo := bits.Mul64(maxEarnedUnits, den); hi < num {
		s.span = min(s.span, first(bits.Div64(hi, lo, num)))
	}
	return s
}

// exactUnits returns units that need no rounding, or 0 where they do not fit.
func exactUnits(tokens, period, burst uint64) (unit, num, den uint64) {
	hi, capacity := bits.Mul64(burst, period)
	if hi != 0 || capacity > maxCapacityUnits || tokens > maxEarnedUnits/minSpan {
		return 0, 0, 0
	}
	return period, tokens, 1
}

// roundedUnits returns 2^f units per token, with the largest f for which the
// capacity, what a span earns, and num fit.
func roundedUnits(tokens, period, burst uint64) (unit, num, den uint64) {
	twos := bits.TrailingZeros64(period)
	f := 61 - bits.Len64(burst-1)
	for f > 0 && !roundingFits(tokens, period, f, twos) {
		f--
	}
	k := min(f, twos) // keeps num and den coprime
	return 1 << f, tokens << (f - k), period >> k
}

// roundingFits keeps num below half of maxEarnedUnits, so that a span, in which
// maxEarnedUnits are earned, is at least 2·den nanoseconds (Advance).
func roundingFits(tokens, period uint64, f, twos int) bool {
	k := min(f, twos)
	if bits.Len64(tokens)+f-k > bits.Len64(maxEarnedUnits)-2 {
		return false
	}
	num, den := tokens<<(f-k), period>>k
	return first(bits.Div64(0, num, den)) < maxEarnedUnits/minSpan
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (s *spent) Limit() Limit { return s.limit }
func (s *spent) Span() uint64 { return s.span }

// earned returns K(dt), and 1 when the floor dropped a fraction.
func (s *spent) earned(dt uint64) (k, fraction uint64) { return s.earn.floor(dt) }

// when returns the least dt at which K(dt) >= x: the inverse of earned.
func (s *spent) when(x uint64) uint64 { return s.wait.ceil(x) }

// Take is the hot path and calls nothing while it admits; Peek says the same in
// the words of the formula above.
func (s *spent) Take(v, dt uint64, n int64) (uint64, Outcome) {
	if uint64(n)-1 >= uint64(s.burst) {
		return v, refused(s.Peek(v, dt, 1), n)
	}
	k, fraction := dt*s.earn.whole, uint64(0)
	if s.earn.frac != 0 {
		k, fraction = s.earn.rounded(dt)
	}
	cost := uint64(n) * s.unit.d
	if v+cost > k+s.capacity {
		return v, s.denied(v, dt, k, fraction, cost)
	}
	next := max(v, k+fraction) + cost
	o := Outcome{Remaining: s.remaining(next, k)}
	if s.wait.frac == 0 {
		o.ResetAfter = time.Duration(next*s.wait.whole - dt)
	} else {
		o.ResetAfter = time.Duration(s.when(next) - dt)
	}
	return next, o
}

func (s *spent) Peek(v, dt uint64, n int64) Outcome {
	k, fraction := s.earned(dt)
	if uint64(n)-1 >= uint64(s.burst) {
		return refused(s.state(v, dt, k, fraction), n)
	}
	cost := uint64(n) * s.unit.d
	if v+cost > k+s.capacity {
		return s.denied(v, dt, k, fraction, cost)
	}
	return s.state(v, dt, k, fraction)
}

// state describes the value v with K(dt) = k as an admission.
func (s *spent) state(v, dt, k, fraction uint64) Outcome {
	o := Outcome{Remaining: s.remaining(v, k)}
	if v > k {
		o.ResetAfter = wait(s.when(v) - s.newest(v, dt, k+fraction))
	}
	return o
}

func (s *spent) denied(v, dt, k, fraction, cost uint64) Outcome {
	o := s.state(v, dt, k, fraction)
	o.Reason = Denied
	o.RetryAfter = wait(s.when(v+cost-s.capacity) - s.newest(v, dt, k+fraction))
	return o
}

func (s *spent) remaining(v, k uint64) int64 {
	if v >= k+s.capacity {
		return 0
	}
	q, _ := s.unit.Div(min(s.capacity, k+s.capacity-v))
	return int64(q)
}

// newest returns dt, or the instant that v proves to have been reached: more
// was spent than dt had earned, even rounded up, so dt is stale. Waits count from
// there. Once turns ahead are granted it proves nothing, and a wait that left out
// a debt would be too short: then waits count from dt.
func (s *spent) newest(v, dt, earnedCeil uint64) uint64 {
	if v <= earnedCeil+s.capacity || s.owes.Load() {
		return dt
	}
	return s.when(v - s.capacity)
}

func (s *spent) Return(v, dt uint64, n int64) uint64 {
	k, fraction := s.earned(dt)
	if n <= 0 || v <= k {
		return v
	}
	hi, back := bits.Mul64(uint64(n), s.unit.d)
	if hi != 0 || back >= v-k {
		return min(v, k+fraction)
	}
	return v - back
}

func (s *spent) Idle(v, dt uint64) bool {
	k, _ := s.earned(dt)
	return v <= k
}

func (s *spent) Fresh(dt uint64) uint64 {
	k, _ := s.earned(dt)
	return k
}

// Advance leaves half a span behind the new base for stale callers, and moves
// by a multiple of den, so that Rebase rounds nothing. The other half is never
// shorter than den, so dt then lies in the span: see roundingFits.
func (s *spent) Advance(dt uint64) uint64 {
	delta := dt - min(dt, s.span/2)
	return delta - delta%s.earn.den
}

func (s *spent) Rebase(v, delta uint64) uint64 {
	hi, lo := bits.Mul64(delta, s.earn.num)
	if hi >= s.earn.den {
		return 0
	}
	k := first(bits.Div64(hi, lo, s.earn.den))
	return v - min(v, k)
}
