// Package check computes what a limit allows a key, to hold an engine to it.
package check

import (
	"math"
	"math/bits"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
)

// Bound returns the most tokens that contract C1 lets one key take, all told, at
// instants from..to of the engine's clock, both included, when the key was never
// seen before. With T = to - from and P the period:
//
//   - token and leaky bucket: burst + floor(T·tokens/P). The key starts full,
//     and what T earns on top is not rounded up.
//   - fixed window: tokens in each window that from..to touches. Windows start
//     at multiples of P, so that is floor(to/P) - floor(from/P) + 1 of them.
//   - sliding counter: the same. The count of the current window is a part of
//     the estimate, which never exceeds tokens. Sharper for the whole only with
//     the counts of each window, which nobody kept.
//   - sliding log: tokens in each of the half-open spans [from+iP, from+(i+1)P)
//     that cover from..to. They begin with the traffic, not at multiples of P,
//     so that is floor(T/P) + 1 of them: never more than above, often one fewer.
func Bound(l engine.Limit, from, to time.Duration) int64 {
	if to < from {
		return 0
	}
	t, period := uint64(to-from), uint64(l.Period)
	switch l.Algorithm {
	case bucket.FixedWindowAlgorithm, bucket.SlidingCounterAlgorithm:
		return times(l.Tokens, uint64(to)/period-uint64(from)/period+1)
	case bucket.SlidingLogAlgorithm:
		return times(l.Tokens, t/period+1)
	default:
		return Plus(l.Capacity(), muldiv(t, uint64(l.Tokens), period))
	}
}

// muldiv returns floor(a·b/c), at most MaxInt64; floats would be off by more
// than one token where it matters.
func muldiv(a, b, c uint64) int64 {
	hi, lo := bits.Mul64(a, b)
	if hi >= c {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, c)
	return int64(min(q, math.MaxInt64))
}

// times multiplies, at most MaxInt64.
func times(a int64, b uint64) int64 { return muldiv(uint64(a), b, 1) }

// Plus adds two counts, at most MaxInt64.
func Plus(a, b int64) int64 { return a + min(b, math.MaxInt64-a) }

// Span is how long a limit was in force, from..to of the engine's clock.
type Span struct {
	Limit    engine.Limit
	From, To time.Duration
}

// BoundOf is Bound for a limit that was changed on the way. A change keeps what
// was used (contract C9), so a token or leaky bucket has one burst, the largest,
// and what each span earns; of the windows each span counts its own, which is
// one window too many for a change in mid-window.
func BoundOf(spans []Span) int64 {
	if len(spans) == 1 {
		return Bound(spans[0].Limit, spans[0].From, spans[0].To)
	}
	var total, burst int64
	for _, s := range spans {
		b := Bound(s.Limit, s.From, s.To)
		if a := s.Limit.Algorithm; a == bucket.TokenBucketAlgorithm || a == bucket.LeakyBucketAlgorithm {
			// One more: what is left of a token goes on into the next span.
			b = Plus(b-s.Limit.Capacity(), 1)
			burst = max(burst, s.Limit.Capacity())
		}
		total = Plus(total, b)
	}
	return Plus(total, burst)
}
