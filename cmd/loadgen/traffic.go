package main

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	// drawsPerWorker is how many keys each goroutine draws before it starts; it
	// then goes round them. A draw costs as much as a decision, so drawing
	// on the way would halve the figures and hide what is measured.
	drawsPerWorker = 1 << 20
	// sampleEvery is how many requests lie between two that are timed. Timing
	// one costs two readings of the clock, about as much as the request; every
	// 127th, that is about one percent. It is odd, so that samples meet all of
	// the draws in turn.
	sampleEvery = 127
	// chunk is how many requests a goroutine makes before it looks whether it is
	// time to stop, and publishes how far it is.
	chunk = 256
)

// keyNames makes the keys; the first is the busiest.
func keyNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("client-%06d", i)
	}
	return names
}

// worker is one goroutine's traffic and what it saw. Only progress is shared.
type worker struct {
	names            []string
	draws            []uint32
	admitted, denied []int64 // by key
	latency          *hdrhistogram.Histogram
	quota            int64 // requests to make; 0 means until stopped

	// Written by the worker, read by the progress line.
	doneNow, admittedNow atomic.Int64
}

// newWorker draws the keys of worker number i: the same seed gives the same.
func newWorker(i int, names []string, seed uint64, skew float64, quota int64) *worker {
	w := &worker{
		names: names, admitted: make([]int64, len(names)), denied: make([]int64, len(names)),
		latency: hdrhistogram.New(1, int64(time.Minute), 3), quota: quota,
	}
	n := int64(drawsPerWorker)
	if quota > 0 {
		n = min(n, quota)
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(seed, uint64(i))), skew, 1, uint64(len(names)-1))
	w.draws = make([]uint32, n)
	for j := range w.draws {
		w.draws[j] = uint32(zipf.Uint64())
	}
	return w
}

// run makes requests until the quota is used up or stop is set.
func (w *worker) run(l limiter, stop *atomic.Bool) {
	var done, admitted int64
	at, untilSample := 0, sampleEvery
	for !stop.Load() && (w.quota == 0 || done < w.quota) {
		n := int64(chunk)
		if w.quota > 0 {
			n = min(n, w.quota-done)
		}
		for range n {
			key := w.draws[at]
			if at++; at == len(w.draws) {
				at = 0
			}
			var ok bool
			if untilSample--; untilSample == 0 {
				untilSample, ok = sampleEvery, w.timed(l, w.names[key])
			} else {
				ok = l.Take(w.names[key], 1).OK
			}
			if ok {
				w.admitted[key]++
				admitted++
			} else {
				w.denied[key]++
			}
		}
		done += n
		w.doneNow.Store(done)
		w.admittedNow.Store(admitted)
	}
}

func (w *worker) timed(l limiter, key string) bool {
	start := time.Now()
	ok := l.Take(key, 1).OK
	// Beyond a minute the histogram refuses the value: then it counts as one.
	_ = w.latency.RecordValue(max(1, min(int64(time.Since(start)), int64(time.Minute))))
	return ok
}

// clockCost measures what timing a request adds to its figure.
func clockCost() time.Duration {
	const n = 10_000
	start := time.Now()
	for range n {
		_ = time.Now()
	}
	return time.Since(start) / n
}
