package bucket_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

// ruleFor makes a rule with room for what any of the limits counts.
func ruleFor(t *testing.T, l bucket.Limit, others ...bucket.Limit) bucket.Rule {
	most := int64(0)
	for _, o := range others {
		most = max(most, o.Tokens)
	}
	r, err := bucket.NewRuleFrom(l, most)
	require.NoError(t, err)
	return r
}

// CASES: fresh burst; lower than used; raise in mid-window.
func TestConvertKeepsWhatWasUsed(t *testing.T) {
	const s, m = time.Second, time.Minute
	for _, row := range []struct {
		name     string
		from, to bucket.Limit
		used     int64
		free     int64         // at once after the change
		retry    time.Duration // of the next token, when none is free
	}{
		{"fresh burst, token", bucket.TokenBucket(10, s), bucket.TokenBucket(20, s), 10, 0, s / 20},
		{"fresh burst, leaky", bucket.LeakyBucket(10, s), bucket.LeakyBucket(20, s), 10, 0, s / 20},
		{"burst raised, some left", bucket.TokenBucket(10, s), bucket.TokenBucket(10, s, bucket.Burst(50)), 4, 6, 0},
		{"never used is full", bucket.TokenBucket(10, s), bucket.TokenBucket(20, s), 0, 20, 0},
		{"lower than used, token", bucket.TokenBucket(100, m), bucket.TokenBucket(50, m), 60, 0, 11 * m / 50},
		{"lower, not used up", bucket.TokenBucket(100, m), bucket.TokenBucket(50, m), 20, 30, 0},
		{"debt of at most a burst", bucket.TokenBucket(1000, s), bucket.TokenBucket(10, s), 1000, 0, 11 * s / 10},
		{"lower than used, window", bucket.FixedWindow(100, m), bucket.FixedWindow(50, m), 60, 0, m},
		{"lower than used, counter", bucket.SlidingCounter(100, m), bucket.SlidingCounter(50, m), 60, 0, m + m - 49*m/60},
		{"raise in mid-window, window", bucket.FixedWindow(2, m), bucket.FixedWindow(100, m), 2, 98, 0},
		{"raise in mid-window, counter", bucket.SlidingCounter(2, m), bucket.SlidingCounter(100, m), 2, 98, 0},
		{"another window", bucket.FixedWindow(10, m), bucket.FixedWindow(10, s), 8, 2, 0},
		{"window to token", bucket.FixedWindow(10, s), bucket.TokenBucket(10, s), 8, 2, 0},
		{"window to a larger token", bucket.FixedWindow(10, s), bucket.TokenBucket(20, s), 8, 2, 0},
		{"token to window", bucket.TokenBucket(10, s), bucket.FixedWindow(20, s), 8, 12, 0},
		{"token to counter", bucket.TokenBucket(10, s), bucket.SlidingCounter(10, s), 10, 0, s + s/10},
	} {
		t.Run(row.name, func(t *testing.T) {
			from, to := ruleFor(t, row.from, row.to), ruleFor(t, row.to, row.from)
			v := from.Fresh(0)
			if row.used > 0 {
				v, _ = from.Take(v, 0, row.used)
			}
			v = bucket.Convert(from, to, v, 0)
			o := to.Peek(v, 0, 1)
			require.Equal(t, row.free, o.Remaining)
			require.Equal(t, row.retry, o.RetryAfter)
			_, o = to.Take(v, uint64(row.retry), 1)
			require.True(t, o.OK(), "it works again when it has recovered")
		})
	}
}

// Flipping a limit never gives tokens: at no step of a random script of takes and
// changes does a change leave more than there was before it, or more than the
// lower limit leaves of what was used.
func TestConvertNeverGivesTokens(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		var limits [3]bucket.Limit
		a := bucket.TokenBucketAlgorithm + bucket.Algorithm(rng.IntN(int(bucket.SlidingLogAlgorithm-bucket.TokenBucketAlgorithm)))
		period := time.Duration(1 + rng.Int64N(1<<rng.IntN(40)))
		for i := range limits {
			limits[i] = bucket.Limit{Algorithm: a, Tokens: 1 + rng.Int64N(1<<rng.IntN(20)), Period: period}
			if limits[i].Validate() != nil {
				limits[i].Tokens = 1
			}
		}
		at := 0
		var rules [3]bucket.Rule
		for i := range rules {
			rules[i] = ruleFor(t, limits[i], limits[:]...)
		}
		v, dt := rules[0].Fresh(0), uint64(0)
		for range 30 {
			dt += rng.Uint64N(uint64(period)/uint64(limits[at].Tokens) + 2)
			v, _ = rules[at].Take(v, dt, 1+rng.Int64N(limits[at].Tokens))
			before := rules[at].Peek(v, dt, 1).Remaining
			idle := rules[at].Idle(v, dt)
			next := rng.IntN(3)
			v = bucket.Convert(rules[at], rules[next], v, dt)
			after := rules[next].Peek(v, dt, 1).Remaining
			if !idle {
				used := limits[at].Tokens - before
				require.LessOrEqual(t, after, max(0, limits[next].Tokens-used), "%v to %v", limits[at], limits[next])
			}
			if !idle && a <= bucket.LeakyBucketAlgorithm {
				require.LessOrEqual(t, after, before, "%v to %v", limits[at], limits[next])
			}
			at = next
		}
	}
}

// CASES: A→B→A no double. What was used under A is used when A comes back.
func TestConvertThereAndBack(t *testing.T) {
	const s = time.Second
	for _, row := range [][2]bucket.Limit{
		{bucket.TokenBucket(10, s), bucket.TokenBucket(20, s)},
		{bucket.TokenBucket(10, s), bucket.TokenBucket(3, s)},
		{bucket.TokenBucket(7, s), bucket.TokenBucket(1_000_003, 1_000_000_007)},
		{bucket.FixedWindow(10, s), bucket.FixedWindow(1, s)},
		{bucket.FixedWindow(100, s), bucket.FixedWindow(1000, s)},
		{bucket.SlidingCounter(100, s), bucket.SlidingCounter(2, s)},
		{bucket.TokenBucket(10, s), bucket.FixedWindow(10, s)},
	} {
		a, b := ruleFor(t, row[0], row[1]), ruleFor(t, row[1], row[0])
		v, _ := a.Take(a.Fresh(0), 0, row[0].Tokens)
		for range 3 {
			v = bucket.Convert(b, a, bucket.Convert(a, b, v, 0), 0)
			require.Zero(t, a.Peek(v, 0, 1).Remaining, "%v and %v", row[0], row[1])
		}
	}
}

// An instant that is older than what the word knows changes nothing of this.
func TestConvertAtStaleInstant(t *testing.T) {
	a, b := ruleFor(t, bucket.FixedWindow(10, time.Second)), ruleFor(t, bucket.FixedWindow(20, time.Second))
	now := uint64(5 * time.Second)
	v, _ := a.Take(a.Fresh(now), now, 10)
	v = bucket.Convert(a, b, v, 0)
	require.Equal(t, int64(10), b.Peek(v, now, 1).Remaining)
}
