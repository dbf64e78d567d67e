// Package soak keeps engines under everything at once: floods of new keys, hot keys,
// sweeps, limits that change, turns that are waited for and given up, snapshots, and
// Close in the middle of it. All along it checks that no more was admitted than C1
// allows and that memory stays within the bound; at the end of each round, that no
// goroutine is left.
package soak

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// limits come in pairs, between which a round changes, and with the bound of what
// any change between them may admit in a time.
var limits = []struct {
	narrow, wide engine.Limit
	most         func(wide engine.Limit, took time.Duration) int64
}{
	{engine.TokenBucket(1_000, time.Second, engine.Burst(50)), engine.TokenBucket(5_000, time.Second, engine.Burst(100)), bucketMost},
	{engine.LeakyBucket(1_000, time.Second, engine.Burst(5)), engine.LeakyBucket(2_000, time.Second, engine.Burst(10)), bucketMost},
	{engine.FixedWindow(100, 100*time.Millisecond), engine.FixedWindow(300, 100*time.Millisecond), windowMost},
	{engine.SlidingCounter(100, 100*time.Millisecond), engine.SlidingCounter(300, 100*time.Millisecond), windowMost},
	{engine.SlidingLog(100, 100*time.Millisecond), engine.SlidingLog(300, 100*time.Millisecond), windowMost},
}

func bucketMost(l engine.Limit, took time.Duration) int64 {
	return l.Capacity() + int64(float64(l.Tokens)*took.Seconds()) + 1
}

// windowMost is a whole limit for every window that the time touches: of an aligned
// one two ends, of a sliding one (the estimate included) no more than that.
func windowMost(l engine.Limit, took time.Duration) int64 {
	return l.Tokens * (int64(took/l.Period) + 2)
}

const (
	maxKeys = 100_000
	// perKey is what a key may cost: 80 bytes, or a log with a few tokens.
	perKey = 400
	round  = 800 * time.Millisecond
)

func TestSoak(t *testing.T) {
	duration := 5 * time.Second // one round of each
	if text := os.Getenv("DURATION"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		require.NoError(t, err, "DURATION")
	} else if testing.Short() {
		t.Skip("-short: make soak")
	}
	before := heap()
	for i, start := 0, time.Now(); time.Since(start) < duration; i++ {
		pair := limits[i%len(limits)]
		t.Run(fmt.Sprintf("round=%d/limit=%v", i, pair.wide), func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			r := &soak{t: t, narrow: pair.narrow, wide: pair.wide, most: pair.most, before: before}
			r.run(engine.Overflow(i / len(limits) % 3))
		})
	}
}

type soak struct {
	t            *testing.T
	narrow, wide engine.Limit
	most         func(engine.Limit, time.Duration) int64
	before       uint64 // heap in use without an engine

	e        *engine.Engine
	done     atomic.Bool
	admitted [2]atomic.Int64 // of the hot keys
	asked    atomic.Int64
}

var hot = [2]string{"hot", "a hot key that lies in the arena"}

func (s *soak) run(overflow engine.Overflow) {
	e, err := engine.New(engine.Config{
		Limit: s.wide, MaxKeys: maxKeys, Overflow: overflow, SweepEvery: 20 * time.Millisecond,
		Clock: engine.Monotonic(), MaxLogBytes: 8 * 1024,
		// The flood's keys stay, so that the table is full most of the time.
		Plans: map[string]engine.Limit{"slow": {Algorithm: s.wide.Algorithm, Tokens: 3, Period: time.Hour}},
		Plan: func(key string) string {
			if key == hot[0] || key == hot[1] || strings.HasPrefix(key, "waits") {
				return ""
			}
			return "slow"
		},
	})
	require.NoError(s.t, err)
	s.e = e
	// The hot keys are there before the flood.
	start := time.Now()
	for i := range hot {
		s.take(i)
	}
	var wg sync.WaitGroup
	for _, job := range []func(*rand.Rand){s.heat, s.heat, s.flood, s.sweep, s.change, s.wait, s.save} {
		seed := rand.Uint64()
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 0))
			for !s.done.Load() {
				job(rng)
			}
		})
	}
	for time.Since(start) < round {
		s.check(start)
		time.Sleep(round / 50)
	}
	e.Close() // in the middle of it all
	for range 5 {
		s.check(start)
		time.Sleep(round / 50)
	}
	s.done.Store(true)
	wg.Wait()
	s.check(start)
	require.NotZero(s.t, s.asked.Load())
	s.t.Logf("%d decisions on hot keys, %d and %d admitted, %d keys", s.asked.Load(), s.admitted[0].Load(), s.admitted[1].Load(), e.Len())
}

// check reads the admissions before the time: those of later are not among them.
func (s *soak) check(start time.Time) {
	for i := range hot {
		got := s.admitted[i].Load()
		require.LessOrEqual(s.t, got, s.most(s.wide, time.Since(start)), "C1, key %q", hot[i])
	}
	require.LessOrEqual(s.t, s.e.Len(), maxKeys)
	require.Less(s.t, heap(), s.before+maxKeys*perKey+64<<20)
}

func (s *soak) take(i int) {
	s.asked.Add(1)
	if d := s.e.Take(hot[i], 1); d.OK && d.Reason == engine.Admitted {
		s.admitted[i].Add(1)
	}
}

func (s *soak) heat(rng *rand.Rand) {
	for range 100 {
		s.take(rng.IntN(2))
	}
}

func (s *soak) flood(rng *rand.Rand) {
	for range 100 {
		s.e.TakeUint64(rng.Uint64(), 1)
		s.e.TakeBytes(fmt.Appendf(nil, "a long new key of the flood %d", rng.Uint64()), 1)
	}
	runtime.Gosched()
}

func (s *soak) sweep(rng *rand.Rand) {
	s.e.Sweep()
	s.e.Forget(fmt.Sprint(rng.IntN(100)))
	time.Sleep(time.Duration(rng.IntN(int(20 * time.Millisecond))))
}

// change sets limits that are never wider than the widest.
func (s *soak) change(rng *rand.Rand) {
	l := []engine.Limit{s.narrow, s.wide}[rng.IntN(2)]
	require.NoError(s.t, s.e.SetLimit(l))
	key := hot[rng.IntN(2)]
	if rng.IntN(2) == 0 {
		require.NoError(s.t, s.e.SetKeyLimit(key, s.narrow))
	} else {
		s.e.Replan(key)
	}
	time.Sleep(time.Duration(rng.IntN(int(10 * time.Millisecond))))
}

// wait takes turns of keys of its own, and gives some up.
func (s *soak) wait(rng *rand.Rand) {
	key := fmt.Sprint("waits", rng.IntN(3))
	if r := s.e.Reserve(key, 1+rng.Int64N(3), 50*time.Millisecond); rng.IntN(2) == 0 {
		r.Cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(int(5*time.Millisecond))))
	defer cancel()
	_ = s.e.Wait(ctx, key, 1)
}

func (s *soak) save(rng *rand.Rand) {
	require.NoError(s.t, s.e.Snapshot(io.Discard))
	for range s.e.All() {
		if rng.IntN(1000) == 0 {
			break
		}
	}
	time.Sleep(50 * time.Millisecond)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
