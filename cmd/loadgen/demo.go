package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/limit64/limit64/engine"
)

// logBytes lets a sliding window log have as many tokens as a limit can say;
// the engine's own default is for servers.
const logBytes = 1 << 31

type demoCmd struct {
	Duration   time.Duration `name:"duration" help:"How long to run." default:"5s"`
	Requests   int64         `name:"requests" help:"Stop after this many requests instead; 0 means after -duration."`
	Limit      engine.Limit  `name:"limit" help:"What each key may do; without it ${default}." default:"token:100/s,burst=200" placeholder:"LIMIT"`
	Keys       int           `name:"keys" help:"How many keys there are." default:"100000"`
	Skew       float64       `name:"skew" help:"Exponent of the Zipf distribution that keys are drawn from; above 1." default:"1.1"`
	Goroutines int           `name:"goroutines" help:"How many goroutines ask." default:"4"`
	Clock      string        `name:"clock" help:"The engine's clock: exact or coarse." enum:"exact,coarse" default:"exact"`
	Seed       uint64        `name:"seed" help:"Seed of the traffic; 0 draws one. It is printed."`
	Top        int           `name:"top" help:"Show this many refused keys." default:"10"`
}

// Run drives the engine, prints the report, and fails when more was admitted
// than the limit allows.
func (c *demoCmd) Run(a *app) error {
	if err := c.validate(); err != nil {
		return err
	}
	for c.Seed == 0 {
		c.Seed = rand.Uint64()
	}
	// Room for twice the keys: the demo is about the limit, not about a full table.
	l, err := a.newLimiter(engine.Config{Limit: c.Limit, Clock: c.clock(), MaxKeys: 2 * c.Keys, MaxLogBytes: logBytes})
	if err != nil {
		return usagef("%v; write another -limit", err)
	}
	defer l.Close()
	run := c.drive(a, l)
	if err := c.report(a.stdout, run); err != nil {
		return err
	}
	return run.failure()
}

func (c *demoCmd) validate() error {
	switch {
	case c.Duration <= 0:
		return usagef("-duration %v must be positive; write for example -duration 5s", c.Duration)
	case c.Requests < 0:
		return usagef("-requests %d must not be negative; write for example -requests 1000000", c.Requests)
	case c.Keys < 1 || c.Keys > 1<<26:
		return usagef("-keys %d must be from 1 to %d; write for example -keys 100000", c.Keys, 1<<26)
	case c.Goroutines < 1 || c.Goroutines > 1024:
		return usagef("-goroutines %d must be from 1 to 1024; write for example -goroutines 4", c.Goroutines)
	case !(c.Skew > 1 && c.Skew <= 100):
		return usagef("-skew %v must be above 1 and at most 100; write for example -skew 1.1", c.Skew)
	case c.Top < 0:
		return usagef("-top %d must not be negative; write 0 to show none", c.Top)
	}
	return nil
}

func (c *demoCmd) clock() engine.Clock {
	if c.Clock == "coarse" {
		return engine.Coarse(0)
	}
	return engine.Monotonic()
}

// demoRun is what a run saw.
type demoRun struct {
	keys      []tally
	latency   *hdrhistogram.Histogram
	elapsed   time.Duration // by the wall
	from, to  time.Duration // by the engine's clock: no decision lies outside
	clockCost time.Duration
	verdict   verdict
}

// drive lets the workers loose and collects what they saw.
func (c *demoCmd) drive(a *app, l limiter) *demoRun {
	run := &demoRun{clockCost: clockCost()}
	names := keyNames(c.Keys)
	if c.Requests > 0 { // nobody without a request to make
		c.Goroutines = int(min(int64(c.Goroutines), c.Requests))
	}
	workers := make([]*worker, c.Goroutines)
	parallel(len(workers), func(i int) {
		workers[i] = newWorker(i, names, c.Seed, c.Skew, c.quota(i))
	})

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	if c.Requests == 0 {
		defer time.AfterFunc(c.Duration, func() { stop.Store(true) }).Stop()
	}
	endProgress := startProgress(a.stderr, c, workers)
	start := time.Now()
	run.from = l.Now()
	parallel(len(workers), func(i int) { workers[i].run(l, &stop) })
	run.to = l.Now()
	run.elapsed = time.Since(start)
	endProgress()

	run.collect(names, workers)
	run.verdict = judge(c.Limit, run.from, run.to, run.keys)
	return run
}

// quota is worker i's part of -requests.
func (c *demoCmd) quota(i int) int64 {
	n, rest := c.Requests/int64(c.Goroutines), c.Requests%int64(c.Goroutines)
	if int64(i) < rest {
		n++
	}
	return n
}

func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

// collect adds the workers up, key by key, and leaves out keys nobody asked for.
func (r *demoRun) collect(names []string, workers []*worker) {
	r.latency = hdrhistogram.New(1, int64(time.Minute), 3)
	for _, w := range workers {
		r.latency.Merge(w.latency)
	}
	for i, name := range names {
		k := tally{key: name}
		for _, w := range workers {
			k.admitted += w.admitted[i]
			k.denied += w.denied[i]
		}
		if k.admitted+k.denied > 0 {
			r.keys = append(r.keys, k)
		}
	}
}
