package engine_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oneOfEach are the five algorithms with a capacity of 10.
var oneOfEach = []engine.Limit{
	engine.TokenBucket(10, time.Minute),
	engine.LeakyBucket(10, time.Minute),
	engine.FixedWindow(10, time.Minute),
	engine.SlidingCounter(10, time.Minute),
	engine.SlidingLog(10, time.Minute),
}

func forEach(t *testing.T, test func(t *testing.T, l engine.Limit)) {
	for _, l := range oneOfEach {
		t.Run(l.String(), func(t *testing.T) { test(t, l) })
	}
}

func TestTakePeekReturnForget(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		clock := engine.Manual()
		e := newEngine(t, engine.Config{Limit: l, Clock: clock})
		full := engine.Decision{OK: true, Remaining: 10, Limit: 10}

		require.Equal(t, full, e.Peek("k", 10))
		require.Zero(t, e.Len(), "Peek creates nothing")
		require.True(t, e.Allow("k"))
		d := e.Take("k", 6)
		require.True(t, d.OK)
		require.EqualValues(t, 3, d.Remaining)
		require.Positive(t, d.ResetAfter)

		before := e.Peek("k", 1)
		denied := e.Take("k", 4)
		require.False(t, denied.OK)
		require.Equal(t, engine.Denied, denied.Reason)
		require.Positive(t, denied.RetryAfter)
		require.Equal(t, before, e.Peek("k", 1), "a denial changes nothing")

		clock.Add(denied.RetryAfter - 1)
		require.False(t, e.Peek("k", 4).OK, "1 ns early")
		clock.Add(1)
		require.True(t, e.Take("k", 4).OK, "exactly then")

		e.Return("k", 4)
		e.Return("k", 0)
		e.Return("k", -3)
		require.True(t, e.Take("k", 4).OK)
		e.Return("k", math.MaxInt64)
		require.EqualValues(t, 10, e.Peek("k", 1).Remaining, "never above the capacity")
		e.Return("nobody", 5)
		require.Equal(t, 1, e.Len())

		require.True(t, e.Take("k", 10).OK)
		require.True(t, e.Forget("k"))
		require.False(t, e.Forget("k"))
		require.Equal(t, full, e.Peek("k", 1))
		require.Zero(t, e.Len())
	})
}

func TestBytesTwins(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual()})
		key := []byte("a key that is longer than sixteen bytes")
		text := string(key)
		require.True(t, e.AllowBytes(key))
		require.EqualValues(t, 8, e.TakeBytes(key, 1).Remaining)
		require.EqualValues(t, 7, e.TakeBytesAt(key, 1, 0).Remaining)
		clear(key) // the engine keeps its own copy
		copy(key, text)
		require.EqualValues(t, 7, e.Peek(text, 1).Remaining)
		e.ReturnBytes(key, 1)
		e.ReturnBytesAt(key, 1, 0)
		require.EqualValues(t, 9, e.PeekBytes(key, 1).Remaining)
		require.EqualValues(t, 9, e.PeekBytesAt(key, 1, 0).Remaining)
		require.True(t, e.ForgetBytes(key))
	})
}

func TestRefusedCosts(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual()})
		for _, n := range []int64{0, -5, math.MinInt64, 11, 1 << 40, math.MaxInt64} {
			d := e.Take("k", n)
			want := engine.TooLarge
			if n <= 0 {
				want = engine.InvalidN
			}
			require.Equal(t, engine.Decision{Remaining: 10, Limit: 10, RetryAfter: engine.Never, Reason: want}, d, "n = %d", n)
		}
		require.Zero(t, e.Len(), "a refused cost creates no key")
		e.Take("k", 4)
		require.EqualValues(t, 6, e.Take("k", 11).Remaining)
		require.EqualValues(t, 6, e.Take("k", -1).Remaining)
		s := e.Stats()
		require.EqualValues(t, 4, s.TooLarge)
		require.EqualValues(t, 4, s.InvalidN)
		require.EqualValues(t, 8, s.Denied)
		require.EqualValues(t, 1, s.Admitted)
	})
}

func TestOddKeys(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual()})
		keys := []string{"", "a", "\x00", "\x00\x00", strings.Repeat("x", 16), strings.Repeat("x", 17), strings.Repeat("x", 64<<10), "\xff\xc0\x80"}
		for i, k := range keys {
			require.EqualValues(t, 10-i-1, e.Take(k, int64(i+1)).Remaining)
		}
		seen := map[string]int64{}
		for k, d := range e.All() {
			seen[k] = d.Remaining
		}
		require.Len(t, seen, len(keys))
		for i, k := range keys {
			require.EqualValues(t, 10-i-1, seen[k])
		}
	})
}

