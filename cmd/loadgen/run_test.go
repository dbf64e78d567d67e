package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
	"github.com/limit64/limit64/cmd/loadgen/scenarios"
	"github.com/limit64/limit64/engine"
)

// call runs the command line with limiters from make.
func call(make func(engine.Config) (limiter, error), stdin string, args ...string) (code int, stdout, stderr string) {
	return callUntil(context.Background(), make, stdin, args...)
}

func callUntil(ctx context.Context, make func(engine.Config) (limiter, error), stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	a := &app{ctx: ctx, stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, newLimiter: make}
	code = a.run(args)
	return code, out.String(), errs.String()
}

// cheat admits one request that an engine on a clock that stands still denies.
type cheat struct {
	limiter
	left atomic.Int64
}

func (c *cheat) TakeBytes(key []byte, n int64) engine.Decision {
	d := c.limiter.TakeBytes(key, n)
	if !d.OK && c.left.Add(-1) == 0 {
		d.OK = true
	}
	return d
}

var quickRun = strings.Fields("run -requests 20000 -keys 1000 -seed 7 -limit token:100/s,burst=200")

func TestRunReports(t *testing.T) {
	code, out, errs := call(newEngine, "", quickRun...)
	require.Zero(t, code, errs)
	for _, want := range []string{
		`traffic +20,000 requests for \d+ of 1,000 keys by 4 goroutines on`, `seed +7\n`, `clock +exact\n`, `of 156 samples`,
		`limit +token:100/s,burst=200 for each key: at most`, `check +ok: no key`, `busiest refused keys`, `memory +\d`, `pauses +\d`,
	} {
		assert.Regexp(t, want, out)
	}
}

func TestOverAdmissionIsStatus1(t *testing.T) {
	for _, args := range [][]string{quickRun, append(quickRun, "-json"), {"demo", "-duration", "1s", "-keys", "1"}} {
		code, out, errs := call(func(c engine.Config) (limiter, error) {
			c.Clock = engine.Manual()
			l, err := newEngine(c)
			cheating := &cheat{limiter: l}
			cheating.left.Store(100)
			return cheating, err
		}, "", args...)
		assert.Equal(t, exitFailed, code)
		assert.NotEmpty(t, out)
		assert.Regexp(t, `1 keys were admitted more .* worst of them client-00000000\d: 201 tokens instead of at most 200`, errs)
	}
}

func TestALimiterThatAdmitsAllIsCaught(t *testing.T) {
	code, _, errs := call(func(c engine.Config) (limiter, error) {
		c.Limit = engine.TokenBucket(1_000_000_000, time.Second)
		return newEngine(c)
	}, "", quickRun...)
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "admitted more than the limit allows")
}

func TestInterruptsEndWithTheReportSoFar(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{"run -duration 1h", "run -rate 10 -duration 1h", "run -scenario day", "demo -duration 1h", "replay - -limit 5/s"} {
		code, out, errs := callUntil(ctx, newEngine, "", strings.Fields(args)...)
		assert.Zero(t, code, "%s: %s", args, errs)
		assert.Regexp(t, `interrupted +this is what`, out, args)
	}
}

func TestJSON(t *testing.T) {
	code, out, _ := call(newEngine, "", append(quickRun, "-json")...)
	require.Zero(t, code)
	var r traffic.Result
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&r))
	assert.Equal(t, int64(20_000), r.Total.Requests)
	assert.Equal(t, uint64(7), r.Plan.Seed)
	assert.Equal(t, "token:100/s,burst=200", r.Plan.Limit.String())
}

func TestBenchfmt(t *testing.T) {
	code, out, errs := call(newEngine, "", append(quickRun, "-benchfmt", "-procs", "2")...)
	require.Zero(t, code, errs)
	in := benchfmt.NewReader(strings.NewReader(out), "run")
	require.True(t, in.Scan(), out)
	res, ok := in.Result().(*benchfmt.Result)
	require.True(t, ok, "%v", in.Result())
	assert.Equal(t, "Run/phase=run/keys=1000/dist=zipf/goroutines=4-2", string(res.Name))
	assert.Equal(t, 20_000, res.Iters)
	assert.Equal(t, "token:100/s,burst=200", res.GetConfig("limit"))
	for _, unit := range []string{"sec/op", "p99-sec", "admitted/op", "B/key"} {
		v, ok := res.Value(unit)
		// So few keys may need no memory that the heap shows.
		assert.True(t, ok && (v > 0 || unit == "B/key"), "%s in %s", unit, out)
	}
	assert.False(t, in.Scan())
}

// Every scenario runs, with a hundredth of its time.
func TestScenarios(t *testing.T) {
	require.NotEmpty(t, scenarios.Names())
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := (&runCmd{Scenario: name, Keys: 1000}).plan()
			require.NoError(t, err)
			for i := range p.Phases {
				p.Phases[i].Duration /= 100
			}
			r, err := (&app{ctx: t.Context(), stderr: &bytes.Buffer{}, newLimiter: newEngine}).drive(p, 3)
			require.NoError(t, err)
			require.NoError(t, failure(r))
			assert.Len(t, r.Phases, len(p.Phases))
		})
	}
}

func TestProgress(t *testing.T) {
	p := traffic.Progress{Phase: "flood", Interval: traffic.Interval{Length: time.Second / 10, P50: 123, P99: 4567, Heap: 5e6}}
	p.Tally = traffic.Tally{Requests: 150_000, Admitted: 37_500, Denied: 112_500}
	p.Pauses.Max = 98765
	assert.Equal(t, "flood:  1.50 M/s, admitted 25.0 %, denied 75.0 %, 50 % 123ns, 99 % 4.57µs, heap 5.0 MB, pause 98.8µs", progressText(p))
}
