package traffic

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/model"
)

func plan(t *testing.T, limit string, phases ...Phase) Plan {
	t.Helper()
	l, err := engine.ParseLimit(limit)
	require.NoError(t, err)
	p := Plan{Limit: l, Keys: 1000, Seed: 7, Phases: phases}.WithDefaults()
	require.NoError(t, p.Validate())
	return p
}

func drive(t *testing.T, p Plan) *Result {
	t.Helper()
	e, err := engine.New(engine.Config{Limit: p.Limit, Clock: p.Clock.Engine(), MaxKeys: p.MaxKeys})
	require.NoError(t, err)
	defer e.Close()
	r, err := Run(t.Context(), e, p, 3, nil)
	require.NoError(t, err)
	assertAddsUp(t, r)
	return r
}

// assertAddsUp checks what every result says more than once.
func assertAddsUp(t *testing.T, r *Result) {
	t.Helper()
	var phases, line Tally
	for _, p := range r.Phases {
		phases.add(p.Tally)
	}
	for _, v := range r.Timeline {
		line.add(v.Tally)
		assert.LessOrEqual(t, v.WatchedAdmitted, v.WatchedAllowed, "at %v", v.At)
		assert.LessOrEqual(t, v.WatchedAllowed, v.WatchedAsked, "at %v", v.At)
	}
	assert.Equal(t, r.Total.Tally, phases)
	assert.Equal(t, r.Total.Tally, line)
	assert.Equal(t, r.Total.Requests, r.Total.Admitted+r.Total.Denied)
	assert.Equal(t, uint64(r.Total.Admitted), r.Engine.Admitted, "the engine counts the same")
	assert.Equal(t, uint64(r.Total.Denied), r.Engine.Denied)
	assert.True(t, r.Check.OK(), "%+v", r.Check)
	assert.LessOrEqual(t, r.Check.Admitted, r.Check.Allowed)
	var bars int64
	for _, b := range r.Total.Distribution {
		bars += b.Count
	}
	assert.Equal(t, r.Total.Latency.Samples, bars)
}

func TestClosedLoop(t *testing.T) {
	for _, limit := range []string{"token:100/s,burst=20", "leaky:100/s", "fixed:100/s", "counter:100/s", "log:100/s"} {
		for _, n := range []Cost{{1, 1}, {1, 5}} {
			for _, clock := range []Clock{{}, {Resolution: time.Millisecond}} {
				p := plan(t, limit, Phase{Requests: 20_000, Cost: n})
				p.Clock = clock
				r := drive(t, p)
				assert.Equal(t, int64(20_000), r.Total.Requests)
				assert.Equal(t, int64(4*(5000/sampleEvery)), r.Total.Latency.Samples)
				assert.NotEmpty(t, r.Top)
			}
		}
	}
}

func TestOpenLoop(t *testing.T) {
	for _, arrivals := range []string{"poisson", "even", "bursts"} {
		r := drive(t, plan(t, "token:10/s,burst=5",
			Phase{Rate: 20_000, Requests: 2000, Arrivals: arrivals},
			Phase{Rate: 100_000, Requests: 2000, Arrivals: arrivals, NewKeys: 0.5}))
		assert.Equal(t, int64(4000), r.Total.Requests)
		assert.Equal(t, int64(4000), r.Total.Latency.Samples, "each is timed")
		assert.GreaterOrEqual(t, r.Total.Latency.Max, r.Total.Call.P50)
		assert.Greater(t, r.Engine.Keys+int(r.Engine.Forgotten), 1000, "new keys came")
	}
}

// staller stalls in its tenth request.
type staller struct {
	Limiter
	requests atomic.Int64
}

const stall = 50 * time.Millisecond

func (s *staller) TakeBytes(key []byte, n int64) engine.Decision {
	if s.requests.Add(1) == 10 {
		time.Sleep(stall) // at least: no more than that is asserted
	}
	return s.Limiter.TakeBytes(key, n)
}

func TestAStallMakesLateWhatWasDueMeanwhile(t *testing.T) {
	p := plan(t, "token:10/s", Phase{Rate: 1000, Requests: 100, Arrivals: "even"})
	p.Goroutines = 1
	e, err := engine.New(engine.Config{Limit: p.Limit})
	require.NoError(t, err)
	defer e.Close()
	r, err := Run(t.Context(), &staller{Limiter: e}, p, 0, nil)
	require.NoError(t, err)
	late := int64(0)
	for _, b := range r.Total.Distribution {
		if b.To > 12*time.Millisecond { // a bar reaches down to 4/5 of its end
			late += b.Count
		}
	}
	// Those of the 9th to the 48th millisecond were due 12 ms or more before its end.
	assert.GreaterOrEqual(t, late, int64(35))
	assert.GreaterOrEqual(t, r.Total.Call.Max, stall*98/100, "only one call took long")
}