// Three keys in turn at a bound of two: forgetting a key that is in use would
// admit all of them for ever.
func TestEvictionIsNoBypass(t *testing.T) {
	for _, p := range []struct {
		policy          engine.Overflow
		admitted        int
		denied, untrack bool
	}{
		{engine.DenyNew, 2, true, false},
		{engine.ShareNew, 3, true, false},
		{engine.AdmitNew, 2 + 10, true, true},
	} {
		for _, l := range []engine.Limit{engine.TokenBucket(1, 24*time.Hour), engine.FixedWindow(1, 24*time.Hour), engine.SlidingCounter(1, 24*time.Hour), engine.SlidingLog(1, 24*time.Hour)} {
			t.Run(fmt.Sprint(p.policy, "/", l), func(t *testing.T) {
				clock := engine.Manual()
				e := newEngine(t, engine.Config{Limit: l, MaxKeys: 2, Overflow: p.policy, Clock: clock})
				admitted := 0
				for i := range 30 {
					clock.Add(time.Second)
					if e.Allow(fmt.Sprint(i % 3)) {
						admitted++
					}
				}
				require.Equal(t, p.admitted, admitted)
				require.Equal(t, 2, e.Len())
				s := e.Stats()
				require.Equal(t, p.policy == engine.DenyNew, s.Saturated > 0)
				require.Equal(t, p.policy == engine.AdmitNew, s.Untracked > 0)
				require.Equal(t, p.policy == engine.ShareNew, s.Shared > 0)
				d := e.Peek("new", 1)
				require.True(t, d.OK, "Peek speaks of the key, not of the table")
				clock.Add(48 * time.Hour)
				require.Equal(t, engine.Admitted, e.Take("new", 1).Reason, "idle keys make room")
			})
		}
	}
}

func TestChurnAtTheBound(t *testing.T) {
	clock := engine.Manual()
	e := newEngine(t, engine.Config{Limit: engine.TokenBucket(1, 24*time.Hour), MaxKeys: 10_000, Clock: clock})
	admitted := 0
	for i := range 4 * 65_536 {
		clock.Add(time.Microsecond)
		if e.Allow(fmt.Sprint(i % 65_536)) {
			admitted++
		}
	}
	require.Equal(t, 10_000, admitted)
}

// Each key once, then quiet: the memory returns without a request for each.
func TestMemoryReturns(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		clock := engine.Manual()
		e := newEngine(t, engine.Config{Limit: l, Clock: clock})
		n := 200_000
		if l.Algorithm == engine.SlidingLog(1, 1).Algorithm || testing.Short() {
			n = 20_000
		}
		for i := range n {
			e.Allow(fmt.Sprint(i))
		}
		require.Equal(t, n, e.Len())
		clock.Set(time.Hour)
		e.Sweep()
		require.Zero(t, e.Len())
		s := e.Stats()
		require.EqualValues(t, n, s.Forgotten)
		e.Sweep()
		require.LessOrEqual(t, e.Stats().Shards, 1)
	})
}

// A base has moved since, and a request has an instant before it: it finds what was
// used later, not a word that counts from 0.
func TestStaleInstantBeforeTheBase(t *testing.T) {
	l := engine.TokenBucket(999_983, time.Second, engine.Burst(4)) // words span 77 minutes
	e := newEngine(t, engine.Config{Limit: l})
	require.True(t, e.TakeAt("k", 1, 0).OK)
	const late = 80 * time.Minute
	require.True(t, e.TakeAt("k", 4, late).OK)
	require.EqualValues(t, 1, e.Stats().Rebases)
	for _, now := range []time.Duration{0, time.Minute, 30 * time.Minute, 70 * time.Minute, late - 1} {
		require.False(t, e.TakeAt("k", 1, now).OK, now)
		require.False(t, e.PeekAt("k", 1, now).OK, now)
	}
}

// The key is idle at the sweep's instant and dropped; a request with an older
// instant, at which it was not yet full, finds no more than it had then.
func TestStaleNowAtForgetting(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		kept, swept := newEngine(t, engine.Config{Limit: l}), newEngine(t, engine.Config{Limit: l})
		for _, e := range []*engine.Engine{kept, swept} {
			require.True(t, e.TakeAt("k", 10, 30*time.Second).OK)
		}
		swept.SweepAt(5 * time.Minute)
		require.Zero(t, swept.Len())
		admitted := 0
		for range 20 {
			if swept.TakeAt("k", 1, 40*time.Second).OK {
				admitted++
			}
		}
		// Windows clamp the stale instant to the sweep's, where the key was full;
		// a bucket sees only what had been earned.
		most := 10
		if l.Algorithm <= engine.LeakyBucket(1, 1).Algorithm {
			most = 0
			for kept.TakeAt("k", 1, 40*time.Second).OK {
				most++
			}
		}
		require.LessOrEqual(t, admitted, most)
		for range 20 {
			if swept.TakeAt("k", 1, 5*time.Minute).OK {
				admitted++
			}
		}
		require.LessOrEqual(t, admitted, 10, "and one capacity in all at the sweep's instant")
	})
}

