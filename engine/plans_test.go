package engine_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// withTokens returns the limit with another number of tokens, and burst.
func withTokens(l engine.Limit, n int64) engine.Limit {
	l.Tokens = n
	return l
}

func remaining(e *engine.Engine, key string) int64 { return e.Peek(key, 1).Remaining }

// A key's limit is that of its plan, by function, by name, or its own, and each
// change keeps what the key has used.
func TestPlans(t *testing.T) {
	forEach(t, func(t *testing.T, free engine.Limit) {
		clock := engine.Manual()
		pro := withTokens(free, 100)
		e := newEngine(t, engine.Config{
			Limit: free, Clock: clock, Plans: map[string]engine.Limit{"pro": pro},
			Plan: func(key string) string { return strings.Split(key, ":")[0] },
		})
		require.EqualValues(t, 10, e.Take("free:a", 1).Limit)
		require.EqualValues(t, 100, e.Peek("pro:a", 1).Limit, "also before it is held")
		d := e.Take("pro:a", 30)
		require.EqualValues(t, 100, d.Limit)
		require.EqualValues(t, 70, d.Remaining)
		require.Equal(t, pro, e.LimitOf("pro:a"))
		require.Equal(t, engine.TooLarge, e.Take("free:b", 11).Reason)
		require.True(t, e.Take("pro:b", 11).OK)

		require.NoError(t, e.SetPlanLimit("pro", withTokens(free, 40)))
		require.EqualValues(t, 10, remaining(e, "pro:a"), "30 are used")
		require.EqualValues(t, 9, remaining(e, "free:a"), "another plan")
		require.EqualValues(t, 40, e.Peek("pro:new", 1).Limit)

		require.NoError(t, e.SetKeyLimit("pro:a", withTokens(free, 35)))
		require.EqualValues(t, 5, remaining(e, "pro:a"))
		require.NoError(t, e.SetKeyPlan("pro:a", ""))
		require.EqualValues(t, 0, remaining(e, "pro:a"), "30 of 10 are used")
		e.Replan("pro:a")
		require.EqualValues(t, 40, e.Take("pro:a", 1).Limit)
	})
}

// CASES, configuration lost with the key: a key's own limit survives its forgetting.
func TestOwnLimitSurvivesForgetting(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		clock := engine.Manual()
		e := newEngine(t, engine.Config{Limit: l, Clock: clock})
		require.NoError(t, e.SetKeyLimit("k", withTokens(l, 3)))
		require.EqualValues(t, 3, e.Take("k", 2).Limit)
		clock.Add(time.Hour)
		e.Sweep()
		require.Zero(t, e.Len())
		require.EqualValues(t, 3, e.Take("k", 2).Limit)
		require.True(t, e.Forget("k"))
		require.EqualValues(t, 3, e.Take("k", 2).Limit)
	})
}

