package engine_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

func manual(t *testing.T, l engine.Limit) *engine.Engine {
	e, err := engine.New(engine.Config{Limit: l, Clock: engine.Manual()})
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

func TestReserve(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	for _, c := range []struct {
		limit        engine.Limit
		n            int64
		longest, now time.Duration
		delay, retry time.Duration
		reason       engine.Reason
	}{
		{engine.PerSecond(10), 1, 0, 0, 100 * ms, 100 * ms, engine.Denied},
		{engine.PerSecond(10), 1, 100*ms - 1, 0, 100 * ms, 1, engine.Denied},
		{engine.PerSecond(10), 1, 100 * ms, 0, 100 * ms, 0, engine.Admitted},
		{engine.PerSecond(10), 1, math.MaxInt64, 0, 100 * ms, 0, engine.Admitted},
		{engine.PerSecond(10), 10, math.MaxInt64, 0, s, 0, engine.Admitted},
		{engine.PerSecond(10), 3, 0, s, 0, 0, engine.Admitted},
		{engine.PerSecond(10), 11, math.MaxInt64, 0, engine.Never, engine.Never, engine.TooLarge},
		{engine.PerSecond(10), 0, math.MaxInt64, 0, engine.Never, engine.Never, engine.InvalidN},
		{engine.LeakyBucket(10, s), 1, s, 0, s, 0, engine.Admitted},
		{engine.FixedWindow(10, s), 1, s, 0, s, s, engine.Denied},
		{engine.FixedWindow(10, s), 1, 0, s, 0, 0, engine.Admitted},
		{engine.SlidingLog(10, s), 1, s, 0, s, s, engine.Denied},
	} {
		e := manual(t, c.limit)
		require.True(t, e.TakeAt("k", 10, 0).OK)
		r := e.ReserveAt("k", c.n, c.longest, c.now)
		require.Equal(t, c.reason, r.Reason, "%+v", c)
		require.Equal(t, c.delay, r.Delay, "%+v", c)
		require.Equal(t, c.retry, r.RetryAfter, "%+v", c)
		if r.OK() {
			require.Equal(t, c.now+c.delay, r.At, "%+v", c)
			require.Equal(t, uint64(2), e.Stats().Admitted)
		}
	}
}

func TestCancelOrder(t *testing.T) {
	const turns = 20
	for name, order := range map[string]func(i int) int{
		"forward":  func(i int) int { return i },
		"backward": func(i int) int { return turns - 1 - i },
		"mixed":    func(i int) int { return i * 7 % turns },
	} {
		for _, l := range []engine.Limit{engine.PerSecond(10, engine.Burst(5)), engine.LeakyBucket(10, time.Second, engine.Burst(5))} {
			e := manual(t, l)
			require.True(t, e.TakeAt("k", 5, 0).OK)
			before := e.PeekAt("k", 1, 1)
			var all []engine.Reservation
			for range turns {
				r := e.ReserveAt("k", 2, engine.Never, 0)
				require.True(t, r.OK())
				all = append(all, r)
			}
			require.NotEqual(t, before, e.PeekAt("k", 1, 1))
			for i := range turns {
				require.True(t, all[order(i)].CancelAt(0))
				require.False(t, all[order(i)].CancelAt(0), "twice")
			}
			require.Equal(t, before, e.PeekAt("k", 1, 1), "%s: %v", name, l)
			e.SweepAt(time.Hour)
			require.Zero(t, e.Len())
			require.Zero(t, engine.Waiting(e))
		}
	}
}

// What cannot be given back, is not: the bucket never holds more than it would.
func TestCancelGivesNothing(t *testing.T) {
	l := engine.PerSecond(10, engine.Burst(5))
	for name, meanwhile := range map[string]func(e *engine.Engine) (now time.Duration){
		"after the turn":     func(*engine.Engine) time.Duration { return 100*time.Millisecond + 1 },
		"after Forget":       func(e *engine.Engine) time.Duration { e.Forget("k"); e.TakeAt("k", 5, 0); return 0 },
		"under a new limit":  func(e *engine.Engine) time.Duration { _ = e.SetLimit(engine.PerSecond(20, engine.Burst(5))); return 0 },
		"under another plan": func(e *engine.Engine) time.Duration { _ = e.SetKeyLimit("k", engine.PerSecond(5)); return 0 },
		"of a swept key": func(e *engine.Engine) time.Duration { // by a caller with an old clock
			e.SweepAt(time.Hour)
			e.TakeAt("k", 5, time.Hour)
			return 0
		},
	} {
		e := manual(t, l)
		require.True(t, e.TakeAt("k", 5, 0).OK)
		r := e.ReserveAt("k", 1, time.Second, 0)
		require.True(t, r.OK())
		now := meanwhile(e)
		before := e.PeekAt("k", 1, now)
		require.False(t, r.CancelAt(now), name)
		require.Equal(t, before, e.PeekAt("k", 1, now), name)
	}
}

// A limit of another key that is changed leaves the turns of this one alone.
func TestCancelAfterAnotherKeysLimit(t *testing.T) {
	e := manual(t, engine.PerSecond(10))
	require.True(t, e.TakeAt("k", 10, 0).OK)
	before := e.PeekAt("k", 1, 0)
	r := e.ReserveAt("k", 1, time.Second, 0)
	require.NoError(t, e.SetKeyLimit("other", engine.PerSecond(1000)))
	require.True(t, r.CancelAt(0))
	require.Equal(t, before, e.PeekAt("k", 1, 0))
}

// Tokens given back while others hold turns: what passes is still within the bound.
func TestReturnBesideTurns(t *testing.T) {
	e := manual(t, engine.PerSecond(1))
	require.True(t, e.TakeAt("k", 1, 0).OK)
	first := e.ReserveAt("k", 1, engine.Never, 0)
	require.Equal(t, time.Second, first.At)
	e.ReturnAt("k", 1, 0)
	require.Equal(t, 2*time.Second, e.ReserveAt("k", 1, engine.Never, 0).At, "one at a second")
}

// Goroutines take, reserve, cancel, give back and sweep, on few keys; all that was
// kept is within burst + T·rate of every key (C1).
func TestTurnsNeverOverAdmit(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	for _, l := range []engine.Limit{engine.TokenBucket(1000, time.Millisecond, engine.Burst(50)), engine.LeakyBucket(1000, time.Millisecond, engine.Burst(50))} {
		for range rounds {
			e := manual(t, l)
			var now, end, kept atomic.Int64
			var done sync.WaitGroup
			for g := range 4 {
				done.Go(func() {
					rng := rand.New(rand.NewPCG(uint64(g), 7))
					var held []engine.Reservation
					for range 2000 {
						at := time.Duration(now.Add(rng.Int64N(200)))
						switch n := 1 + rng.Int64N(5); rng.IntN(6) {
						case 0, 1:
							if e.TakeAt("k", n, at).OK {
								kept.Add(n)
							}
						case 2, 3:
							if r := e.ReserveAt("k", n, 50*time.Microsecond, at); r.OK() {
								kept.Add(n)
								raise(&end, int64(r.At))
								if n == 3 {
									held = append(held, r)
								}
							}
						case 4:
							if i := len(held) - 1; i >= 0 {
								if held[i].CancelAt(at) {
									kept.Add(-3)
								}
								held = held[:i]
							}
						case 5:
							if rng.IntN(20) == 0 {
								e.SweepAt(at)
							}
						}
						raise(&end, int64(at))
					}
				})
			}
			done.Wait()
			most := l.Capacity() + end.Load()/int64(l.Period/time.Duration(l.Tokens))
			require.LessOrEqual(t, kept.Load(), most)
			require.Greater(t, kept.Load(), most/10, "and it is not idle")
		}
	}
}

func raise(v *atomic.Int64, to int64) {
	for was := v.Load(); was < to && !v.CompareAndSwap(was, to); was = v.Load() {
	}
}
