package main

import (
	"math"
	"math/bits"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
)

// bound returns the most tokens that contract C1 lets one key take, all told, at
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
func bound(l engine.Limit, from, to time.Duration) int64 {
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
		return plus(l.Capacity(), muldiv(t, uint64(l.Tokens), period))
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

func times(a int64, b uint64) int64 { return muldiv(uint64(a), b, 1) }

func plus(a, b int64) int64 { return a + min(b, math.MaxInt64-a) }

// tally is what one key asked for and got, one token a request.
type tally struct {
	key              string
	admitted, denied int64
}

// verdict is what the limit allowed against what was admitted.
type verdict struct {
	perKey   int64 // bound of each key
	admitted int64
	allowed  int64 // the sum, over all keys, of what was asked for, but at most perKey
	cheats   []tally
}

// ok reports whether contract C1 held. The sum cannot show that: a key that got
// too much may hide behind others that got less, so each key is judged alone.
func (v verdict) ok() bool { return len(v.cheats) == 0 }

// judge holds every key to the bound of from..to.
func judge(l engine.Limit, from, to time.Duration, keys []tally) verdict {
	v := verdict{perKey: bound(l, from, to)}
	for _, k := range keys {
		v.admitted += k.admitted
		v.allowed = plus(v.allowed, min(k.admitted+k.denied, v.perKey))
		if k.admitted > v.perKey {
			v.cheats = append(v.cheats, k)
		}
	}
	return v
}