func TestAnOverloadedOpenLoopSaysSo(t *testing.T) {
	r := drive(t, plan(t, "token:10/s", Phase{Rate: MaxRate, Duration: 20 * time.Millisecond}))
	assert.Positive(t, r.Total.Unmade)
	assert.InDelta(t, 20e6, float64(r.Total.Requests+r.Total.Unmade), 1e6)
}

func TestDurationsEnd(t *testing.T) {
	r := drive(t, plan(t, "token:10/s", Phase{Duration: time.Millisecond}, Phase{Duration: time.Millisecond, Rate: 10}))
	assert.Len(t, r.Phases, 2)
	assert.False(t, r.Interrupted)
}

func TestFewerRequestsThanGoroutines(t *testing.T) {
	for _, rate := range []float64{0, 10_000} {
		r := drive(t, plan(t, "token:10/s", Phase{Requests: 1, Rate: rate}))
		assert.Equal(t, int64(1), r.Total.Requests)
	}
}

func TestAnInterruptEndsWithTheResultSoFar(t *testing.T) {
	for _, ph := range []Phase{{Duration: time.Hour}, {Duration: time.Hour, Rate: 1}, {Duration: 1000 * time.Hour, Rate: 1e6}} {
		p := plan(t, "token:10/s", ph, Phase{Duration: time.Hour})
		p.Clock.Virtual = ph.Rate == 1e6
		if p.Clock.Virtual {
			p.Phases = p.Phases[:1]
		}
		e, err := engine.New(engine.Config{Limit: p.Limit, Clock: p.Clock.Engine()})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r, err := Run(ctx, e, p, 3, nil)
		e.Close()
		require.NoError(t, err)
		assert.True(t, r.Interrupted)
		assert.Len(t, r.Phases, 1)
	}
}

// exact decides with one exact model a key.
type exact struct {
	Limiter
	keys map[string]model.Model
}

func (x *exact) TakeBytesAt(key []byte, n int64, now time.Duration) engine.Decision {
	return x.model(key).Take(now, n)
}

func (x *exact) model(key []byte) model.Model {
	if x.keys[string(key)] == nil {
		x.keys[string(key)] = model.New(x.Limiter.(*engine.Engine).Limit())
	}
	return x.keys[string(key)]
}

func TestVirtualTimeEqualsTheExactModels(t *testing.T) {
	for _, limit := range []string{"token:10/s,burst=20", "leaky:10/s", "fixed:10/s", "counter:10/s", "log:10/s"} {
		p := plan(t, limit, Phase{Duration: 2 * time.Second, Rate: 1000, Cost: Cost{1, 3}}, Phase{Requests: 1000, Rate: 2000, Dist: "hot", Arrivals: "bursts", Burst: 50})
		p.Clock, p.Goroutines = Clock{Virtual: true}, 1
		r := drive(t, p)
		assert.InDelta(t, 3000, float64(r.Total.Requests), 300)
		assert.InDelta(t, 2.5, r.Elapsed.Seconds(), 0.1, "by the virtual clock")

		e, err := engine.New(engine.Config{Limit: p.Limit, Clock: engine.Manual()})
		require.NoError(t, err)
		want, err := Run(t.Context(), &exact{e, map[string]model.Model{}}, p, 3, nil)
		require.NoError(t, err)
		assert.Equal(t, story(t, want), story(t, r), limit)
		assert.Equal(t, story(t, drive(t, p)), story(t, r), "the same seed, the same story")
		p.Seed++
		assert.NotEqual(t, story(t, drive(t, p)), story(t, r), "the seed counts")
	}
}

// story is what a result says about decisions.
func story(t *testing.T, r *Result) string {
	t.Helper()
	var line []any
	for _, v := range r.Timeline {
		line = append(line, v.At, v.Tally, v.WatchedAsked, v.WatchedAdmitted, v.WatchedAllowed)
	}
	b, err := json.Marshal([]any{r.Total, r.Phases, r.Check, r.Top, line})
	require.NoError(t, err)
	return string(b)
}

