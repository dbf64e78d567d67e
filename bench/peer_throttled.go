package main

import (
	"context"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
)

// github.com/throttled/throttled/v2 with its own store in memory.
//
// Differs: GCRA on the wall clock; the store is one map under a read-write lock
// and forgets nothing (with a bound it would drop keys that are in use); a
// decision that loses ten races is an error, counted here as a refusal.
var throttledPeer = Peer{name: "throttled", open: func(l Limit, _ int) Limiter {
	quota := throttled.RateQuota{MaxRate: throttled.PerDuration(l.burst, l.per), MaxBurst: l.burst - 1}
	store := must(memstore.NewCtx(0))
	return throttledLimiter{must(throttled.NewGCRARateLimiterCtx(store, quota))}
}}

type throttledLimiter struct{ *throttled.GCRARateLimiterCtx }

func (t throttledLimiter) Allow(key string) bool {
	limited, _, err := t.RateLimitCtx(context.Background(), key, 1)
	return err == nil && !limited
}