// CASES, changing limits, as callers of the engine see them.
func TestChangingLimits(t *testing.T) {
	forEach(t, func(t *testing.T, a engine.Limit) {
		bucketLike := a.Algorithm == bucket.TokenBucketAlgorithm || a.Algorithm == bucket.LeakyBucketAlgorithm
		t.Run("fresh burst", func(t *testing.T) {
			e := newEngine(t, engine.Config{Limit: a, Clock: engine.Manual()})
			e.Take("k", 10)
			require.NoError(t, e.SetLimit(withTokens(a, 20)))
			more := int64(10)
			if bucketLike {
				more = 0
			}
			require.EqualValues(t, more, remaining(e, "k"))
			for range 3 {
				require.NoError(t, e.SetLimit(a))
				require.Zero(t, remaining(e, "k"))
				require.NoError(t, e.SetLimit(withTokens(a, 20)))
				require.LessOrEqual(t, remaining(e, "k"), more)
			}
		})
		t.Run("lower than used", func(t *testing.T) {
			clock := engine.Manual()
			e := newEngine(t, engine.Config{Limit: withTokens(a, 100), Clock: clock})
			e.Take("k", 60)
			require.NoError(t, e.SetLimit(withTokens(a, 50)))
			d := e.Take("k", 1)
			require.Equal(t, engine.Denied, d.Reason)
			clock.Add(d.RetryAfter - 1)
			require.False(t, e.Allow("k"), "1 ns early")
			clock.Add(1)
			require.True(t, e.Allow("k"))
		})
		t.Run("raise in mid-window", func(t *testing.T) {
			if bucketLike {
				t.Skip("it has no windows")
			}
			e := newEngine(t, engine.Config{Limit: withTokens(a, 2), Clock: engine.Manual()})
			e.Take("k", 2)
			require.NoError(t, e.SetLimit(withTokens(a, 100)))
			require.True(t, e.Take("k", 98).OK)
			require.False(t, e.Allow("k"))
		})
		t.Run("down twice and up", func(t *testing.T) {
			e := newEngine(t, engine.Config{Limit: withTokens(a, 1000), Clock: engine.Manual()})
			e.Take("k", 1000)
			for _, tokens := range []int64{50, 3, 700, 1000} {
				require.NoError(t, e.SetLimit(withTokens(a, tokens)))
				require.Zero(t, remaining(e, "k"), "%d", tokens)
			}
		})
	})
}

// Limits change for everybody while everybody takes at one instant: no key gets
// more than the largest limit, and none of them is lost or made twice.
func TestLimitsChangeUnderTraffic(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		const keys = 3000 // several shards, splitting on the way
		e := newEngine(t, engine.Config{
			Limit: l, Plans: map[string]engine.Limit{"odd": withTokens(l, 15)},
			Plan: func(key string) string { return map[byte]string{'1': "odd"}[key[len(key)-1]] },
		})
		var admitted [keys]atomic.Int64
		var traffic, changes sync.WaitGroup
		var done atomic.Bool
		changes.Go(func() {
			for i := int64(0); !done.Load(); i++ {
				require.NoError(t, e.SetLimit(withTokens(l, 10+10*(i%2))))
				require.NoError(t, e.SetPlanLimit("odd", withTokens(l, 5+i%10)))
				key := fmt.Sprint("key", i%keys)
				require.NoError(t, e.SetKeyLimit(key, withTokens(l, 1+i%20)))
				e.SweepAt(time.Minute)
				e.Replan(key)
			}
		})
		for range 2 {
			traffic.Go(func() {
				for range 25 {
					for i := range keys {
						if e.TakeAt(fmt.Sprint("key", i), 1, time.Minute).OK {
							admitted[i].Add(1)
						}
					}
				}
			})
		}
		traffic.Wait()
		done.Store(true)
		changes.Wait()
		for i := range admitted {
			require.LessOrEqual(t, admitted[i].Load(), int64(20))
			require.GreaterOrEqual(t, admitted[i].Load(), int64(1))
		}
	})
}

// Numbers of rules are given back: a customer's limit that changes every day does
// not use them up.
func TestRulesAreGivenBack(t *testing.T) {
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: engine.Manual()})
	for i := range int64(10_000) {
		require.NoError(t, e.SetKeyLimit("k", engine.PerSecond(2+i)))
	}
	require.EqualValues(t, 10_001, e.Take("k", 1).Limit)
	for i := range int64(4094) {
		require.NoError(t, e.SetKeyLimit(fmt.Sprint(i), engine.PerMinute(2+i)))
	}
	err := e.SetKeyLimit("one more", engine.PerHour(1))
	require.ErrorContains(t, err, "at most 4096 different limits")
	require.Equal(t, engine.PerSecond(1), e.LimitOf("one more"), "nothing has changed")
	e.Replan("17")
	require.NoError(t, e.SetKeyLimit("one more", engine.PerHour(1)))
}