func TestALimitChangesOnTheWay(t *testing.T) {
	tight := engine.TokenBucket(10, time.Second)
	wide := engine.TokenBucket(100, time.Second, engine.Burst(200))
	p := plan(t, "token:100/s,burst=200", Phase{Rate: 10_000, Duration: time.Second}, Phase{Rate: 10_000, Duration: time.Second, SetLimit: &tight}, Phase{Rate: 10_000, Duration: time.Second, SetLimit: &wide})
	p.Keys = 1
	for i := range p.Phases {
		p.Phases[i].Dist = "uniform"
	}
	r := drive(t, p)
	assert.Equal(t, int64(200+100+10+100), r.Check.PerKey/10*10, "one burst, not three")
	assert.Less(t, r.Phases[1].Admitted, int64(20))
}

// generous admits one request that an engine denies.
type generous struct {
	Limiter
	left atomic.Int64
}

func (g *generous) TakeBytes(key []byte, n int64) engine.Decision {
	d := g.Limiter.TakeBytes(key, n)
	if !d.OK && g.left.Add(-1) == 0 {
		d.OK = true
	}
	return d
}

func TestOneTokenTooManyIsSeen(t *testing.T) {
	for _, ph := range []Phase{
		{Requests: 20_000}, {Requests: 20_000, Rate: 1e9}, {Requests: 20_000, Dist: "hot"},
		{Requests: 20_000, NewKeys: 1, Cost: Cost{201, 201}}, // new keys are not counted one by one
	} {
		p := plan(t, "token:100/s,burst=200", ph)
		e, err := engine.New(engine.Config{Limit: p.Limit, Clock: engine.Manual()})
		require.NoError(t, err)
		g := &generous{Limiter: e}
		g.left.Store(1000)
		r, err := Run(t.Context(), g, p, 3, nil)
		require.NoError(t, err)
		assert.False(t, r.Check.OK(), "%+v", ph)
		assert.Equal(t, int64(1), r.Check.Cheats)
	}
}

func TestExactWhileTheClockStandsStill(t *testing.T) {
	p := plan(t, "token:100/s,burst=200", Phase{Requests: 20_000})
	e, err := engine.New(engine.Config{Limit: p.Limit, Clock: engine.Manual()})
	require.NoError(t, err)
	r, err := Run(t.Context(), e, p, 2, nil)
	require.NoError(t, err)
	assert.Equal(t, r.Check.Allowed, r.Check.Admitted, "every token that was asked for and allowed was given")
	require.Len(t, r.Top, 2)
	assert.Equal(t, int64(200), r.Top[0].Admitted)
	assert.Equal(t, Name(0), r.Top[0].Name)
}

func TestATimelineIsBounded(t *testing.T) {
	var line []Interval
	for i := range 5000 {
		line = addInterval(line, Interval{At: time.Duration(i + 1), Length: 1, Phase: i / 2500, Tally: Tally{Requests: 1}, P99: time.Duration(i)})
		require.LessOrEqual(t, len(line), maxIntervals)
	}
	var requests int64
	var length time.Duration
	for _, v := range line {
		requests, length = requests+v.Requests, length+v.Length
	}
	assert.Equal(t, int64(5000), requests)
	assert.Equal(t, time.Duration(5000), length)
	assert.Equal(t, time.Duration(5000), line[len(line)-1].At)
}

func TestTopKeys(t *testing.T) {
	top := newTop(3, denied)
	for i := range 100 {
		top.add(Key{Denied: int64(i * 37 % 100)}, i)
	}
	got := top.sorted()
	require.Len(t, got, 3)
	for i, want := range []int64{99, 98, 97} {
		assert.Equal(t, want, got[i].Denied)
	}
}

// A tick that comes right after another makes no interval of its own, but begins one
// where a phase does.
func TestShortIntervalsAreJoined(t *testing.T) {
	var line []Interval
	add := func(length time.Duration, phase int, requests int64) {
		at := length
		if n := len(line); n > 0 {
			at += line[n-1].At
		}
		line = extend(line, Interval{At: at, Length: length, Phase: phase, Tally: Tally{Requests: requests}})
	}
	for _, v := range []struct {
		length   time.Duration
		phase    int
		requests int64
	}{{1, 0, 5}, {tickEvery, 0, 100}, {1, 0, 7}, {tickEvery, 0, 50}, {1, 1, 3}, {tickEvery, 1, 20}} {
		add(v.length, v.phase, v.requests)
	}
	require.Len(t, line, 3)
	for i, want := range []struct {
		length   time.Duration
		requests int64
	}{{tickEvery + 2, 112}, {tickEvery, 50}, {tickEvery + 1, 23}} {
		require.Equal(t, want.length, line[i].Length)
		require.Equal(t, want.requests, line[i].Requests)
	}
	require.Equal(t, 3*tickEvery+3, line[2].At)
}
