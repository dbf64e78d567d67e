package limit64_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limits are one of each algorithm, with a capacity of 100 and an hour to regain it.
var limits = []engine.Limit{
	engine.TokenBucket(100, time.Hour),
	engine.LeakyBucket(100, time.Hour),
	engine.FixedWindow(100, time.Hour),
	engine.SlidingCounter(100, time.Hour),
	engine.SlidingLog(100, time.Hour),
}

func forEachLimit(t *testing.T, test func(t *testing.T, l engine.Limit)) {
	for _, l := range limits {
		t.Run(l.String(), func(t *testing.T) { test(t, l) })
	}
}

func newEngine(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.New(c)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

// scaled divides the work of a test when the race detector's cost or -short asks
// for it.
func scaled(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// N goroutines on a fresh key at a frozen instant admit exactly the burst.
func TestFreshKeyAdmitsExactlyTheBurst(t *testing.T) {
	forEachLimit(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l})
		for round := range 50 {
			key := fmt.Sprint("key", round)
			var admitted atomic.Int64
			together(16, func(int) {
				for range 20 {
					if e.TakeAt(key, 1, time.Minute).OK {
						admitted.Add(1)
					}
				}
			})
			require.EqualValues(t, 100, admitted.Load(), "round %d", round)
		}
	})
}

// Two goroutines fight for the last token; one gets it.
func TestLastToken(t *testing.T) {
	forEachLimit(t, func(t *testing.T, l engine.Limit) {
		e := newEngine(t, engine.Config{Limit: l})
		for round := range scaled(2000) {
			key := fmt.Sprint(round)
			require.True(t, e.TakeAt(key, 99, 0).OK)
			var admitted atomic.Int64
			together(2, func(int) {
				if e.TakeAt(key, 1, 0).OK {
					admitted.Add(1)
				}
			})
			require.EqualValues(t, 1, admitted.Load(), "round %d", round)
		}
	})
}

// A hot key under 64 goroutines that take several tokens at once, return some,
// and read stale clocks, while the table sweeps: burst + T·rate holds, and the
// counts agree with what the callers saw.
func TestBoundOnAHotKey(t *testing.T) {
	const rate, burst = 1000, 50
	for _, l := range []engine.Limit{
		engine.PerSecond(rate, engine.Burst(burst)),
		engine.LeakyBucket(rate, time.Second, engine.Burst(burst)),
	} {
		t.Run(l.String(), func(t *testing.T) {
			e := newEngine(t, engine.Config{Limit: l})
			var clock, admitted atomic.Int64
			together(64, func(g int) {
				rng := rand.New(rand.NewPCG(1, uint64(g)))
				for range scaled(3000) {
					now := time.Duration(clock.Add(int64(rng.IntN(20_000))))
					if stale := rng.IntN(4); stale == 0 {
						now -= time.Duration(rng.Int64N(int64(time.Second)))
					}
					n := 1 + rng.Int64N(3)
					if d := e.TakeAt("hot", n, now); d.OK {
						admitted.Add(n)
					} else {
						assert.LessOrEqual(t, d.RetryAfter, time.Duration(burst)*time.Second/rate)
					}
					if rng.IntN(100) == 0 {
						e.SweepAt(now)
					}
				}
			})
			bound := burst + clock.Load()*rate/int64(time.Second) + 1
			require.LessOrEqual(t, admitted.Load(), bound)
			require.Greater(t, admitted.Load(), bound*9/10, "and it does not starve")
		})
	}
}

