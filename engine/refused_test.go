package engine_test

import (
	"math"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// A cost that can never fit is refused with the key's own state, also where the
// look-up does not find a word at once: beyond the span of its base.
func TestRefusedCostsTellTheStateBeyondTheSpan(t *testing.T) {
	l := engine.TokenBucket(999_983, time.Second, engine.Burst(1<<30)) // spans 77 minutes, refills in 18
	for _, n := range []int64{0, -5, 1<<30 + 1, math.MaxInt64} {
		e := newEngine(t, engine.Config{Limit: l})
		require.True(t, e.TakeAt("k", 1<<30, 76*time.Minute).OK)
		for _, now := range []time.Duration{76 * time.Minute, 77 * time.Minute, 80 * time.Minute, 93 * time.Minute} {
			d := e.TakeAt("k", n, now)
			require.Equal(t, e.PeekAt("k", n, now), d, "n = %d at %v", n, now)
			require.Less(t, d.Remaining, d.Limit)
		}
	}
}

// Peek says what Take would, also at an instant older than the one at which the
// key was forgotten.
func TestPeekOfAForgottenKeyAtAStaleInstant(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l})
		e.TakeAt("k", 10, 30*time.Second)
		e.SweepAt(5 * time.Minute)
		require.Zero(t, e.Len())
		for _, n := range []int64{0, 1, 5, 10, 11} {
			peeked := e.PeekAt("k", n, 40*time.Second)
			taken := e.TakeAt("k", n, 40*time.Second)
			require.Equal(t, peeked.OK, taken.OK, "%d", n)
			require.Equal(t, peeked.RetryAfter, taken.RetryAfter, "%d", n)
			require.Equal(t, peeked.Reason, taken.Reason, "%d", n)
			if e.Len() > 0 {
				return
			}
		}
	})
}
