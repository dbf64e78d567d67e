package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/stretchr/testify/require"
)

func newPolicy(tb testing.TB, parts ...engine.Part) *engine.Policy {
	tb.Helper()
	p, err := engine.NewPolicy(parts...)
	require.NoError(tb, err)
	return p
}

// parted makes an engine for each limit on one clock.
func parted(tb testing.TB, clock engine.Clock, limits ...engine.Limit) []engine.Part {
	var parts []engine.Part
	for i, l := range limits {
		parts = append(parts, engine.Part{Name: fmt.Sprint("limit", i), Engine: newEngine(tb, engine.Config{Limit: l, Clock: clock})})
	}
	return parts
}

// CASES: narrow limit denies, broad one is charged. 100 calls by one user, who
// may make one, cost everyone one token.
func TestNarrowLimitDeniesBroadOneIsNotCharged(t *testing.T) {
	forEach(t, func(t *testing.T, narrow engine.Limit) {
		for _, broad := range oneOfEach {
			narrow.Tokens, broad.Tokens = 1, 100
			parts := parted(t, engine.Manual(), narrow, broad)
			p := newPolicy(t, parts...)
			for i := range 100 {
				d := p.TakeKeys(1, "user", "all")
				require.Equal(t, i == 0, d.OK)
			}
			require.EqualValues(t, 99, parts[1].Engine.Peek("all", 1).Remaining)

			// And the other way round, the order of the limits notwithstanding.
			p = newPolicy(t, engine.Part{Name: "all", Engine: parts[1].Engine}, engine.Part{Name: "user", Engine: parts[0].Engine})
			require.False(t, p.TakeKeys(1, "all", "user").OK)
			require.EqualValues(t, 99, parts[1].Engine.Peek("all", 1).Remaining)
		}
	})
}

// CASES: which one tripped. The decision names it; retry-after is the longest of
// those that denied.
func TestWhichOneTripped(t *testing.T) {
	second, hour := engine.TokenBucket(1, time.Second), engine.TokenBucket(3, time.Hour)
	clock := engine.Manual()
	p := newPolicy(t,
		engine.Part{Name: "second", Engine: newEngine(t, engine.Config{Limit: second, Clock: clock})},
		engine.Part{Name: "hour", Engine: newEngine(t, engine.Config{Limit: hour, Clock: clock})})
	type row struct {
		at     time.Duration
		n      int64
		ok     bool
		name   string
		retry  time.Duration
		reason engine.Reason
	}
	for i, r := range []row{
		{0, 1, true, "second", 0, engine.Admitted},
		{0, 1, false, "second", time.Second, engine.Denied},
		{time.Second, 1, true, "second", 0, engine.Admitted},
		{2 * time.Second, 1, true, "second", 0, engine.Admitted},
		{2 * time.Second, 1, false, "hour", 20*time.Minute - 2*time.Second, engine.Denied},
		{5 * time.Second, 1, false, "hour", 20*time.Minute - 5*time.Second, engine.Denied},
		{20*time.Minute - 1, 1, false, "hour", 1, engine.Denied},
		{20 * time.Minute, 2, false, "second", engine.Never, engine.TooLarge},
		{20 * time.Minute, 4, false, "second", engine.Never, engine.TooLarge},
		{20 * time.Minute, 0, false, "second", engine.Never, engine.InvalidN},
		{20 * time.Minute, math.MinInt64, false, "second", engine.Never, engine.InvalidN},
		{20 * time.Minute, 1, true, "second", 0, engine.Admitted},
	} {
		clock.Set(r.at)
		d := p.Take("k", r.n)
		require.Equal(t, r, row{r.at, r.n, d.OK, d.Name, d.RetryAfter, d.Reason}, "row %d: %+v", i, d)
		require.Equal(t, map[string]int{"second": 0, "hour": 1}[d.Name], d.Index)
	}
}