// Churn: a million keys come, are spent, go idle and are forgotten while others
// split the table. No key ever gets more than its bound.
func TestBoundOnChurn(t *testing.T) {
	keys := scaled(1_000_000)
	// Two tokens a key, one regained each interval. The clock moves 10 ns a request,
	// so a key that is asked for again at once has nothing, and one that is asked
	// for after the others have had their turn is full again.
	interval := 10 * int64(keys)
	e := newEngine(t, engine.Config{Limit: engine.Every(time.Duration(interval), engine.Burst(2))})
	const perGoroutine = 4
	admitted := make([]atomic.Int32, keys)
	first := make([]atomic.Int64, keys)
	last := make([]atomic.Int64, keys)
	var clock atomic.Int64
	together(4, func(g int) {
		var key [16]byte
		for i := range keys {
			// All four goroutines walk the same keys, a little apart.
			k := (i + g*17) % keys
			binary.LittleEndian.PutUint64(key[:], uint64(k))
			for range perGoroutine {
				now := clock.Add(10)
				first[k].CompareAndSwap(0, now)
				if e.TakeBytesAt(key[:], 1, time.Duration(now)).OK {
					admitted[k].Add(1)
				}
				raise(&last[k], now)
			}
		}
	})
	for k := range keys {
		elapsed := last[k].Load() - first[k].Load()
		bound := 2 + elapsed/interval + 1 // +1: first may be a goroutine's later instant
		require.LessOrEqual(t, int64(admitted[k].Load()), bound, "key %d", k)
		require.GreaterOrEqual(t, int64(admitted[k].Load()), int64(2), "key %d", k)
	}
	s := e.Stats()
	require.NotZero(t, s.Splits)
	require.NotZero(t, s.Forgotten, "inserts pay for sweeps")
	require.EqualValues(t, 4*perGoroutine*keys, s.Admitted+s.Denied)
}

// Sweeps at full speed beside traffic on keys that hover around idle: what a key
// gets never exceeds its bound, in particular not by being forgotten too early.
func TestBoundDuringSweeps(t *testing.T) {
	forEachLimit(t, func(t *testing.T, l engine.Limit) {
		l.Tokens, l.Period = 5, 1000 // nanoseconds: idle again and again
		e := newEngine(t, engine.Config{Limit: l})
		var clock atomic.Int64
		admitted := make([]atomic.Int64, 50)
		stop := make(chan struct{})
		var sweeper sync.WaitGroup
		sweeper.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					e.SweepAt(time.Duration(clock.Load()))
					runtime.Gosched()
				}
			}
		})
		together(4, func(g int) {
			rng := rand.New(rand.NewPCG(3, uint64(g)))
			for i := range scaled(100_000) {
				now := clock.Add(3)
				if i%500 == 0 { // also where the sweeper finds no processor
					e.SweepAt(time.Duration(now))
				}
				k := rng.IntN(25) + 25*int(now/5000%2) // half of the keys rest, in turn
				if rng.IntN(8) == 0 {
					now -= rng.Int64N(500)
				}
				if e.TakeAt(fmt.Sprint(k), 1, time.Duration(now)).OK {
					admitted[k].Add(1)
				}
			}
		})
		close(stop)
		sweeper.Wait()
		for k := range admitted {
			require.LessOrEqual(t, admitted[k].Load(), mostIn(l, clock.Load()), "key %d", k)
		}
		require.NotZero(t, e.Stats().Forgotten)
	})
}

// mostIn is the most that contract C1 allows from instant 0 on.
func mostIn(l engine.Limit, elapsed int64) int64 {
	windows := elapsed/int64(l.Period) + 1
	switch l.Algorithm {
	case engine.FixedWindow(1, 1).Algorithm:
		return l.Tokens * windows
	case engine.SlidingCounter(1, 1).Algorithm:
		return l.Tokens * (windows + 1) // an estimate: a window may be underestimated once
	case engine.SlidingLog(1, 1).Algorithm:
		return l.Tokens * windows
	}
	return l.Capacity() + elapsed*l.Tokens/int64(l.Period)
}

// 1,000 engines with every kind of goroutine, made and closed: none is left.
func TestEnginesLeaveNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 1000 {
		e, err := engine.New(engine.Config{Limit: limits[0], Clock: engine.Coarse(0), SweepEvery: time.Hour})
		require.NoError(t, err)
		e.Close()
	}
	// Close has seen each goroutine's last statement; let the runtime bury them.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func together(goroutines int, work func(g int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for g := range goroutines {
		wg.Go(func() {
			<-start
			work(g)
		})
	}
	close(start)
	wg.Wait()
}

func raise(a *atomic.Int64, to int64) {
	for {
		if v := a.Load(); v >= to || a.CompareAndSwap(v, to) {
			return
		}
	}
}
