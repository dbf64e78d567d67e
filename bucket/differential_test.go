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
	rng   *rand.Rand
	l     bucket.Limit
	now   time.Duration
	stale time.Duration // how far back a stale one lies at most
	last  bucket.Decision
}

func newScript(l bucket.Limit, seed uint64) *script {
	return &script{rng: rand.New(rand.NewPCG(seed, 64)), l: l, stale: 2 * l.Period}
}

// next returns an operation: its instant, its cost, and what it is.
func (s *script) next() (now time.Duration, n int64, op int) {
	s.advance()
	now = s.now
	if s.rng.IntN(8) == 0 {
		now -= min(now, time.Duration(s.rng.Int64N(int64(s.stale)+1)))
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

// scriptWithin keeps a script to what a cell answers like the model: a stale
// instant from before the base counts as the base.
func scriptWithin(l bucket.Limit, rule bucket.Rule, seed uint64) *script {
	s := newScript(l, seed)
	if rule != nil {
		s.stale = min(s.stale, time.Duration(min(rule.Span()/2, 1<<61)))
	}
	return s
}

// reference returns the model that a limit's decisions must equal in all fields.
func reference(l bucket.Limit, rule bucket.Rule) model.Model {
	switch {
	case rule == nil: // a log
		return model.New(l)
	case l.Algorithm == bucket.SlidingCounterAlgorithm:
		return model.NewStepped(l, bucket.Step(rule))
	case isBucket(l) && !exact(rule):
		return model.NewRounded(l, bucket.Units(rule))
	}
	return model.New(l)
}

func exact(rule bucket.Rule) bool {
	e, mayRound := bucket.Exact(rule)
	return e || !mayRound
}

// differ runs a script on a cell and on its reference, and takes on the exact
// model too: whatever was rounded, a cell never admits what exact fractions deny.
func differ(t *testing.T, l bucket.Limit, s *script, rule bucket.Rule, steps int) {
	cell, m, strict := cellOf(t, l), reference(l, rule), model.New(l)
	rounds := rule != nil && !exact(rule)
	for i := range steps {
		now, n, op := s.next()
		switch {
		case op == 0:
			cell.ReturnAt(n, now)
			m.Return(now, n)
			strict.Return(now, n)
		case op == 1:
			require.Equal(t, m.Peek(now, n), cell.PeekAt(n, now), "step %d: %v: peek %d at %d", i, l, n, now)
		default:
			s.last = cell.TakeAt(n, now)
			require.Equal(t, m.Take(now, n), s.last, "step %d: %v: take %d at %d", i, l, n, now)
			if rounds && s.last.OK {
				require.True(t, strict.Take(now, n).OK, "step %d: %v: admitted %d at %d", i, l, n, now)
			}
		}
	}
}

func TestDecisionsEqualTheModels(t *testing.T) {
	const seed = 20
	steps := 200
	if testing.Short() {
		steps = 40
	}
	for _, l := range everyLimit() {
		t.Run(l.String(), func(t *testing.T) {
			t.Logf("seed %d", seed)
			rule, _ := bucket.NewRule(l)
			differ(t, l, scriptWithin(l, rule, seed), rule, steps)
		})
	}
}

// Limits of every size, drawn anew on each run.
func TestDrawnLimitsEqualTheModels(t *testing.T) {
	seed, limits := rand.Uint64(), 40
	if testing.Short() {
		limits = 8
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 8))
	for range limits {
		for a := bucket.TokenBucketAlgorithm; a <= bucket.SlidingLogAlgorithm; a++ {
			l := bucket.DrawLimit(rng, a)
			if a == bucket.SlidingLogAlgorithm {
				l.Tokens = 1 + l.Tokens%100 // the model scans its hits
				if l.Validate() != nil {
					continue
				}
			}
			rule, _ := bucket.NewRule(l)
			differ(t, l, scriptWithin(l, rule, rng.Uint64()), rule, 40)
		}
	}
}

// exactness tells whether a rule that may round does not.
func exactness(l bucket.Limit) (exact, mayRound bool) {
	rule, err := bucket.NewRule(l)
	if err != nil {
		return false, false
	}
	return bucket.Exact(rule)
}

// A counter keeps its previous window in steps of at most 1/65,536 of the limit,
// and in whole tokens where a window of a second has up to 33 million, a window
// of a minute 268 million.
func TestStepsOfTheCounter(t *testing.T) {
	step := func(tokens int64, period time.Duration) int64 {
		rule, err := bucket.NewRule(bucket.SlidingCounter(tokens, period))
		require.NoError(t, err)
		return bucket.Step(rule)
	}
	require.EqualValues(t, 1, step(1<<25-1, time.Second))
	require.EqualValues(t, 1, step(1<<28-1, time.Minute))
	require.EqualValues(t, 1, step(1<<30-1, time.Hour))
	rng := rand.New(rand.NewPCG(6, 8))
	for range 20_000 {
		l := bucket.DrawLimit(rng, bucket.SlidingCounterAlgorithm)
		if s := step(l.Tokens, l.Period); s > 1 {
			require.LessOrEqual(t, s, l.Tokens/65_536, "%v", l)
		}
	}
}
