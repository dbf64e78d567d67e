package main

import (
	"bytes"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/engine"
)

// call runs the command line with limiters from make.
func call(make func(engine.Config) (limiter, error), stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, newLimiter: make}
	code = a.run(args)
	return code, out.String(), errs.String()
}

// frozen is an engine whose clock stands still.
func frozen(c engine.Config) (limiter, error) {
	c.Clock = engine.Manual()
	return newEngine(c)
}

// cheat admits one request that an engine denies.
type cheat struct {
	limiter
	left atomic.Int64
}

func (c *cheat) Take(key string, n int64) engine.Decision {
	d := c.limiter.Take(key, n)
	if !d.OK && c.left.Add(-1) == 0 {
		d.OK = true
	}
	return d
}

var quickDemo = []string{"demo", "-requests", "20000", "-keys", "1000", "-seed", "7", "-limit", "token:100/s,burst=200"}

func TestDemoHolds(t *testing.T) {
	for _, limit := range []string{"token:100/s,burst=20", "leaky:100/s", "fixed:100/s", "counter:100/s", "log:100/s"} {
		for _, clock := range []string{"exact", "coarse"} {
			code, out, errs := call(newEngine, "", append(quickDemo, "-limit", limit, "-clock", clock)...)
			assert.Zero(t, code, "%s: %s", limit, errs)
			assert.Empty(t, errs, "no progress line where it is not a terminal")
			assert.Contains(t, out, "check     ok")
			assert.Regexp(t, `traffic +20,000 requests .* by 4 goroutines`, out)
			assert.Regexp(t, `seed +7\n`, out)
			assert.Regexp(t, `of 156 samples`, out) // 5,000 requests of each goroutine hold 39
			assert.Contains(t, out, "busiest refused keys")
		}
	}
}

func TestDemoIsExactWhileTheClockStandsStill(t *testing.T) {
	code, out, _ := call(frozen, "", append(quickDemo, "-top", "2")...)
	require.Zero(t, code)
	m := regexp.MustCompile(`admitted +([0-9,]+) .* at most ([0-9,]+) `).FindStringSubmatch(out)
	require.Len(t, m, 3, out)
	assert.Equal(t, m[1], m[2], "every token that was asked for and allowed was given")
	assert.Regexp(t, `\n +[0-9,]+ +200 +200  client-000000\n`, out)
}

func TestDemoCatchesOneTokenTooMany(t *testing.T) {
	for _, one := range []int64{1, 1000} {
		code, out, errs := call(func(c engine.Config) (limiter, error) {
			l, err := frozen(c)
			cheating := &cheat{limiter: l}
			cheating.left.Store(one)
			return cheating, err
		}, "", quickDemo...)
		assert.Equal(t, exitFailed, code)
		assert.Contains(t, out, "check     FAILED")
		assert.Regexp(t, `1 keys were admitted more .* worst of them client-00000\d: 201 instead of at most 200`, errs)
	}
}

func TestDemoCatchesALimiterThatAdmitsAll(t *testing.T) {
	code, _, errs := call(func(c engine.Config) (limiter, error) {
		c.Limit = engine.TokenBucket(1_000_000_000, time.Second)
		return newEngine(c)
	}, "", quickDemo...)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "admitted more than the limit allows")
}

func TestDemoStopsAfterItsDuration(t *testing.T) {
	code, out, _ := call(newEngine, "", "demo", "-duration", "1ms", "-keys", "10", "-goroutines", "2")
	assert.Zero(t, code)
	assert.Contains(t, out, "check     ok")
}

func TestDemoOfFewerRequestsThanGoroutines(t *testing.T) {
	code, out, _ := call(newEngine, "", "demo", "-requests", "1", "-keys", "1")
	assert.Zero(t, code)
	assert.Regexp(t, `traffic +1 requests for 1 of 1 keys .* by 1 goroutines`, out)
}

func TestTrafficFollowsTheSeed(t *testing.T) {
	names := keyNames(1000)
	a, b := newWorker(1, names, 7, 1.1, 5000), newWorker(1, names, 7, 1.1, 5000)
	assert.Equal(t, a.draws, b.draws)
	assert.NotEqual(t, a.draws, newWorker(2, names, 7, 1.1, 5000).draws, "goroutines differ")
	assert.NotEqual(t, a.draws, newWorker(1, names, 8, 1.1, 5000).draws, "seeds differ")

	counts := map[uint32]int{}
	for _, d := range a.draws {
		counts[d]++
	}
	assert.Greater(t, len(counts), 200, "the tail is there")
	assert.Greater(t, counts[0], counts[10], "and the head is busier")
}

func TestProgress(t *testing.T) {
	assert.Equal(t, "  1.50 million requests a second, 25.0 % admitted", progressText(300_000, 400_000, 100_000))
	assert.Equal(t, 500, (&demoCmd{Duration: time.Second}).progress(time.Second/2, 9))
	assert.Equal(t, 999, (&demoCmd{Duration: time.Second}).progress(time.Hour, 9))
	assert.Equal(t, 250, (&demoCmd{Duration: time.Second, Requests: 4}).progress(time.Hour, 1))
}

func TestKeyNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range keyNames(200_000) {
		seen[k] = true
	}
	assert.Len(t, seen, 200_000, "a harness of one key measures nothing")
}
