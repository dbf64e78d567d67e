package bucket

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func drawRules(t *testing.T, seed uint64, n int, visit func(rng *rand.Rand, r Rule)) {
	rng := rand.New(rand.NewPCG(seed, 7))
	rows := []Limit{
		TokenBucket(1<<59-1, 1<<60-1, Burst(1)), TokenBucket(1_000_003, 1_000_000_007, Burst(10)),
		TokenBucket(1<<52-1, 1<<53-1, Burst(3)), TokenBucket(1<<60-1, MaxPeriod, Burst(1<<60)),
		FixedWindow(1<<60, MaxPeriod), SlidingCounter(MaxCounterTokens, MaxPeriod),
	}
	for range n {
		for a := TokenBucketAlgorithm; a < SlidingLogAlgorithm; a++ {
			rows = append(rows, DrawLimit(rng, a))
		}
	}
	for _, l := range rows {
		r, err := NewRule(l)
		require.NoError(t, err)
		visit(rng, r)
	}
}

// One move of the base brings any instant back into the span, with room for
// stale ones behind, and a key that is born there fits the word (I2).
func TestAdvanceLandsInTheSpan(t *testing.T) {
	drawRules(t, 4, 1000, func(rng *rand.Rand, r Rule) {
		if r.Span() >= math.MaxInt64 {
			return // no instant lies beyond
		}
		for range 20 {
			dt := r.Span() + 1 + rng.Uint64N(math.MaxInt64-r.Span())
			delta := r.Advance(dt)
			require.LessOrEqual(t, delta, dt, "%v", r.Limit())
			require.LessOrEqual(t, dt-delta, r.Span(), "%v: dt %d", r.Limit(), dt)
			require.LessOrEqual(t, r.Fresh(dt-delta), uint64(MaxValue), "%v: dt %d", r.Limit(), dt)
			next, o := r.Take(r.Fresh(dt-delta), dt-delta, r.Limit().Capacity())
			require.True(t, o.OK(), "%v: dt %d", r.Limit(), dt)
			require.LessOrEqual(t, next, uint64(MaxValue), "%v: dt %d", r.Limit(), dt)
		}
	})
}

// Moving the base as Advance says rounds nothing.
func TestAdvanceMovesExactly(t *testing.T) {
	checked := 0
	drawRules(t, 5, 1000, func(rng *rand.Rand, r Rule) {
		for range 20 {
			dt := rng.Uint64N(min(r.Span(), math.MaxInt64))
			delta := r.Advance(min(r.Span(), math.MaxInt64))
			if dt < delta {
				continue
			}
			v, _ := r.Take(0, dt, 1+rng.Int64N(r.Limit().Capacity()))
			moved := r.Rebase(v, delta)
			was, is := r.Peek(v, dt, 1), r.Peek(moved, dt-delta, 1)
			require.Equal(t, was, is, "%v: dt %d", r.Limit(), dt)
			checked++
		}
	})
	require.Greater(t, checked, 10_000)
}

// A wait that was told before the base moved is right after it, too.
func TestC4RetryAfterAcrossAMoveOfTheBase(t *testing.T) {
	checked := 0
	drawRules(t, 7, 4000, func(rng *rand.Rand, r Rule) {
		l := r.Limit()
		if r.Span() >= 1<<62 {
			return
		}
		c, err := NewCell(l)
		require.NoError(t, err)
		at := time.Duration(r.Span()) - time.Duration(rng.IntN(3))
		c.TakeAt(l.Capacity(), at)
		for range 4 {
			n := 1 + rng.Int64N(l.Capacity())
			d := c.TakeAt(n, at)
			if d.OK || d.RetryAfter > math.MaxInt64-at {
				continue
			}
			require.False(t, c.PeekAt(n, at+d.RetryAfter-1).OK, "%v: at %d", l, at)
			require.True(t, c.PeekAt(n, at+d.RetryAfter).OK, "%v: at %d", l, at)
			at += d.RetryAfter
			require.True(t, c.TakeAt(n, at).OK, "%v: at %d", l, at)
			checked++
		}
	})
	require.Greater(t, checked, 1000)
}

// Any move by whole quanta keeps the answers from the new base on, the stale ones
// between it and now included.
func TestRebaseByWholeQuantaKeepsAnswers(t *testing.T) {
	checked := 0
	drawRules(t, 6, 1000, func(rng *rand.Rand, r Rule) {
		quantum := uint64(r.Limit().Period)
		if s, ok := r.(*spent); ok {
			quantum = s.earn.den
		}
		last := min(r.Span(), math.MaxInt64)
		for range 10 {
			first := rng.Uint64N(last) >> rng.IntN(20)
			v, _ := r.Take(0, first, 1+rng.Int64N(r.Limit().Capacity()))
			// From a little before what was taken to three quanta after it.
			delta := (first/quantum + rng.Uint64N(5)) * quantum
			delta -= min(delta, quantum)
			dt := delta + rng.Uint64N(2*quantum)
			if dt > last {
				continue
			}
			moved := r.Rebase(v, delta)
			require.Equal(t, r.Peek(v, dt, 1), r.Peek(moved, dt-delta, 1), "%v: taken at %d, base %d, dt %d", r.Limit(), first, delta, dt)
			require.Equal(t, r.Idle(v, dt), r.Idle(moved, dt-delta), "%v: taken at %d, base %d, dt %d", r.Limit(), first, delta, dt)
			checked++
		}
	})
	require.Greater(t, checked, 10_000)
}
