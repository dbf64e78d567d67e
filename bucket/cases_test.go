package bucket_test

import (
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

const (
	ms  = time.Millisecond
	sec = time.Second
)

// step is one request of a row: at an instant, so many tokens, and what must come
// back. Waits of -1 are not compared.
type step struct {
	at        time.Duration
	n         int64
	ok        bool
	remaining int64
	retry     time.Duration
	reset     time.Duration
}

const open = time.Duration(-1)

func yes(at time.Duration, n, remaining int64, reset time.Duration) step {
	return step{at, n, true, remaining, 0, reset}
}
func no(at time.Duration, n, remaining int64, retry time.Duration) step {
	return step{at, n, false, remaining, retry, open}
}

// Kinds of faults that other limiters were found to have, by name.
func TestFaultsOfOtherLimiters(t *testing.T) {
	for _, kind := range []struct {
		name  string
		limit bucket.Limit
		steps []step
	}{
		{"rate x elapsed overflows", bucket.TokenBucket(980_000_000, 10*sec), []step{
			yes(0, 980_000_000, 0, 10*sec), yes(292*365*24*time.Hour, 980_000_000, 0, 10*sec)}},
		{"rate x elapsed overflows after long idle", bucket.PerMinute(100), []step{
			yes(0, 100, 0, time.Minute), yes(12*time.Hour, 1, 99, 600*ms), yes(10_512*time.Hour, 100, 0, time.Minute)}},
		{"integer rate truncated", bucket.PerSecond(700_000_000), []step{
			yes(0, 700_000_000, 0, sec), no(sec-1, 700_000_000, 699_999_999, 1), yes(sec, 700_000_000, 0, sec)}},
		{"integer rate truncated by milliseconds", bucket.TokenBucket(2000, 1000*ms), []step{
			yes(0, 2000, 0, sec), yes(ms, 2, 0, sec), no(ms, 1, 0, 500*time.Microsecond)}},
		{"65,535 a second, one every 100 ms", bucket.PerSecond(65_535), []step{
			yes(0, 1, 65_534, open), yes(100*ms, 1, 65_534, open), yes(200*ms, 1, 65_534, open), yes(1000*ms, 1, 65_534, open)}},
		{"fraction lost per poll", bucket.TokenBucket(10, 30*sec), []step{
			yes(0, 10, 0, 30*sec), no(1*sec, 1, 0, 2*sec), no(2*sec, 1, 0, sec), yes(3*sec, 1, 0, 30*sec)}},
		{"float steps", bucket.TokenBucket(10, 13*sec, bucket.Burst(1)), []step{
			yes(0, 1, 0, 1300*ms), no(1300*ms-1, 1, 0, 1), yes(1300*ms, 1, 0, 1300*ms)}},
		{"large burst loses the unit", bucket.PerSecond(1_000_000_000, bucket.Burst(1<<53+1)), []step{yes(0, 1, 1<<53, 1)}},
		{"largest burst loses the unit", bucket.PerSecond(1_000_000_000, bucket.Burst(1<<60)), []step{yes(0, 1, 1<<60-1, 1)}},
		{"seconds granularity", bucket.TokenBucket(1000, 60*sec, bucket.Burst(1000)), []step{
			yes(0, 1000, 0, 60*sec), no(59*ms, 1, 0, ms), yes(60*ms, 1, 0, 60*sec)}},

		{"wait of a full period, partial token ignored", bucket.PerSecond(1), []step{
			yes(0, 1, 0, sec), no(200*ms, 1, 0, 800*ms)}},
		{"capacity off by one", bucket.PerSecond(1, bucket.Burst(5)), []step{
			yes(0, 5, 0, 5*sec), yes(5*sec, 5, 0, 5*sec), no(5*sec, 1, 0, sec)}},
		{"newest instead of the needed entry", bucket.SlidingLog(2, time.Minute), []step{
			yes(0, 1, 1, time.Minute), yes(10*sec, 1, 0, time.Minute), no(20*sec, 1, 0, 40*sec), no(20*sec, 2, 0, 50*sec)}},
		{"reset mistaken for retry", bucket.PerSecond(2, bucket.Burst(10)), []step{
			yes(0, 10, 0, 5*sec), {0, 1, false, 0, 500 * ms, 5 * sec}}},

		{"boundary burst passes a fixed window", bucket.FixedWindow(100, time.Minute), []step{
			yes(59*sec, 100, 0, sec), yes(60*sec, 100, 0, time.Minute), no(60*sec, 1, 0, time.Minute)}},
		{"boundary burst does not pass a log", bucket.SlidingLog(100, time.Minute), []step{
			yes(59*sec, 100, 0, time.Minute), no(60*sec, 1, 0, 59*sec)}},
		{"boundary burst at a counter: as its estimate says", bucket.SlidingCounter(100, time.Minute), []step{
			yes(59*sec, 100, 0, open), no(60*sec, 1, 0, 600*ms), yes(90*sec, 50, 0, open), no(90*sec, 1, 0, 600*ms)}},
		{"late caller of the previous window wipes the counters", bucket.FixedWindow(10, time.Minute), []step{
			yes(61*sec, 9, 1, open), yes(59*sec, 1, 0, open), no(62*sec, 1, 0, 58*sec)}},
		{"counter that counts refusals", bucket.SlidingCounter(2, time.Minute), []step{
			yes(0, 2, 0, open), no(1*sec, 1, 0, 89*sec), no(2*sec, 1, 0, 88*sec), no(89*sec, 1, 0, 1*sec), yes(90*sec, 1, 0, open)}},
		{"entry exactly at the window's edge", bucket.SlidingLog(1, time.Minute), []step{
			yes(7, 1, 0, open), no(7+time.Minute-1, 1, 0, 1), yes(7+time.Minute, 1, 0, open)}},
		{"remaining of the estimate", bucket.SlidingCounter(100, time.Minute), []step{
			yes(0, 50, 50, open), yes(66*sec, 10, 45, open)}},
		{"window index narrows", bucket.SlidingCounter(10, sec), []step{
			yes(0, 10, 0, open), yes(1<<32*sec, 10, 0, open), yes((1<<33-1)*sec, 10, 0, open)}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			c := cellOf(t, kind.limit)
			for i, s := range kind.steps {
				d := c.TakeAt(s.n, s.at)
				require.Equal(t, s.ok, d.OK, "step %d: %+v", i, d)
				require.Equal(t, s.remaining, d.Remaining, "step %d: %+v", i, d)
				if s.retry != open {
					require.Equal(t, s.retry, d.RetryAfter, "step %d", i)
				}
				if s.reset != open {
					require.Equal(t, s.reset, d.ResetAfter, "step %d", i)
				}
			}
		})
	}
}

