package bucket_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/stretchr/testify/require"
)

// exactLimits are limits whose units need no rounding: the decisions must equal
// those of the exact model, all fields, always.
func exactLimits() []bucket.Limit {
	rates := []struct {
		tokens int64
		period time.Duration
		burst  int64
	}{
		{1, time.Second, 0}, {1, time.Second, 10}, {100, time.Second, 20}, {3, time.Second, 0}, {7, time.Second, 50},
		{7777, time.Second, 3}, {1, 3300 * time.Millisecond, 0}, {10, 13 * time.Second, 1}, {10, 30 * time.Second, 0},
		{5, 10 * time.Minute, 0}, {1, 366 * 24 * time.Hour, 0}, {3, 365 * 24 * time.Hour, 40}, {1, 24 * time.Hour, 1},
		{700_000_000, time.Second, 0}, {980_000_000, 10 * time.Second, 0}, {1_000_000_000, time.Second, 5},
		{1, 1, 0}, {1, 1, 1 << 60}, {2, 3, 1}, {65_535, time.Second, 0}, {1000, time.Minute, 1000}, {2000, 1000 * time.Millisecond, 0},
		{1_000_000_000, time.Second, 1<<53 + 1}, {1_000_000_000, time.Second, 1 << 60},
	}
	var all []bucket.Limit
	for _, r := range rates {
		all = append(all,
			bucket.TokenBucket(r.tokens, r.period, bucket.Burst(r.burst)),
			bucket.LeakyBucket(r.tokens, r.period, bucket.Burst(r.burst)))
		all = append(all, bucket.FixedWindow(r.tokens, r.period), bucket.SlidingCounter(r.tokens, r.period))
		if r.tokens <= 100 {
			all = append(all, bucket.SlidingLog(r.tokens, r.period))
		}
	}
	return append(all,
		bucket.FixedWindow(1<<60, 1<<60), bucket.FixedWindow(1_000_000_000, time.Second),
		bucket.SlidingCounter(1_000, time.Second), bucket.SlidingCounter(1_000_000, time.Second))
}

// script draws instants and costs that dwell on edges: bursts of repeated
// instants, exact retry and reset instants, one nanosecond before them, stale
// ones, long idle, and costs around the capacity and beyond.
type script struct {
	rng  *rand.Rand
	l    bucket.Limit
	now  time.Duration
	last bucket.Decision
}

func newScript(l bucket.Limit, seed uint64) *script {
	return &script{rng: rand.New(rand.NewPCG(seed, 64)), l: l}
}

// next returns an operation: its instant, its cost, and what it is.
func (s *script) next() (now time.Duration, n int64, op int) {
	s.advance()
	now = s.now
	if s.rng.IntN(8) == 0 {
		now -= min(now, time.Duration(s.rng.Int64N(int64(2*s.l.Period))))
	}
	return now, s.cost(), s.rng.IntN(12)
}

func (s *script) advance() {
	d := time.Duration(0)
	switch s.rng.IntN(12) {
	case 0, 1, 2:
		d = time.Duration(s.rng.Int64N(int64(s.l.Period)/s.l.Tokens*2 + 2))
	case 3, 4:
		d = s.last.RetryAfter
	case 5:
		d = s.last.RetryAfter - 1
	case 6:
		d = s.last.ResetAfter
	case 7:
		d = s.last.ResetAfter - 1
	case 8:
		d = time.Duration(s.rng.Int64N(int64(2 * s.l.Period)))
	case 9:
		if s.rng.IntN(50) == 0 {
			d = time.Duration(s.rng.Int64N(math.MaxInt64 / 16)) // 18 years
		}
	}
	// Half the clock's range is left for waits that the model searches for.
	if d > 0 && d < 1<<62-s.now {
		s.now += d
	}
}

func (s *script) cost() int64 {
	c := s.l.Capacity()
	costs := []int64{1, 1, 1, 2, c, c/2 + 1, c - 1, c + 1, 0, -1, math.MaxInt64, 1 + s.rng.Int64N(c)}
	n := costs[s.rng.IntN(len(costs))]
	if s.l.Algorithm == bucket.SlidingLogAlgorithm {
		return min(n, c+1)
	}
	return n
}

func TestDecisionsEqualTheExactModel(t *testing.T) {
	const seed = 20
	steps := 400
	if testing.Short() {
		steps = 60
	}
	for _, l := range exactLimits() {
		t.Run(l.String(), func(t *testing.T) {
			cell, err := bucket.NewCell(l)
			require.NoError(t, err)
			if s, ok := exactness(l); ok && !s {
				t.Skipf("%v is rounded", l)
			}
			m := model.New(l)
			s := newScript(l, seed)
			for i := range steps {
				now, n, op := s.next()
				switch op {
				case 0:
					cell.ReturnAt(n, now)
					m.Return(now, n)
				case 1:
					require.Equal(t, m.Peek(now, n), cell.PeekAt(n, now), "seed %d step %d: peek %d at %d", seed, i, n, now)
				default:
					s.last = cell.TakeAt(n, now)
					require.Equal(t, m.Take(now, n), s.last, "seed %d step %d: take %d at %d", seed, i, n, now)
				}
			}
		})
	}
}

// exactness tells whether a token bucket's units need rounding.
func exactness(l bucket.Limit) (exact, isBucket bool) {
	rule, err := bucket.NewRule(l)
	if err != nil {
		return false, false
	}
	return bucket.Exact(rule)
}