// A policy decides like as many exact models, of which all or none take.
func TestPolicyEqualsItsModels(t *testing.T) {
	steps := 3_000
	if testing.Short() {
		steps = 150
	}
	rollout, err := engine.NewRollout(0)
	require.NoError(t, err)
	for i, limits := range [][]engine.Limit{
		append([]engine.Limit{engine.TokenBucket(4, time.Minute)}, oneOfEach...),
		{engine.PerSecond(10), engine.PerHour(1000)},
		{engine.FixedWindow(5, time.Second), engine.SlidingLog(20, 7*time.Second), engine.LeakyBucket(3, time.Second, engine.Burst(9))},
		{engine.SlidingCounter(9, 3*time.Second)},
	} {
		for _, reports := range []int{-1, 0} {
			t.Run(fmt.Sprint(limits, reports), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(21, uint64(i)))
				parts := parted(t, engine.Manual(), limits...)
				if reports >= 0 {
					parts[reports].Rollout = rollout
				}
				p := newPolicy(t, parts...)
				models := map[string]model.Model{}
				keys := make([]string, len(limits))
				now, admitted, denied, shadowed := time.Duration(0), 0, 0, 0
				for step := range steps {
					now += time.Duration(rng.Int64N(int64(limits[0].Period) / 4))
					n := rng.Int64N(4)
					if rng.IntN(50) == 0 {
						n = limits[0].Capacity() + 1
					}
					of := make([]model.Model, len(limits))
					for j, l := range limits {
						keys[j] = fmt.Sprint(rng.IntN(3))
						id := fmt.Sprint(j, "/", keys[j])
						if models[id] == nil {
							models[id] = model.New(l)
						}
						of[j] = models[id]
					}
					want := wanted(parts, of, keys, now, n)
					require.Equal(t, want, p.TakeKeysAt(now, n, keys...), "step %d", step)
					switch {
					case want.Reason == engine.Shadowed:
						shadowed++
					case want.OK:
						admitted++
					default:
						denied++
					}
				}
				require.Greater(t, admitted, steps/20)
				require.Greater(t, denied, steps/50)
				require.Equal(t, reports >= 0, shadowed > 0)
			})
		}
	}
}

// wanted is what a policy should answer, by the words of its documentation.
func wanted(parts []engine.Part, models []model.Model, keys []string, now time.Duration, n int64) (d engine.PolicyDecision) {
	best := -1
	for i, m := range models {
		peek := m.Peek(now, n)
		if !peek.OK && (n <= 0 || parts[i].Rollout.Enforces(keys[i])) && (best < 0 || peek.RetryAfter > d.RetryAfter) {
			best, d = i, engine.PolicyDecision{Decision: peek, Name: parts[i].Name, Index: i}
		}
	}
	if best >= 0 {
		return d
	}
	reported := false
	for i, m := range models {
		took := m.Take(now, n)
		reports := !took.OK
		if reports {
			took.OK, took.Reason = true, engine.Shadowed
		}
		if best < 0 || !reported && (reports || took.Remaining < d.Remaining) {
			best, d = i, engine.PolicyDecision{Decision: took, Name: parts[i].Name, Index: i}
		}
		reported = reported || reports
	}
	return d
}