func TestConfigErrorsNameTheValue(t *testing.T) {
	ok := engine.PerSecond(1)
	for _, row := range []struct {
		c    engine.Config
		want string
	}{
		{engine.Config{}, "unknown algorithm 0"},
		{engine.Config{Limit: engine.TokenBucket(10, 0)}, "limit64: limit 10 per 0s: period must be positive"},
		{engine.Config{Limit: ok, MaxKeys: -1}, "MaxKeys -1"},
		{engine.Config{Limit: ok, Overflow: 9}, "Overflow 9"},
		{engine.Config{Limit: ok, SweepEvery: -time.Second}, "SweepEvery -1s"},
		{engine.Config{Limit: ok, MaxLogBytes: -5}, "MaxLogBytes -5"},
		{engine.Config{Limit: ok, Clock: engine.Coarse(time.Microsecond)}, "1µs"},
		{engine.Config{Limit: engine.SlidingLog(1_000_000, time.Hour)}, "8000104 bytes"},
		{engine.Config{Limit: engine.SlidingLog(9, time.Hour), MaxLogBytes: 100}, "176 bytes a key, MaxLogBytes is 100"},
	} {
		e, err := engine.New(row.c)
		require.ErrorContains(t, err, row.want)
		require.Nil(t, e)
		require.True(t, strings.HasPrefix(err.Error(), "limit64: "), err)
	}
	l, err := engine.ParseLimit("token:100/s,burst=20")
	require.NoError(t, err)
	require.Equal(t, engine.PerSecond(100, engine.Burst(20)), l)
}

func TestStatsCountAndCanBeOff(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual()})
		off := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual(), NoStats: true})
		for range 15 {
			e.Allow("k")
			off.Allow("k")
		}
		s := e.Stats()
		require.EqualValues(t, 10, s.Admitted)
		require.EqualValues(t, 5, s.Denied)
		require.EqualValues(t, 5, s.Limited)
		require.Equal(t, 1, s.Keys)
		o := off.Stats()
		require.Zero(t, o.Admitted+o.Denied)
		require.Equal(t, 1, o.Keys)
	})
}

func TestDecisionsDoNotAllocate(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		for _, noStats := range []bool{false, true} {
			e := newEngine(t, engine.Config{Limit: l, Clock: engine.Coarse(0), NoStats: noStats})
			key, long := []byte("key"), strings.Repeat("long", 20)
			for range 10 { // a log's ring has grown by then
				e.TakeBytes(key, 1)
				e.Take(long, 1)
			}
			require.Zero(t, testing.AllocsPerRun(200, func() {
				e.Return(long, 1)
				e.Take(long, 1)     // admitted
				e.TakeBytes(key, 1) // denied
				e.Take("key", 11)   // refused
				e.Peek("nobody", 1)
			}))
		}
	})
}

func TestClocks(t *testing.T) {
	m := engine.Monotonic()
	a := m.Now()
	require.GreaterOrEqual(t, m.Now(), a)

	c := engine.Coarse(0)
	one := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: c})
	two, err := engine.New(engine.Config{Limit: engine.PerSecond(1), Clock: c})
	require.NoError(t, err)
	start := one.Now()
	deadline := time.Now().Add(10 * time.Second)
	for one.Now() == start && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	require.Greater(t, one.Now(), start, "it runs")
	two.Close()
	shown := one.Now()
	for one.Now() == shown && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	require.Greater(t, one.Now(), shown, "it runs as long as one engine is open")

	manual := engine.Manual()
	manual.Set(5)
	manual.Add(2)
	require.EqualValues(t, 7, manual.Now())
}

func TestClosedEngineStillDecides(t *testing.T) {
	e, err := engine.New(engine.Config{Limit: engine.PerSecond(1), Clock: engine.Coarse(0), SweepEvery: time.Millisecond})
	require.NoError(t, err)
	e.Close()
	require.True(t, e.Allow("k"))
	a := e.Now()
	for e.Now() == a {
		runtime.Gosched()
	}
	assert.Greater(t, e.Now(), a, "on the exact clock")
}

func TestBackgroundSweep(t *testing.T) {
	clock := engine.Manual()
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: clock, SweepEvery: time.Millisecond})
	for i := range 1000 {
		e.Allow(fmt.Sprint(i))
	}
	clock.Set(time.Hour)
	deadline := time.Now().Add(30 * time.Second)
	for e.Len() > 0 && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	require.Zero(t, e.Len())
}
