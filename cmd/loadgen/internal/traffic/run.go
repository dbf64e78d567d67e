package traffic

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/check"
	"github.com/limit64/limit64/engine"
)

// Limiter is what is driven: an engine, but in tests.
type Limiter interface {
	TakeBytes(key []byte, n int64) engine.Decision
	TakeBytesAt(key []byte, n int64, now time.Duration) engine.Decision
	Now() time.Duration
	SetLimit(l engine.Limit) error
	Stats() engine.Stats
}

const (
	tickEvery = 100 * time.Millisecond
	// grace is for the requests that are due at the very end of a phase.
	grace = 10 * time.Millisecond
)

// Progress is how far a run is.
type Progress struct {
	Interval
	Phase string
	Done  float64 // of the whole, 0 to 1
}

// Run drives a limiter by a plan that has its defaults and is valid, and blocks
// until the last phase has ended or ctx is done: then the result says what
// happened so far. It calls onTick, unless nil, from another goroutine a few
// times a second. top is how many keys to show.
func Run(ctx context.Context, l Limiter, p Plan, top int, onTick func(Progress)) (*Result, error) {
	if p.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.Procs))
	}
	r := newRun(l, p, onTick)
	out := &Result{Plan: p, Machine: machine(), ClockCost: clockCost(), Watched: len(r.record.watched)}
	live := heapLive()
	for i, ph := range p.Phases {
		phase, err := r.phase(ctx, i, ph)
		if err != nil {
			return nil, err
		}
		out.Phases = append(out.Phases, phase)
		if ctx.Err() != nil {
			out.Interrupted = true
			break
		}
	}
	for _, phase := range out.Phases {
		out.Elapsed += phase.Elapsed
	}
	out.Timeline = r.record.timeline
	out.Total = result("total", out.Phases[0].Open, out.Elapsed, r.record.all, r.record.total)
	out.Check, out.Top = judge(r.workers, r.spans, top)
	out.Engine = l.Stats()
	for _, w := range r.workers {
		w.keys = nil // its draws are not the engine's
	}
	out.Memory = Memory{Engine: heapLive() - live, Keys: out.Engine.Keys, Peak: r.record.peak, Pauses: r.record.gc}
	runtime.KeepAlive(r)
	return out, nil
}

// run is a run under way.
type run struct {
	limiter Limiter
	plan    Plan
	workers []*worker
	record  *recorder
	onTick  func(Progress)
	spans   []check.Span // the last one is in force
	started time.Duration
	began   time.Duration // the phase
	virtual time.Duration // what a virtual clock shows
}

func newRun(l Limiter, p Plan, onTick func(Progress)) *run {
	r := &run{limiter: l, plan: p, onTick: onTick, workers: make([]*worker, p.Goroutines)}
	parallel(r.workers, func(i int) { r.workers[i] = newWorker(l, p, i) })
	r.record = newRecorder(r.workers)
	return r
}

// now reads the engine's clock: no decision of the run lies outside of two readings.
func (r *run) now() time.Duration {
	if r.plan.Clock.Virtual {
		return r.virtual
	}
	return r.limiter.Now()
}

// phase makes the requests of one phase.
func (r *run) phase(ctx context.Context, i int, ph Phase) (PhaseResult, error) {
	parallel(r.workers, func(j int) { r.workers[j].begin(ph, r.plan.Keys) })
	if err := r.limit(i, ph); err != nil {
		return PhaseResult{}, fmt.Errorf("phase %s: %w", ph.Name, err)
	}
	r.began = r.now()
	if i == 0 {
		r.started = r.began
	}
	r.record.from = r.began - r.started
	if r.plan.Clock.Virtual {
		r.simulate(ctx, i, ph)
	} else {
		r.realTime(ctx, i, ph)
	}
	r.tick(i, ph)
	return r.record.endPhase(ph, r.now()-r.began), nil
}

// limit puts the limit of a phase in force; it is the one place that changes it.
func (r *run) limit(i int, ph Phase) error {
	limit := r.plan.Limit
	switch {
	case ph.SetLimit != nil:
		limit = *ph.SetLimit
		if err := r.limiter.SetLimit(limit); err != nil {
			return fmt.Errorf("set-limit: %w; write another limit", err)
		}
	case i > 0:
		return nil
	}
	now := r.now()
	if i > 0 {
		r.spans[len(r.spans)-1].To = now
	}
	r.spans = append(r.spans, check.Span{Limit: limit, From: now, To: now})
	for _, w := range r.workers {
		w.most = max(w.most, limit.Capacity())
	}
	return nil
}

func (r *run) realTime(ctx context.Context, i int, ph Phase) {
	halt := newHalt()
	defer context.AfterFunc(ctx, halt.set)()
	if ph.Duration > 0 {
		end := ph.Duration
		if ph.Rate > 0 {
			end += grace
		}
		defer time.AfterFunc(end, halt.set).Stop()
	}
	done, ticking := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ticking)
		r.ticks(done, i, ph)
	}()
	start := time.Now()
	parallel(r.workers, func(j int) {
		if w := r.workers[j]; ph.Rate > 0 {
			w.open(start, halt)
		} else {
			w.closed(&halt.now)
		}
	})
	close(done)
	<-ticking
}

func (r *run) ticks(done <-chan struct{}, i int, ph Phase) {
	t := time.NewTicker(tickEvery)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
			r.tick(i, ph)
		}
	}
}

// tick closes an interval, and shows it.
func (r *run) tick(i int, ph Phase) {
	now := r.now()
	r.spans[len(r.spans)-1].To = now
	v := r.record.tick(now-r.started, i, r.spans)
	if r.onTick != nil {
		r.onTick(Progress{Interval: v, Phase: ph.Name, Done: r.done(i, ph, now)})
	}
}

// done takes every phase for equally long: those that end by count are as long
// as they are.
func (r *run) done(i int, ph Phase, now time.Duration) float64 {
	part := 0.0
	if ph.Requests > 0 {
		part = float64(r.record.tally.Requests) / float64(ph.Requests)
	}
	if ph.Duration > 0 {
		part = max(part, float64(now-r.began)/float64(ph.Duration))
	}
	return (float64(i) + min(part, 1)) / float64(len(r.plan.Phases))
}

// simulate goes through a phase of a virtual clock in a hundred steps, so that
// workers are never further apart than one.
func (r *run) simulate(ctx context.Context, i int, ph Phase) {
	length := ph.Duration
	if length == 0 {
		length = time.Duration(float64(ph.Requests) / ph.Rate * float64(time.Second))
	}
	step := max(length/100, 1)
	for until := step; ctx.Err() == nil; until += step {
		if ph.Duration > 0 {
			until = min(until, ph.Duration)
		}
		parallel(r.workers, func(j int) { r.workers[j].simulate(r.began, until) })
		r.virtual = r.began + until
		if r.tick(i, ph); until == ph.Duration || r.usedUp() {
			return
		}
	}
}

// usedUp says that no worker has a request left.
func (r *run) usedUp() bool {
	for _, w := range r.workers {
		if w.total == 0 || w.arrivals != nil && w.made < w.phase.Requests {
			return false
		}
	}
	return true
}

func parallel(workers []*worker, do func(i int)) {
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

func machine() Machine {
	return Machine{runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0)}
}

// clockCost measures what timing a request adds to its latency.
func clockCost() time.Duration {
	const n = 10_000
	start := time.Now()
	for range n {
		_ = time.Now()
	}
	return time.Since(start) / n
}
