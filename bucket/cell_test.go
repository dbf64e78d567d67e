package bucket_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

// N goroutines at a frozen instant get exactly the capacity.
func TestCellIsExactUnderContention(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.TokenBucket(500, time.Hour), bucket.LeakyBucket(500, time.Hour), bucket.FixedWindow(500, time.Hour),
		bucket.SlidingCounter(500, time.Hour), bucket.SlidingLog(500, time.Hour),
	} {
		c := cellOf(t, l)
		var admitted atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 200 {
					if c.TakeAt(1, time.Minute).OK {
						admitted.Add(1)
					}
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 500, admitted.Load(), "%v", l)
	}
}

// The base moves again and again while goroutines take: burst + T·rate holds.
func TestCellIsExactWhileTheBaseMoves(t *testing.T) {
	l := bucket.TokenBucket(999_983, time.Second, bucket.Burst(1000)) // span: 73 minutes
	c := cellOf(t, l)
	var clock, admitted atomic.Int64
	var wg sync.WaitGroup
	const steps, hop = 4000, int64(20 * time.Minute)
	for range 4 {
		wg.Go(func() {
			for i := range steps {
				now := time.Duration(clock.Load())
				if i%100 == 0 {
					now = time.Duration(clock.Add(hop))
				}
				if c.TakeAt(100, now).OK {
					admitted.Add(1)
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	hops := clock.Load() / hop
	require.LessOrEqual(t, admitted.Load(), 10*(hops+1), "each hop fills it once")
	// How many of the fills found a taker is up to the scheduler; none was lost.
	end := time.Duration(clock.Load())
	require.GreaterOrEqual(t, admitted.Load(), int64(10))
	require.False(t, c.PeekAt(1001, end+time.Second).OK)
	require.True(t, c.TakeAt(1000, end+time.Second).OK)
}

func TestCellDoesNotAllocate(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.PerSecond(100, bucket.Burst(20)), bucket.TokenBucket(999_983, time.Second),
		bucket.FixedWindow(10, time.Second), bucket.SlidingCounter(10, time.Second), bucket.SlidingLog(10, time.Second),
	} {
		c := cellOf(t, l)
		c.TakeAt(l.Capacity(), 0) // a log's ring has grown by then
		now := time.Second
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			now += 100 * time.Millisecond
			c.TakeAt(1, now)
			c.TakeAt(l.Capacity(), now)
			c.PeekAt(1, now)
			c.ReturnAt(1, now)
		}), "%v", l)
	}
}

func TestLogGrowsWithUseAndKeepsItsBound(t *testing.T) {
	l := bucket.SlidingLog(1000, time.Second)
	require.EqualValues(t, 8*1000+bucket.LogOverhead, bucket.LogBytes(l))
	require.LessOrEqual(t, bucket.LogSize(), uintptr(bucket.LogOverhead))
	g := bucket.NewLog(l, 0)
	for i := range time.Duration(5000) {
		g.Take(i*time.Millisecond, 3)
		require.LessOrEqual(t, bucket.RingLen(&g), 1000)
	}
	small := bucket.NewLog(l, 0)
	small.Take(0, 1)
	require.Equal(t, 1, bucket.RingLen(&small))
}

func BenchmarkCell(b *testing.B) {
	for _, l := range []bucket.Limit{
		bucket.PerHour(1000, bucket.Burst(100_000_000)), bucket.TokenBucket(999_983, time.Second),
		bucket.FixedWindow(1<<50, 1<<60), bucket.SlidingCounter(1<<40, 1<<60),
	} {
		b.Run("limit="+l.String(), func(b *testing.B) {
			c := cellOf(b, l)
			b.ReportAllocs()
			for b.Loop() {
				c.TakeAt(1, time.Hour)
			}
		})
	}
}

// All goroutines find the instant beyond the span at once, with tokens spent
// before: together they get what a single one would, not one more or less.
func TestCellIsExactWhenAllMoveTheBase(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.TokenBucket(7777, time.Second, bucket.Burst(400)), bucket.TokenBucket(999_983, time.Second, bucket.Burst(400)),
		bucket.LeakyBucket(123_456_789, time.Second, bucket.Burst(1<<30)),
		bucket.FixedWindow(1<<50, 1<<50), bucket.SlidingCounter(1<<35, time.Minute),
	} {
		rule, err := bucket.NewRule(l)
		require.NoError(t, err)
		last := time.Duration(rule.Span())
		n := l.Capacity() / 400
		for round := range 30 {
			c, m := cellOf(t, l), reference(l, rule)
			c.TakeAt(3*l.Capacity()/4, last)
			m.Take(last, 3*l.Capacity()/4)
			now := last + 1 + time.Duration(round)*time.Microsecond
			want := m.Peek(now, n).Remaining / n
			var admitted atomic.Int64
			var wg sync.WaitGroup
			start := make(chan struct{})
			for range 8 {
				wg.Go(func() {
					<-start
					for range 60 {
						if c.TakeAt(n, now).OK {
							admitted.Add(1)
						}
					}
				})
			}
			close(start)
			wg.Wait()
			require.Equal(t, want, admitted.Load(), "%v: round %d", l, round)
		}
	}
}

// Tokens taken and given back by many leave a full bucket, base moving or not.
func TestCellGetsBackWhatWasTaken(t *testing.T) {
	for _, l := range []bucket.Limit{
		bucket.TokenBucket(1, time.Hour, bucket.Burst(100)), bucket.FixedWindow(100, time.Hour),
		bucket.SlidingCounter(100, time.Hour), bucket.SlidingLog(100, time.Hour),
	} {
		c := cellOf(t, l)
		require.True(t, c.TakeAt(40, 0).OK)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 500 {
					if c.TakeAt(7, 0).OK {
						c.ReturnAt(7, 0)
					}
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 60, c.PeekAt(1, 0).Remaining, "%v", l)
	}
}

// An outcome fits four registers, a decision stays a small value.
func TestSizes(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(bucket.Outcome{}), uintptr(32))
	require.LessOrEqual(t, unsafe.Sizeof(bucket.Decision{}), uintptr(40))
	require.LessOrEqual(t, unsafe.Sizeof(bucket.Cell{}), uintptr(48))
}

// One goroutine takes the whole burst just before the base moves, another just
// after: a word that was sealed, but could still be written, would give it twice.
func TestSealedWordAdmitsNothing(t *testing.T) {
	l := bucket.TokenBucket(999_983, time.Second, bucket.Burst(1_000_000))
	rule, err := bucket.NewRule(l)
	require.NoError(t, err)
	last := time.Duration(rule.Span())
	rounds := 20_000
	if testing.Short() {
		rounds = 5_000
	}
	for range rounds {
		c := cellOf(t, l)
		var ready, admitted atomic.Int32
		var wg sync.WaitGroup
		for _, now := range []time.Duration{last, last + 1} {
			wg.Go(func() {
				for ready.Add(1); ready.Load() < 2; {
					runtime.Gosched()
				}
				if c.TakeAt(l.Burst, now).OK {
					admitted.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, admitted.Load())
	}
}