// Waiting exactly as long as told gets in, 1 ns less does not: also when a
// counter that admits now denies again, because its window has rolled and the
// previous one is kept in steps, rounded up, while another limit is waited for.
func TestPolicyRetryAfterIsExact(t *testing.T) {
	const hour = time.Hour
	wavers := engine.SlidingCounter(1<<40, hour)
	n, used := int64(1<<40-5), int64(5) // 5 is no whole step
	parts := parted(t, engine.Manual(), engine.TokenBucket(1<<41, hour, engine.Burst(1<<40)), wavers)
	p := newPolicy(t, parts...)
	require.True(t, parts[1].Engine.TakeAt("k", used, 0).OK)
	full := hour - time.Nanosecond
	require.True(t, parts[1].Engine.PeekAt("k", n, full).OK)
	require.False(t, parts[1].Engine.PeekAt("k", n, hour).OK, "it has wavered")
	require.True(t, parts[0].Engine.TakeAt("k", 1<<40, hour/2+10).OK) // has n again just after the hour

	now := full
	d := p.PeekAt("k", n, now)
	require.Equal(t, "limit0", d.Name)
	own := parts[0].Engine.PeekAt("k", n, now).RetryAfter
	require.Greater(t, d.RetryAfter, max(own, 1), "longer than any limit's own")
	require.False(t, p.PeekAt("k", n, now+d.RetryAfter-1).OK)
	require.True(t, p.PeekAt("k", n, now+d.RetryAfter).OK)

	steps := 3_000
	if testing.Short() {
		steps = 500
	}
	rng := rand.New(rand.NewPCG(5, 5))
	parts = parted(t, engine.Manual(), oneOfEach...)
	p = newPolicy(t, parts...)
	for now, checked := time.Duration(0), 0; checked < steps; {
		now += time.Duration(rng.Int64N(int64(10 * time.Second)))
		n := 1 + rng.Int64N(6)
		if d := p.TakeAt("k", n, now); !d.OK {
			require.Equal(t, d, p.PeekAt("k", n, now))
			require.False(t, p.PeekAt("k", n, now+d.RetryAfter-1).OK, "%v at %v", d, now)
			require.True(t, p.PeekAt("k", n, now+d.RetryAfter).OK, "%v at %v", d, now)
			checked++
		}
	}
}

// A table that is full is found out only when a key must be made: what had been
// taken by then is taken back.
func TestPolicyTakesBackWhenATableIsFull(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		for _, used := range []int64{0, 3, 9} { // 0: the bucket was full
			clock := engine.Manual()
			clock.Set(12_345 * time.Millisecond)
			narrow := newEngine(t, engine.Config{Limit: l, Clock: clock})
			broad := newEngine(t, engine.Config{Limit: l, Clock: clock, MaxKeys: 1})
			require.True(t, broad.Allow("other"))
			if used > 0 {
				require.True(t, narrow.Take("k", used).OK)
			}
			clock.Add(time.Second)
			before := statesOf(narrow, clock.Now())
			p := newPolicy(t, engine.Part{Name: "narrow", Engine: narrow}, engine.Part{Name: "broad", Engine: broad})
			d := p.Take("k", 1)
			require.Equal(t, engine.Saturated, d.Reason)
			require.Equal(t, "broad", d.Name)
			require.Equal(t, before, statesOf(narrow, clock.Now()))
			require.EqualValues(t, 1, broad.Stats().Saturated)
			want := uint64(0)
			if used > 0 {
				want = 1
			}
			require.Equal(t, want, narrow.Stats().Admitted)
		}
	})
}

// statesOf is what a key answers from now on.
func statesOf(e *engine.Engine, now time.Duration) (all []engine.Decision) {
	for _, later := range []time.Duration{0, 1, time.Second, 10 * time.Second, time.Minute, 2 * time.Minute} {
		all = append(all, e.PeekAt("k", 7, now+later), e.PeekAt("k", 10, now+later))
	}
	return all
}

// A limit that some requests do not have is left out by a policy without it.
func TestPoliciesShareEngines(t *testing.T) {
	parts := parted(t, engine.Manual(), engine.FixedWindow(2, time.Hour), engine.FixedWindow(4, time.Hour))
	signedIn, anonymous := newPolicy(t, parts...), newPolicy(t, parts[1])
	require.True(t, signedIn.TakeKeys(2, "user", "all").OK)
	require.True(t, anonymous.TakeKeys(1, "all").OK)
	require.Equal(t, "limit0", signedIn.TakeKeys(1, "user", "all").Name)
	require.EqualValues(t, 0, signedIn.TakeKeys(1, "another", "all").Remaining)
	require.Equal(t, "limit1", signedIn.TakeBytes([]byte("all"), 1).Name)
	require.False(t, anonymous.Take("all", 1).OK)
}

