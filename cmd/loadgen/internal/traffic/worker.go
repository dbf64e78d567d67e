package traffic

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// sampleEvery is how many requests of a closed loop lie between two that are
	// timed. Timing one costs two readings of the clock, about as much as the
	// request; every 127th, that is about one percent. It is odd, so that samples
	// meet all of the draws in turn.
	sampleEvery = 127
	// chunk is how many requests a worker makes before it looks whether it is
	// time to stop, and publishes what it saw.
	chunk = 256
	// spin is how long before an intended instant a worker stops sleeping: timers
	// wake up to a millisecond late.
	spin = time.Millisecond
)

// worker is one goroutine's traffic.
type worker struct {
	limiter Limiter
	i, of   int
	rng     *rand.Rand
	counts  *counts
	meter   *meter
	batch   batch
	name    []byte
	fresh   uint64 // new keys so far
	cheats  int64  // new keys that were admitted more than the capacity
	most    int64  // the largest capacity: what a new key can take at once

	// Of the phase.
	phase       Phase // its Requests are this worker's part of total
	total       int64
	made        int64
	keys        chooser
	arrivals    *arrivals // nil in a closed loop
	untilSample int
}

func newWorker(l Limiter, p Plan, i int) *worker {
	return &worker{
		limiter: l, i: i, of: p.Goroutines, rng: rand.New(rand.NewPCG(p.Seed, uint64(i))),
		counts: newCounts(p.Keys), meter: newMeter(p.Keys), name: make([]byte, 0, nameBytes),
	}
}

// begin draws what the next phase needs.
func (w *worker) begin(ph Phase, keys int) {
	w.phase, w.total, w.made = ph, ph.Requests, 0
	w.phase.Requests = quota(ph.Requests, w.i, w.of)
	w.untilSample = sampleEvery
	w.keys, w.arrivals = newChooser(w.phase, keys, w.rng), nil
	if ph.Rate > 0 {
		w.arrivals = newArrivals(ph, w.i, w.of, w.rng)
	}
}

// key draws one and writes its name.
func (w *worker) key() (key uint32, fresh bool) {
	if w.phase.NewKeys > 0 && w.rng.Float64() < w.phase.NewKeys {
		w.name = appendNew(w.name[:0], w.fresh*uint64(w.of)+uint64(w.i))
		w.fresh++
		return 0, true
	}
	key = w.keys.next()
	w.name = appendName(w.name[:0], uint64(key))
	return key, false
}

func (w *worker) count(key uint32, fresh bool, n int64, ok bool) {
	w.batch.tally.Requests++
	if ok {
		w.batch.tally.Admitted++
	} else {
		w.batch.tally.Denied++
	}
	switch {
	case !fresh:
		w.counts.add(key, n, ok)
	case ok && n > w.most:
		w.cheats++
	}
}

// closed asks as fast as it goes, until the quota is used up or stop is set.
func (w *worker) closed(stop *atomic.Bool) {
	for !stop.Load() && (w.total == 0 || w.made < w.phase.Requests) {
		n := int64(chunk)
		if w.total > 0 {
			n = min(n, w.phase.Requests-w.made)
		}
		for range n {
			w.one()
		}
		w.made += n
		w.publish()
	}
}

func (w *worker) one() {
	key, fresh := w.key()
	n := w.phase.Cost.draw(w.rng)
	var ok bool
	if w.untilSample--; w.untilSample == 0 {
		w.untilSample = sampleEvery
		start := time.Now()
		ok = w.limiter.TakeBytes(w.name, n).OK
		w.batch.latency = append(w.batch.latency, time.Since(start))
	} else {
		ok = w.limiter.TakeBytes(w.name, n).OK
	}
	w.count(key, fresh, n, ok)
}

// open asks at its intended instants, which count from start.
func (w *worker) open(start time.Time, halt *halt) {
	defer w.publish()
	for w.due(w.phase.Duration) {
		at := w.arrivals.due()
		began, ok := w.wait(start, at, halt)
		if !ok {
			w.batch.tally.Unmade += w.unmade(time.Since(start), at)
			return
		}
		key, fresh := w.key()
		n := w.phase.Cost.draw(w.rng)
		admitted := w.limiter.TakeBytes(w.name, n).OK
		now := time.Since(start)
		w.batch.latency = append(w.batch.latency, now-at)
		w.batch.call = append(w.batch.call, now-began)
		w.count(key, fresh, n, admitted)
		if len(w.batch.call) == chunk {
			w.publish()
		}
	}
}

// due reports whether there is one more request before an instant; 0 is no end.
func (w *worker) due(end time.Duration) bool {
	a := w.arrivals
	if a == nil || w.total > 0 && w.made == w.phase.Requests || end > 0 && time.Duration(a.next) >= end {
		return false
	}
	w.made++
	return true
}

// unmade is how many requests, the one of at included, were due until now.
func (w *worker) unmade(now, at time.Duration) int64 {
	if w.phase.Duration > 0 {
		now = min(now, w.phase.Duration)
	}
	if at > now {
		return 0
	}
	return 1 + w.arrivals.rest(now)
}

// wait returns at the instant at, or at once when that has passed, and says
// whether to go on. It returns the time since start.
func (w *worker) wait(start time.Time, at time.Duration, halt *halt) (now time.Duration, ok bool) {
	for {
		if halt.now.Load() {
			return 0, false
		}
		now = time.Since(start)
		switch left := at - now; {
		case left <= 0:
			return now, true
		case left > 2*spin:
			w.publish()
			halt.sleep(left - spin)
		default:
			runtime.Gosched()
		}
	}
}

// simulate asks at its intended instants before until, without waiting for them:
// the clock is virtual, and the phase began at from.
func (w *worker) simulate(from, until time.Duration) {
	for w.due(until) {
		at := from + w.arrivals.due()
		key, fresh := w.key()
		n := w.phase.Cost.draw(w.rng)
		w.count(key, fresh, n, w.limiter.TakeBytesAt(w.name, n, at).OK)
	}
	w.publish()
}

func (w *worker) publish() { w.meter.publish(&w.batch, w.counts) }