// A counter idle for exactly 2^k windows is not in the same window again.
func TestIdleForAPowerOfTwoWindows(t *testing.T) {
	for _, l := range []bucket.Limit{bucket.SlidingCounter(1_000_000, ms), bucket.SlidingCounter(1_000_000_000, sec), bucket.FixedWindow(1_000_000_000, sec)} {
		for k := range 43 {
			c := cellOf(t, l)
			require.True(t, c.TakeAt(l.Tokens, 0).OK)
			after := time.Duration(1<<k) * l.Period
			if k < 2 || after/l.Period != 1<<k || after < 0 {
				continue
			}
			require.True(t, c.TakeAt(l.Tokens, after).OK, "%v: 2^%d windows", l, k)
		}
	}
}

// N goroutines that read a clock before they decide keep the rate.
func TestConcurrentReadersOfTheClock(t *testing.T) {
	for _, rate := range []int64{100_000, 10_000_000} {
		c, admitted := cellOf(t, bucket.PerSecond(rate, bucket.Burst(rate/1000))), int64(0)
		const requests, gap = 400_000, 50 // nanoseconds: 20 million requests a second
		for i := range time.Duration(requests) {
			now := i * gap
			if i%3 == 0 {
				now -= min(now, 2*time.Microsecond) // it was read a little earlier
			}
			if c.TakeAt(1, now).OK {
				admitted++
			}
		}
		earned := requests * gap * rate / int64(sec)
		require.InDelta(t, earned+rate/1000, admitted, 30, "rate %d", rate)
	}
}
