package main

import (
	"math"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

// github.com/go-chi/httprate's counter with the steps of its OnLimit, without
// the headers that OnLimit writes.
//
// Differs: an estimate over two windows, on the wall clock; keys are their 64-bit
// hashes, so that two may share a count; one mutex for all keys, as in OnLimit;
// the end of a window clears a map of all keys.
var httpratePeer = Peer{name: "httprate counter", open: func(l Limit, _ int) Limiter {
	// A counter given by hand aligns windows to the epoch, as Allow below does.
	own := httprate.WithLimitCounter(httprate.NewLocalLimitCounter(l.per))
	return &httprateLimiter{limit: l, counter: httprate.NewRateLimiter(l.burst, l.per, own)}
}}

type httprateLimiter struct {
	limit   Limit
	mu      sync.Mutex
	counter *httprate.RateLimiter
}

func (h *httprateLimiter) Allow(key string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, rate, err := h.counter.Status(key)
	if err != nil || int(math.Round(rate))+1 > h.limit.burst {
		return false
	}
	return h.counter.Counter().Increment(key, time.Now().UTC().Truncate(h.limit.per)) == nil
}