func TestPlanErrorsNameTheValue(t *testing.T) {
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(10)})
	for _, row := range []struct {
		err  error
		want string
	}{
		{e.SetLimit(engine.PerSecond(-1)), "-1"},
		{e.SetPlanLimit("gold", engine.PerSecond(1)), `"gold"`},
		{e.SetKeyPlan("k", "gold"), `"gold"`},
		{e.SetKeyLimit("k", engine.SlidingLog(5, time.Second)), "log:5/s"},
		{e.SetLimit(engine.SlidingLog(5, time.Second)), "mix with nothing else"},
	} {
		require.ErrorContains(t, row.err, row.want)
	}
	require.Equal(t, engine.PerSecond(10), e.LimitOf("k"))
	_, err := engine.New(engine.Config{Limit: engine.PerSecond(10), Plans: map[string]engine.Limit{"x": engine.PerSecond(0)}})
	require.ErrorContains(t, err, `plan "x"`)
}

// Keys of one shard share a base: windows stay aligned to the clock although it
// moves for another plan's sake, and a key keeps what it has used.
func TestPlansShareTheBase(t *testing.T) {
	clock := engine.Manual()
	narrow := engine.TokenBucket(999_999_937, time.Second, engine.Burst(1<<20)) // its base moves every 73 minutes
	minute := engine.FixedWindow(10, time.Minute)
	e := newEngine(t, engine.Config{Limit: narrow, Clock: clock, Plans: map[string]engine.Limit{"m": minute},
		Plan: func(key string) string { return key }})
	for range 5000 {
		clock.Add(17 * time.Second)
		e.Take("narrow", 1)
		if d := e.Take("m", 1); d.OK {
			at := e.Now() % time.Minute
			require.Equal(t, time.Minute-at, d.ResetAfter, "windows begin with the minute")
		}
	}
	require.Positive(t, e.Stats().Rebases)
	err := e.SetKeyLimit("k", engine.FixedWindow(3, 7919*time.Second))
	require.ErrorContains(t, err, "cannot share an engine")
}

func TestLimitChangesAreEvents(t *testing.T) {
	var told []string
	events, err := engine.NewEvents(engine.EventsConfig{Handle: func(ev engine.Event) {
		told = append(told, fmt.Sprintf("%v %s %s %v", ev.Kind, ev.Engine, ev.Key, ev.Limit))
	}})
	require.NoError(t, err)
	e := newEngine(t, engine.Config{
		Limit: engine.PerSecond(1), Plans: map[string]engine.Limit{"pro": engine.PerSecond(2)}, Events: events, Name: "api",
	})
	require.NoError(t, e.SetLimit(engine.PerSecond(3)))
	require.NoError(t, e.SetPlanLimit("pro", engine.PerSecond(4)))
	require.NoError(t, e.SetKeyLimit("k", engine.PerSecond(5)))
	require.NoError(t, e.SetKeyPlan("k", "pro"))
	e.Replan("k")
	require.Error(t, e.SetLimit(engine.PerSecond(0)))
	events.Close()
	require.Equal(t, []string{
		"plan api  token:3/s", "plan api pro token:4/s", "limit api k token:5/s", "limit api k token:4/s", "limit api k token:3/s",
	}, told)
}

// The key "" may have a limit of its own; the bucket that keys without room share
// is not that key's.
func TestOwnLimitOfTheEmptyKey(t *testing.T) {
	e := newEngine(t, engine.Config{Limit: engine.PerMinute(5), MaxKeys: 1, Overflow: engine.ShareNew, Clock: engine.Manual()})
	require.NoError(t, e.SetKeyLimit("", engine.PerMinute(50)))
	require.EqualValues(t, 49, e.Take("", 1).Remaining)
	require.EqualValues(t, 4, e.Take("no room", 1).Remaining)
	e.Replan("")
	require.NoError(t, e.SetKeyLimit("k", engine.PerMinute(70))) // a number that is given to another
	require.EqualValues(t, 3, e.Take("no room either", 1).Remaining)
	require.NoError(t, e.SetLimit(engine.PerMinute(4)))
	require.EqualValues(t, 1, e.Take("no room", 1).Remaining, "2 of 4 were left")
}
