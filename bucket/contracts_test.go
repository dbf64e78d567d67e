package bucket_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/stretchr/testify/require"
)

// roundedLimits are token buckets whose units must be rounded: rates that share no
// factor with the second, bursts near the largest, odd periods.
func roundedLimits() []bucket.Limit {
	return []bucket.Limit{
		bucket.TokenBucket(999_999_937, time.Second),
		bucket.TokenBucket(123_456_789, time.Second, bucket.Burst(3)),
		bucket.TokenBucket(1_000_003, 1_000_000_007, bucket.Burst(10)),
		bucket.TokenBucket(1<<59-1, 1<<60-1, bucket.Burst(1)),
		bucket.TokenBucket(1<<59-1, 1<<60-1, bucket.Burst(1<<60)),
		bucket.TokenBucket(1, 366*24*time.Hour, bucket.Burst(140)),
		bucket.LeakyBucket(7, 31_535_999_999_999_999, bucket.Burst(999)),
		bucket.TokenBucket(1_000_000_000, time.Second, bucket.Burst(1<<60)),
	}
}

func everyLimit() []bucket.Limit { return append(exactLimits(), roundedLimits()...) }

func cellOf(t testing.TB, l bucket.Limit) *bucket.Cell {
	t.Helper()
	c, err := bucket.NewCell(l)
	require.NoError(t, err)
	return c
}

func isBucket(l bucket.Limit) bool {
	return l.Algorithm == bucket.TokenBucketAlgorithm || l.Algorithm == bucket.LeakyBucketAlgorithm
}

// scripted runs a script of n takes on a cell.
func scripted(t *testing.T, l bucket.Limit, seed uint64, n int, visit func(now time.Duration, n int64, d bucket.Decision)) {
	c, s := cellOf(t, l), newScript(l, seed)
	for range n {
		now, n, _ := s.next()
		s.last = c.TakeAt(n, now)
		visit(now, n, s.last)
	}
}

// Burst + T·rate, to the last fraction, between any two admissions; limit per
// window; limit in any window for the log.
func TestC1NeverOverAdmits(t *testing.T) {
	steps := 500
	if testing.Short() {
		steps = 100
	}
	for i, l := range everyLimit() {
		t.Run(l.String(), func(t *testing.T) {
			type hit struct {
				at time.Duration
				n  int64
			}
			var hits []hit
			estimate := model.New(l)
			scripted(t, l, uint64(i), steps, func(now time.Duration, n int64, d bucket.Decision) {
				if !d.OK {
					return
				}
				if last := len(hits) - 1; last >= 0 && !isBucket(l) {
					now = max(now, hits[last].at) // windows clamp a stale instant
				}
				hits = append(hits, hit{now, n})
				total := new(big.Int)
				for j := len(hits) - 1; j >= max(0, len(hits)-40); j-- {
					total.Add(total, big.NewInt(hits[j].n))
					if new(big.Rat).SetInt(total).Cmp(bound(l, hits[j].at, now)) > 0 {
						t.Fatalf("%v admitted from %d to %d", total, hits[j].at, now)
					}
				}
				if l.Algorithm == bucket.SlidingCounterAlgorithm {
					require.True(t, estimate.Take(now, n).OK, "the estimate exceeds the limit at %d", now)
				}
			})
			require.NotEmpty(t, hits)
		})
	}
}

// bound is what C1 allows from one instant to another, both included.
func bound(l bucket.Limit, from, to time.Duration) *big.Rat {
	windows := int64(to/l.Period-from/l.Period) + 1
	switch l.Algorithm {
	case bucket.FixedWindowAlgorithm:
		return new(big.Rat).Mul(big.NewRat(l.Tokens, 1), big.NewRat(windows, 1))
	case bucket.SlidingCounterAlgorithm:
		// The true count of any period that the estimate underrates is at most
		// the limits of the two windows that it touches.
		return new(big.Rat).Mul(big.NewRat(l.Tokens, 1), big.NewRat(windows, 1))
	case bucket.SlidingLogAlgorithm:
		spans := int64((to-from)/l.Period) + 1
		return new(big.Rat).Mul(big.NewRat(l.Tokens, 1), big.NewRat(spans, 1))
	}
	earned := new(big.Rat).Mul(big.NewRat(int64(to-from), 1), big.NewRat(l.Tokens, int64(l.Period)))
	return earned.Add(earned, big.NewRat(l.Capacity(), 1))
}

