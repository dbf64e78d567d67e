// Package model restates the five algorithms as naively as possible, for tests to
// compare with: exact fractions, plain lists, no packing, no closed forms. Waits
// are found by asking the model itself, instant by instant, in a binary search.
//
// A Model is not safe for concurrent use.
package model

import (
	"fmt"
	"math"
	"time"

	"github.com/limit64/limit64/bucket"
)

// Model is one key under one limit.
type Model interface {
	// Take decides about n tokens at now.
	Take(now time.Duration, n int64) bucket.Decision
	// Peek is Take without taking.
	Peek(now time.Duration, n int64) bucket.Decision
	// Return gives n tokens back.
	Return(now time.Duration, n int64)
}

// state is what an algorithm has to say for itself.
type state interface {
	// clamp returns now, or the newest instant that the state knows.
	clamp(now time.Duration) time.Duration
	// free returns how many tokens could be taken at now, at most the capacity.
	free(now time.Duration) int64
	// spend takes n tokens that are free.
	spend(now time.Duration, n int64)
	// giveBack returns n tokens.
	giveBack(now time.Duration, n int64)
	// unused reports whether the key is as if never seen at now.
	unused(now time.Duration) bool
}

type model struct {
	state
	capacity int64
}

// New returns the exact model of a valid limit.
func New(l bucket.Limit) Model {
	switch l.Algorithm {
	case bucket.TokenBucketAlgorithm, bucket.LeakyBucketAlgorithm:
		return model{newTokens(l), l.Capacity()}
	case bucket.FixedWindowAlgorithm:
		return model{&fixed{windows{l: l}}, l.Tokens}
	case bucket.SlidingCounterAlgorithm:
		return NewStepped(l, 1)
	case bucket.SlidingLogAlgorithm:
		return model{&log{l: l}, l.Tokens}
	}
	panic(fmt.Sprintf("model: limit %v has no algorithm", l))
}

func (m model) Take(now time.Duration, n int64) bucket.Decision {
	d := m.Peek(now, n)
	if d.OK {
		m.spend(max(now, 0), n)
		after := m.Peek(now, 1)
		d.Remaining, d.ResetAfter = after.Remaining, after.ResetAfter
	}
	return d
}

func (m model) Peek(now time.Duration, n int64) bucket.Decision {
	now = max(now, 0)
	at := m.clamp(now)
	d := bucket.Decision{Limit: m.capacity, Remaining: m.free(now), OK: true}
	d.ResetAfter = first(at, m.unused)
	switch {
	case n <= 0:
		d.OK, d.Reason, d.RetryAfter = false, bucket.InvalidN, bucket.Never
	case n > m.capacity:
		d.OK, d.Reason, d.RetryAfter = false, bucket.TooLarge, bucket.Never
	case n > d.Remaining:
		d.OK, d.Reason = false, bucket.Denied
		d.RetryAfter = first(at, func(t time.Duration) bool { return m.free(t) >= n })
	}
	return d
}

func (m model) Return(now time.Duration, n int64) {
	if n > 0 {
		m.giveBack(max(now, 0), n)
	}
}

// first returns the least wait after which a condition holds that, once it
// holds, goes on holding as long as nobody takes anything.
func first(from time.Duration, holds func(time.Duration) bool) time.Duration {
	lo, hi := int64(-1), int64(0) // it does not hold at from+lo, and does at from+hi
	for step := int64(1); !holds(from + time.Duration(hi)); step *= 2 {
		lo = hi
		if hi+step > math.MaxInt64-int64(from) || step < 0 {
			hi = math.MaxInt64 - int64(from)
			break
		}
		hi += step
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; holds(from + time.Duration(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return time.Duration(hi)
}
