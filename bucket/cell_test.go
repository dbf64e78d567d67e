package bucket_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
	require.Greater(t, admitted.Load(), 5*hops)
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
