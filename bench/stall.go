package main

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// maxStalls bounds the decisions timed one by one.
const maxStalls = 1 << 22

// whileFlooded times decisions on one resident key while new keys flood in, one
// goroutine each.
func whileFlooded(p Peer, keys []string) []time.Duration {
	l := p.open(generous, len(keys)+1)
	defer shut(l)
	var over atomic.Bool
	go func() {
		defer over.Store(true)
		fill(l, keys)
	}()
	return stalls(l, &over)
}

// whileSwept times decisions on one resident key while a sweep runs every 20 ms
// over keys, none of which is idle.
func whileSwept(p Peer, keys []string, lasting time.Duration) []time.Duration {
	limit := generous
	limit.sweep = 20 * time.Millisecond
	l := p.open(limit, len(keys)+1)
	defer shut(l)
	fill(l, keys)
	var over atomic.Bool
	time.AfterFunc(lasting, func() { over.Store(true) })
	return stalls(l, &over)
}

// stalls times decisions until over, a hundred at least. What it measures
// includes reading the clock: the floor's figures say how much that is.
func stalls(l Limiter, over *atomic.Bool) []time.Duration {
	key := strings.Repeat("r", keyLen)
	l.Allow(key)
	took := make([]time.Duration, 0, maxStalls)
	for last := time.Now(); len(took) < 100 || !over.Load(); {
		l.Allow(key)
		now := time.Now()
		if len(took) < cap(took) {
			took = append(took, now.Sub(last))
		}
		last = now
	}
	slices.Sort(took)
	return took
}

// quantile picks from sorted durations.
func quantile(sorted []time.Duration, q float64) float64 {
	return float64(sorted[int(q*float64(len(sorted)-1))])
}
