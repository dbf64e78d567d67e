package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bubble runs a test with an engine whose clock is that of the bubble.
func bubble(t *testing.T, l engine.Limit, test func(t *testing.T, e *engine.Engine)) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Config{Limit: l, Clock: engine.Monotonic()})
		require.NoError(t, err)
		defer e.Close()
		test(t, e)
	})
}

// waiter is a goroutine that waits, and what came of it.
type waiter struct {
	err    error
	at     time.Duration
	cancel context.CancelFunc
}

// wait starts n waiters on a key, one after the other, and returns them when all
// sleep or are done.
func wait(e *engine.Engine, key string, n int) ([]*waiter, *sync.WaitGroup) {
	var all []*waiter
	var done sync.WaitGroup
	for range n {
		ctx, cancel := context.WithCancel(context.Background())
		w := &waiter{cancel: cancel}
		all = append(all, w)
		done.Go(func() {
			w.err = e.Wait(ctx, key, 1)
			w.at = e.Now()
			cancel()
		})
		synctest.Wait()
	}
	return all, &done
}

func (w *waiter) waited() bool { return w.err == nil }

func TestSameWaitToldToEverybody(t *testing.T) {
	for _, c := range []struct {
		limit engine.Limit
		turn  func(i int) time.Duration // of the i-th waiter
	}{
		{engine.PerSecond(10, engine.Burst(5)), func(i int) time.Duration { return time.Duration(max(0, i-4)) * 100 * time.Millisecond }},
		{engine.LeakyBucket(10, time.Second, engine.Burst(5)), func(i int) time.Duration { return time.Duration(i) * 100 * time.Millisecond }},
		{engine.FixedWindow(1, time.Second), func(i int) time.Duration { return time.Duration(i) * time.Second }},
		{engine.SlidingLog(1, time.Second), func(i int) time.Duration { return time.Duration(i) * time.Second }},
		{engine.FixedWindow(10, time.Second), func(i int) time.Duration { return time.Duration(i/10) * time.Second }},
		// One a window, and none while the previous one weighs anything.
		{engine.SlidingCounter(1, time.Second), func(i int) time.Duration { return time.Duration(2*i) * time.Second }},
	} {
		t.Run(c.limit.String(), func(t *testing.T) {
			bubble(t, c.limit, func(t *testing.T, e *engine.Engine) {
				all, done := wait(e, "k", 100)
				done.Wait()
				for i, w := range all {
					require.NoError(t, w.err)
					require.Equal(t, c.turn(i), w.at, "waiter %d", i)
				}
			})
		})
	}
}

func TestContextAlreadyCancelled(t *testing.T) {
	for _, l := range oneOfEach {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			require.ErrorIs(t, e.Wait(ctx, "k", 1), context.Canceled)
			late, cancel := context.WithTimeout(context.Background(), 0)
			defer cancel()
			require.ErrorIs(t, e.Wait(late, "k", 1), context.DeadlineExceeded)
			require.Zero(t, e.Len())
		})
	}
}

func TestDeadlineEarlierThanTheWait(t *testing.T) {
	for _, l := range oneOfEach {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			for e.Allow("k") {
			}
			before := e.Peek("k", 1)
			// A leaky bucket spaces turns: its turn comes when all has drained.
			delay := e.Reserve("k", 1, 0).Delay
			ctx, cancel := context.WithTimeout(context.Background(), delay-1)
			defer cancel()
			err := e.Wait(ctx, "k", 1)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			var refused *engine.RefusedError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, engine.RefusedError{Key: "k", N: 1, Reason: engine.Denied, Delay: delay}, *refused)
			require.Contains(t, err.Error(), `1 tokens of "k"`)
			require.Equal(t, before, e.Peek("k", 1), "it was refused at once and left no trace")

			enough, cancel := context.WithTimeout(context.Background(), delay)
			defer cancel()
			start := e.Now()
			require.NoError(t, e.Wait(enough, "k", 1))
			require.Equal(t, delay, e.Now()-start)
		})
	}
}

func TestCostsThatNoWaitHelps(t *testing.T) {
	for _, l := range oneOfEach {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			for n, reason := range map[int64]engine.Reason{0: engine.InvalidN, -5: engine.InvalidN, l.Capacity() + 1: engine.TooLarge, math.MaxInt64: engine.TooLarge} {
				var refused *engine.RefusedError
				err := e.Wait(context.Background(), "k", n)
				require.ErrorAs(t, err, &refused)
				require.Equal(t, reason, refused.Reason)
				require.Equal(t, engine.Never, refused.Delay)
				require.False(t, errors.Is(err, context.DeadlineExceeded))
			}
			require.Zero(t, e.Len())
		})
	}
}

func TestMassCancel(t *testing.T) {
	for _, l := range []engine.Limit{engine.PerSecond(1), engine.LeakyBucket(1, time.Second), engine.FixedWindow(1, time.Second), engine.SlidingLog(1, time.Second)} {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			all, done := wait(e, "k", 1001)
			for _, w := range all[1:] {
				w.cancel()
			}
			done.Wait()
			for _, w := range all[1:] {
				require.ErrorIs(t, w.err, context.Canceled)
			}
			require.NoError(t, all[0].err)
			start := e.Now()
			require.NoError(t, e.Wait(context.Background(), "k", 1))
			assert.LessOrEqual(t, e.Now()-start, time.Second, l.String())
		})
	}
}

