package bucket_test

import (
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

func TestLogIsIdleWhenItAnswersLikeANewOne(t *testing.T) {
	l := bucket.SlidingLog(3, time.Minute)
	for i := range uint64(20) {
		g, s := bucket.NewLog(l, 0), newScript(l, i)
		newest := time.Duration(0)
		for range 200 {
			now, n, op := s.next()
			if op == 0 {
				g.Return(now, n)
				continue
			}
			require.Equal(t, now >= newest && g.Peek(now, 1).ResetAfter == 0, g.Idle(now), "at %d", now)
			if g.Idle(now) {
				fresh := bucket.NewLog(l, now)
				require.Equal(t, fresh.Peek(now, n), g.Peek(now, n))
			}
			o := g.Take(now, n)
			if s.last = o.Decision(3); o.OK() {
				newest = max(newest, now)
			}
		}
	}
}

// A log that is empty, but has seen a later instant than the sweep's, stays: its
// successor would believe the older instant.
func TestStaleNowAtForgettingALog(t *testing.T) {
	c := bucket.NewLogCell(bucket.SlidingLog(1, time.Minute), 0)
	_, ok := c.Take(time.Hour, 1)
	require.True(t, ok)
	require.True(t, c.Return(time.Hour, 1))
	require.False(t, c.SealIdle(time.Hour-1))
	require.True(t, c.SealIdle(time.Hour))
}

// A forgotten log decides nothing any more, and is forgotten once.
func TestSealedLogDecidesNothing(t *testing.T) {
	for _, seal := range []func(*bucket.LogCell) bool{
		(*bucket.LogCell).Seal, func(c *bucket.LogCell) bool { return c.SealIdle(0) },
	} {
		c := bucket.NewLogCell(bucket.SlidingLog(2, time.Minute), 0)
		require.True(t, seal(c))
		require.False(t, seal(c))
		d, ok := c.Take(0, 1)
		require.False(t, ok)
		require.Zero(t, d)
		_, ok = c.Peek(0, 1)
		require.False(t, ok)
		require.False(t, c.Return(0, 1))
	}
	used := bucket.NewLogCell(bucket.SlidingLog(2, time.Minute), 0)
	used.Take(0, 1)
	require.False(t, used.SealIdle(time.Minute-1), "a hit is inside")
	require.True(t, used.Seal())
}

// Instants before a log was born count as its birth.
func TestLogIsBornAtAnInstant(t *testing.T) {
	g := bucket.NewLog(bucket.SlidingLog(1, time.Minute), time.Hour)
	require.True(t, g.Take(0, 1).OK())
	o := g.Take(time.Minute, 1)
	require.False(t, o.OK())
	require.Equal(t, time.Minute, o.RetryAfter)
	require.True(t, g.Take(time.Hour+time.Minute, 1).OK())
}