// Polled however often, a bucket gives its rate to within one token.
func TestC2NeverStarves(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.Every(3300 * time.Millisecond), bucket.TokenBucket(10, 30*time.Second, bucket.Burst(1)),
		bucket.LeakyBucket(3, 7*time.Second, bucket.Burst(1)), bucket.TokenBucket(7, time.Hour),
		bucket.TokenBucket(123_457, time.Hour, bucket.Burst(2)),
	} {
		for _, poll := range []time.Duration{1, time.Microsecond, time.Millisecond, time.Second} {
			if poll == time.Second && l.Capacity() == 1 {
				continue // between such polls a bucket of one overflows, and should
			}
			t.Run(fmt.Sprint(l, "/", poll), func(t *testing.T) {
				c := cellOf(t, l)
				require.True(t, c.TakeAt(l.Capacity(), 0).OK)
				admitted := int64(0)
				const polls = 300_000
				// Start shortly before a token comes, so that fine polls see one.
				start := max(0, l.Period/time.Duration(l.Tokens)-polls/2*poll)
				last := start
				for i := range time.Duration(polls) {
					last = start + i*poll
					if c.TakeAt(1, last).OK {
						admitted++
					}
				}
				earned := float64(last) * float64(l.Tokens) / float64(l.Period)
				if float64(poll) > float64(l.Period)/float64(l.Tokens) {
					earned = min(earned, polls) // one token a poll is all that is asked for
				}
				require.InDelta(t, earned, float64(admitted), 1)
			})
		}
	}
}

// Polled every millisecond, a fixed window and a log give their limit in every
// window.
func TestC2WindowsNeverStarve(t *testing.T) {
	for _, l := range []bucket.Limit{bucket.FixedWindow(3, 7*time.Second), bucket.SlidingLog(3, 7*time.Second), bucket.FixedWindow(1, 1300*time.Millisecond)} {
		c, admitted := cellOf(t, l), int64(0)
		const windows = 20
		for now := time.Duration(0); now < windows*l.Period; now += time.Millisecond {
			if c.TakeAt(1, now).OK {
				admitted++
			}
		}
		require.Equal(t, windows*l.Tokens, admitted, "%v", l)
	}
}

// A denial leaves the value bit for bit as it was.
func TestC3DenialWritesNothing(t *testing.T) {
	for _, l := range everyLimit() {
		rule, err := bucket.NewRule(l)
		if err != nil {
			continue // a log, which has no word: see TestDeniedLogIsUnchanged
		}
		t.Run(l.String(), func(t *testing.T) {
			s := newScript(l, 3)
			v, denials := uint64(0), 0
			for range 500 {
				now, n, _ := s.next()
				dt := min(uint64(now), rule.Span())
				next, o := rule.Take(v, dt, n)
				if !o.OK() {
					require.Equal(t, v, next)
					denials++
				}
				require.LessOrEqual(t, next, uint64(bucket.MaxValue))
				v, s.last = next, o.Decision(l.Capacity())
			}
			require.NotZero(t, denials)
		})
	}
}

func TestDeniedLogIsUnchanged(t *testing.T) {
	g := bucket.NewLog(bucket.SlidingLog(3, time.Second), 0)
	for range 3 {
		require.True(t, g.Take(5, 1).OK())
	}
	before := fmt.Sprintf("%+v", g)
	for now := range time.Duration(20) {
		require.False(t, g.Take(now, 1).OK())
		require.False(t, g.Take(now, 99).OK())
	}
	require.Equal(t, before, fmt.Sprintf("%+v", g))
}

// Denied with d at t: denied at t+d-1ns, admitted at t+d.
func TestC4RetryAfterIsExact(t *testing.T) {
	for i, l := range everyLimit() {
		t.Run(l.String(), func(t *testing.T) {
			c, s := cellOf(t, l), newScript(l, uint64(i))
			checked := 0
			for range 600 {
				s.advance() // no stale instants here
				n := s.cost()
				s.last = c.TakeAt(n, s.now)
				d := s.last
				if d.Reason == bucket.Denied && d.RetryAfter < 1<<62 {
					require.Positive(t, d.RetryAfter)
					require.False(t, c.PeekAt(n, s.now+d.RetryAfter-1).OK, "1 ns early")
					require.True(t, c.PeekAt(n, s.now+d.RetryAfter).OK, "n = %d, d = %d", n, d.RetryAfter)
					checked++
				}
				if d.ResetAfter > 0 {
					require.NotZero(t, c.PeekAt(1, s.now+d.ResetAfter-1).ResetAfter)
					require.Zero(t, c.PeekAt(1, s.now+d.ResetAfter).ResetAfter)
				}
			}
			require.NotZero(t, checked)
		})
	}
}