// A waiter in the middle gives up: those who stay keep their turns, and under a
// limit that counts in windows they move up.
func TestOneOfManyGivesUp(t *testing.T) {
	for _, c := range []struct {
		limit engine.Limit
		turns []time.Duration
	}{
		{engine.PerSecond(1), []time.Duration{0, 1, 3}},
		{engine.LeakyBucket(1, time.Second), []time.Duration{0, 1, 3}},
		{engine.FixedWindow(1, time.Second), []time.Duration{0, 1, 2}},
		{engine.SlidingLog(1, time.Second), []time.Duration{0, 1, 2}},
	} {
		bubble(t, c.limit, func(t *testing.T, e *engine.Engine) {
			all, done := wait(e, "k", 4)
			all[2].cancel()
			done.Wait()
			require.ErrorIs(t, all[2].err, context.Canceled)
			for i, w := range slices.Delete(all, 2, 3) {
				require.NoError(t, w.err)
				require.Equal(t, c.turns[i]*time.Second, w.at, "%v: waiter %d", c.limit, i)
			}
		})
	}
}

func TestSecondWakerPassesWithoutAToken(t *testing.T) {
	for _, l := range []engine.Limit{engine.PerSecond(1), engine.FixedWindow(1, time.Second), engine.SlidingLog(1, time.Second)} {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			require.True(t, e.Allow("k"))
			all, done := wait(e, "k", 2)
			time.Sleep(time.Second)
			synctest.Wait()
			require.False(t, e.Allow("k"), "the one token has gone to the first waiter")
			done.Wait()
			require.Equal(t, []time.Duration{time.Second, 2 * time.Second}, []time.Duration{all[0].at, all[1].at}, l.String())
		})
	}
}

// Ten thousand waiters: what passes in each second, whatever gives up in between,
// is within the limit (C1), and nothing is left behind.
func TestTenThousandWaiters(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	for _, l := range []engine.Limit{engine.PerSecond(100, engine.Burst(10)), engine.LeakyBucket(100, time.Second), engine.SlidingLog(100, time.Second)} {
		bubble(t, l, func(t *testing.T, e *engine.Engine) {
			all, done := wait(e, "k", n)
			for i := 3; i < n; i += 3 {
				all[i].cancel()
			}
			done.Wait()
			passed := slices.Collect(func(yield func(time.Duration) bool) {
				for _, w := range all {
					if w.waited() && !yield(w.at) {
						return
					}
				}
			})
			require.GreaterOrEqual(t, len(passed), 2*n/3)
			slices.Sort(passed)
			most := int(100 + l.Capacity()) // in a closed second
			for i := range passed[:len(passed)-min(most, len(passed))] {
				require.Greater(t, passed[i+most]-passed[i], time.Second, "%v: from %v on", l, passed[i])
			}
			time.Sleep(time.Hour)
			e.Sweep()
			require.Zero(t, e.Len())
			require.Zero(t, engine.Waiting(e))
		})
	}
}

func TestWaitOnAManualClock(t *testing.T) {
	for _, l := range []engine.Limit{engine.PerSecond(1), engine.FixedWindow(1, time.Second)} {
		synctest.Test(t, func(t *testing.T) {
			clock := engine.Manual()
			e, err := engine.New(engine.Config{Limit: l, Clock: clock})
			require.NoError(t, err)
			defer e.Close()
			require.True(t, e.Allow("k"))
			all, done := wait(e, "k", 2)
			for i, w := range all {
				clock.Set(time.Duration(i+1)*time.Second - 1)
				synctest.Wait()
				require.Zero(t, w.at)
				clock.Add(1)
				synctest.Wait()
				require.Equal(t, time.Duration(i+1)*time.Second, w.at)
			}
			done.Wait()
		})
	}
}

func TestPace(t *testing.T) {
	bubble(t, engine.PerSecond(10, engine.Burst(10)), func(t *testing.T, e *engine.Engine) {
		queue := make(chan int64, 2)
		go func() {
			for range 30 {
				queue <- 5
			}
			queue <- 11
			queue <- 1
			close(queue)
		}()
		var done sync.WaitGroup
		var mu sync.Mutex
		var passed []time.Duration
		refused := 0
		for range 3 {
			done.Go(func() {
				for n, err := range engine.Pace(context.Background(), e, queue, func(n int64) (string, int64) { return "k", n }) {
					mu.Lock()
					if err == nil {
						passed = append(passed, e.Now())
					} else {
						assert.EqualValues(t, 11, n)
						refused++
					}
					mu.Unlock()
				}
			})
		}
		done.Wait()
		require.Equal(t, 1, refused)
		require.Len(t, passed, 31)
		for i, at := range passed[:30] { // five tokens a half second, after the burst
			require.Equal(t, time.Duration(max(0, i-1))*500*time.Millisecond, at)
		}
	})
}

func TestPaceShutsDown(t *testing.T) {
	bubble(t, engine.PerSecond(1), func(t *testing.T, e *engine.Engine) {
		ctx, cancel := context.WithCancel(context.Background())
		queue := make(chan string, 10)
		for i := range 10 {
			queue <- fmt.Sprint(i)
		}
		time.AfterFunc(1500*time.Millisecond, cancel)
		var went, back []string
		for item, err := range engine.Pace(ctx, e, queue, func(string) (string, int64) { return "k", 1 }) {
			if err != nil {
				require.ErrorIs(t, err, context.Canceled)
				back = append(back, item)
				continue
			}
			went = append(went, item)
		}
		require.Equal(t, []string{"0", "1"}, went)
		require.Equal(t, []string{"2"}, back)
		require.Len(t, queue, 7)
	})
}
