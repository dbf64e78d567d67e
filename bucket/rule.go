package bucket

import (
	"math"
	"time"
)

// ValueBits is how many bits of a word an algorithm may use; the top bit of a
// 64-bit word is left for the seal.
const ValueBits = 63

// MaxValue is the largest value (I2).
const MaxValue = 1<<ValueBits - 1

// Rule is a limit compiled to pure steps on (value, dt, n), where dt is the
// nanoseconds since the value's base and at most Span. A Rule is safe for
// concurrent use; its methods neither block nor allocate. It is immutable, but
// that waits are counted from a stale dt, instead of the newest instant that the
// value proves, once a turn ahead has been granted: values may then be debts.
type Rule interface {
	// Limit returns the limit that was compiled.
	Limit() Limit
	// Take decides about n tokens. It returns the value to store, which is v
	// itself, bit for bit, unless the decision is OK.
	Take(v, dt uint64, n int64) (uint64, Outcome)
	// Peek returns what Take would answer, except that Remaining and ResetAfter
	// describe the value as it is: nothing is taken.
	Peek(v, dt uint64, n int64) Outcome
	// Reserve is Take for a caller that waits for at most longest, and says how
	// long: a token bucket lets later earnings be spent now, a leaky bucket
	// spaces its turns by the emission interval. Algorithms that count in
	// windows promise nothing ahead: they grant what Take would, or refuse.
	// Longest of zero or less grants only what needs no wait.
	Reserve(v, dt uint64, n int64, longest time.Duration) (uint64, Turn)
	// Return gives n tokens back, never above the capacity, and returns the
	// value to store. n of zero or less gives nothing.
	Return(v, dt uint64, n int64) uint64
	// Undo takes one admission of n tokens back that wrote the value after (in
	// terms of v's base: rebased where that has moved) elapsed nanoseconds
	// before dt, and returns the value to store: as if the admission had never
	// been, or less full where others came in between and that is not known.
	// No instant later than dt may have been used since. Where v is still after,
	// the value before it is the better answer.
	Undo(v, dt, elapsed, after uint64, n int64) uint64
	// Idle reports whether v answers like Fresh(dt) from dt on.
	Idle(v, dt uint64) bool
	// Fresh is the value of a key that is born full at dt: full from dt on, and
	// for a stale instant before it no fuller than an idle value could be.
	Fresh(dt uint64) uint64
	// Span is the largest dt that the other methods accept.
	Span() uint64
	// Advance returns how far to move the base so that dt falls well inside the
	// span again. It is at most dt.
	Advance(dt uint64) uint64
	// Rebase expresses v relative to a base that lies delta later. Answers from
	// the new base on stay the same, or are stricter by one unit where delta is
	// no multiple of the rule's own period.
	Rebase(v, delta uint64) uint64

	// used returns the tokens that a value which is not idle has used, rounded
	// up, and dt or the newer instant that the value knows; charged undoes it for
	// a count that was used under a limit of another capacity. See Convert.
	used(v, dt uint64) (tokens, at uint64)
	charged(used uint64, capacity int64, at uint64) uint64
}

// NewRule compiles a limit of any algorithm but the sliding window log, which
// has a [Log] instead. The error names the value that is refused.
func NewRule(l Limit) (Rule, error) { return NewRuleFrom(l, 0) }

// NewRuleFrom is NewRule for a limit that others may be changed to: a window's
// values have room for most tokens, the largest that any of them allows, so that
// a lower limit still knows how much was used.
func NewRuleFrom(l Limit, most int64) (Rule, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	switch l.Algorithm {
	case FixedWindowAlgorithm:
		return newWindow(l, most), nil
	case SlidingCounterAlgorithm:
		return newCounter(l, min(most, MaxCounterTokens)), nil
	case SlidingLogAlgorithm:
		return nil, l.errorf("a sliding window log does not fit a word")
	default:
		return newSpent(l), nil
	}
}

// PeekAt is r.Peek for any dt. Beyond the span it looks at the value as it would
// be after the base had moved, and moves nothing.
func PeekAt(r Rule, v, dt uint64, n int64) Outcome {
	if dt > r.Span() {
		delta := r.Advance(dt)
		v, dt = r.Rebase(v, delta), dt-delta
	}
	return r.Peek(v, dt, n)
}

// Since returns the nanoseconds from base to now, 0 when now is before base: a
// stale instant counts as the newest that the base knows.
func Since(now, base time.Duration) uint64 {
	if now < base {
		return 0
	}
	return uint64(now) - uint64(base)
}

// wait converts nanoseconds to a duration, at most just below Never.
func wait(ns uint64) time.Duration {
	if ns >= math.MaxInt64 {
		return Never - 1
	}
	return time.Duration(ns)
}