func TestPolicyWrongKeys(t *testing.T) {
	parts := parted(t, engine.Manual(), oneOfEach[0], oneOfEach[1])
	p := newPolicy(t, parts...)
	want := engine.PolicyDecision{Index: -1}
	want.Reason, want.RetryAfter = engine.WrongKeys, engine.Never
	for _, keys := range [][]string{nil, {}, {"a"}, {"a", "b", "c"}} {
		require.Equal(t, want, p.TakeKeys(1, keys...))
		require.Equal(t, want, p.PeekKeys(1, keys...))
	}
	require.Zero(t, parts[0].Engine.Len()+parts[1].Engine.Len())
	require.Equal(t, "wrong number of keys", engine.WrongKeys.String())
	require.True(t, p.TakeKeys(1, "", "").OK, "the empty key is a key")
}

func TestPolicyErrorsNameTheValue(t *testing.T) {
	a, b := newEngine(t, engine.Config{Limit: oneOfEach[0]}), newEngine(t, engine.Config{Limit: oneOfEach[1]})
	odd := newEngine(t, engine.Config{Limit: oneOfEach[0], Clock: uncomparable{}})
	for _, row := range []struct {
		parts []engine.Part
		want  string
	}{
		{nil, "policy of 0 limits: must have 1 to 8"},
		{make([]engine.Part, 9), "policy of 9 limits"},
		{[]engine.Part{{Name: "a", Engine: a}, {Engine: b}}, "limit 1 has no name"},
		{[]engine.Part{{Name: "a"}}, `limit "a" has no engine`},
		{[]engine.Part{{Name: "a", Engine: a}, {Name: "a", Engine: b}}, `two limits are called "a"`},
		{[]engine.Part{{Name: "a", Engine: a}, {Name: "b", Engine: a}}, `limits "a" and "b" are one engine`},
		{[]engine.Part{{Name: "a", Engine: a}, {Name: "b", Engine: newEngine(t, engine.Config{Limit: oneOfEach[1], Clock: engine.Monotonic()})}}, `limits "a" and "b" have different clocks`},
		{[]engine.Part{{Name: "a", Engine: odd}, {Name: "b", Engine: a}}, `limits "a" and "b" have different clocks`},
	} {
		p, err := engine.NewPolicy(row.parts...)
		require.ErrorContains(t, err, row.want)
		require.ErrorContains(t, err, "limit64: ")
		require.Nil(t, p)
	}
	newPolicy(t, engine.Part{Name: "a", Engine: a}, engine.Part{Name: "b", Engine: b})
	newPolicy(t, engine.Part{Name: "odd", Engine: odd})
}

type uncomparable []int

func (uncomparable) Now() time.Duration { return 0 }

func TestPolicyDoesNotAllocate(t *testing.T) {
	limits := append([]engine.Limit{engine.PerSecond(5)}, oneOfEach...)
	clock := engine.Manual()
	parts := parted(t, clock, limits...)
	for i, l := range limits {
		parts[i].Engine = newEngine(t, engine.Config{Limit: l, Clock: clock, NoStats: true})
	}
	p := newPolicy(t, parts...)
	two := newPolicy(t, parts[1:3]...)
	key, other := "a key longer than sixteen bytes", "another"
	for range 10 {
		p.Take(key, 1)
		two.TakeKeys(1, key, other)
		clock.Add(time.Minute)
	}
	require.Zero(t, testing.AllocsPerRun(200, func() {
		clock.Add(time.Second)
		p.Take(key, 1)
		p.Take(key, 100)
		two.TakeKeys(1, key, other)
		two.PeekKeys(1, key, other)
		p.Peek(key, 1)
	}))
}