func TestC5CostsThatCannotFit(t *testing.T) {
	for _, l := range everyLimit() {
		c := cellOf(t, l)
		if l.Capacity() > 1 {
			require.True(t, c.TakeAt(l.Capacity()-1, 7).OK)
		}
		before := c.PeekAt(1, 7)
		for _, n := range []int64{l.Capacity() + 1, 1<<61 + 1, math.MaxInt64, 0, -1, -5, math.MinInt64} {
			d := c.TakeAt(n, 7)
			want := bucket.TooLarge
			if n <= 0 {
				want = bucket.InvalidN
			}
			require.Equal(t, bucket.Decision{
				Remaining: before.Remaining, ResetAfter: before.ResetAfter, Limit: l.Capacity(),
				RetryAfter: bucket.Never, Reason: want,
			}, d, "%v n = %d", l, n)
		}
		require.Equal(t, before, c.PeekAt(1, 7), "%v", l)
	}
	for _, n := range []int64{106_752, 200_000, 1 << 40, math.MaxInt64} {
		require.Equal(t, bucket.TooLarge, cellOf(t, bucket.TokenBucket(1, 24*time.Hour)).TakeAt(n, 0).Reason)
	}
}

func TestC6StaleNowNeverMints(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.PerSecond(1, bucket.Burst(10)), bucket.LeakyBucket(1, time.Second, bucket.Burst(10)),
		bucket.FixedWindow(10, 10*time.Second), bucket.SlidingCounter(10, 10*time.Second), bucket.SlidingLog(10, 10*time.Second),
	} {
		t.Run(l.String(), func(t *testing.T) {
			c, admitted := cellOf(t, l), 0
			now := 10 * time.Second
			for range 10_000 {
				for _, at := range []time.Duration{now + 10*time.Second, now} {
					if c.TakeAt(1, at).OK {
						admitted++
					}
				}
			}
			require.LessOrEqual(t, admitted, 20)
			require.GreaterOrEqual(t, admitted, 10)
		})
	}
	// A clock that steps back: no lock-out longer than the step, no free window,
	// and never told to wait longer than a full refill (two windows for the counter).
	for _, l := range everyLimit() {
		for _, step := range []time.Duration{30 * time.Second, time.Hour} {
			c := cellOf(t, l)
			start := 100*time.Hour + 3*l.Period
			require.True(t, c.TakeAt(l.Capacity(), start).OK)
			d := c.TakeAt(1, start-step)
			if d.OK { // the step reaches back before nothing: only a saturating burst does
				t.Fatalf("%v: minted by a step of %v", l, step)
			}
			require.LessOrEqual(t, d.RetryAfter, refill(l)+1, "%v", l)
			require.True(t, c.PeekAt(1, start+refill(l)).OK, "%v", l)
		}
	}
}

func refill(l bucket.Limit) time.Duration {
	if !isBucket(l) {
		return 2 * l.Period
	}
	r := new(big.Int).Mul(big.NewInt(l.Capacity()), big.NewInt(int64(l.Period)))
	r.Quo(r, big.NewInt(l.Tokens))
	return time.Duration(r.Int64() + 1)
}

func TestC10NothingOverflows(t *testing.T) {
	for _, l := range everyLimit() {
		t.Run(l.String(), func(t *testing.T) {
			// Idle for as long as the clock can show, in steps and at once.
			for _, idle := range []time.Duration{1, 12 * time.Hour, 438 * 24 * time.Hour, math.MaxInt64 / 2, math.MaxInt64} {
				c := cellOf(t, l)
				require.True(t, c.TakeAt(l.Capacity(), 0).OK)
				d := c.PeekAt(1, idle)
				require.GreaterOrEqual(t, d.Remaining, int64(0))
				require.LessOrEqual(t, d.Remaining, l.Capacity())
				if idle >= refill(l) {
					require.Equal(t, bucket.Decision{OK: true, Remaining: l.Capacity(), Limit: l.Capacity()}, d, "%v", idle)
				}
				if ok := c.TakeAt(l.Capacity(), idle).OK; idle >= refill(l) {
					require.True(t, ok, "never denied for ever")
				}
				require.NotPanics(t, func() { c.TakeAt(math.MaxInt64, math.MaxInt64); c.ReturnAt(math.MaxInt64, math.MaxInt64) })
				require.NotPanics(t, func() { c.TakeAt(1, math.MinInt64); c.PeekAt(1, -1) })
			}
			// The same answers whatever the first instant.
			if l.Algorithm == bucket.FixedWindowAlgorithm || l.Algorithm == bucket.SlidingCounterAlgorithm {
				return // aligned to the clock's start
			}
			if exact, isBucket := exactness(l); isBucket && !exact {
				return // to within a unit
			}
			var want []bucket.Decision
			for _, first := range []time.Duration{0, 1, 100 * 365 * 24 * time.Hour} {
				var got []bucket.Decision
				c, s := cellOf(t, l), newScript(l, 10)
				for range 50 {
					s.advance()
					if s.now > 1<<61 {
						break
					}
					s.last = c.TakeAt(s.cost(), first+s.now)
					got = append(got, s.last)
				}
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "first instant %v", first)
			}
		})
	}
}
