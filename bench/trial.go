package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// batch is how many decisions a goroutine makes between two looks at whether the
// trial is over.
const batch = 64

// tally is what a trial counted.
type tally struct {
	asked, admitted int64
	took            time.Duration
	mallocs         uint64
}

func (t tally) nsPerOp() float64     { return float64(t.took) / float64(t.asked) }
func (t tally) allocsPerOp() float64 { return float64(t.mallocs) / float64(t.asked) }
func (t tally) share() float64       { return float64(t.admitted) / float64(t.asked) }

// drive has goroutines ask l for visits, over and over, each from a place of its
// own in the sequence, for as long as lasting says; the time that stopping them
// takes counts, as do the decisions made meanwhile.
func drive(l Limiter, visits []string, goroutines int, lasting time.Duration) tally {
	var asked, admitted atomic.Int64
	var over atomic.Bool
	var running sync.WaitGroup
	before, start := mallocs(), time.Now()
	for g := range goroutines {
		running.Go(func() {
			n, ok := ask(l, visits, g*len(visits)/goroutines, &over)
			asked.Add(n)
			admitted.Add(ok)
		})
	}
	time.Sleep(lasting)
	over.Store(true)
	running.Wait()
	t := tally{asked: asked.Load(), admitted: admitted.Load(), took: time.Since(start)}
	t.mallocs = mallocs() - before // a few of them are the trial's own
	return t
}

func ask(l Limiter, visits []string, at int, over *atomic.Bool) (asked, admitted int64) {
	for !over.Load() {
		for range batch {
			if l.Allow(visits[at]) {
				admitted++
			}
			if at++; at == len(visits) {
				at = 0
			}
		}
		asked += batch
	}
	return asked, admitted
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
