package main

import (
	"sync"

	"golang.org/x/time/rate"
)

// golang.org/x/time/rate in a map, which is what people write by hand.
//
// Differs: a token bucket in floats, a mutex a key; a key is never forgotten, so
// the map grows for ever; an older instant moves a bucket's time back.
var rateSyncMap = Peer{name: "x/time/rate in sync.Map", open: func(l Limit, _ int) Limiter {
	return &rateInSyncMap{limit: l}
}}

func newRate(l Limit) *rate.Limiter { return rate.NewLimiter(rate.Every(l.interval()), l.burst) }

type rateInSyncMap struct {
	limit Limit
	keys  sync.Map
}

func (r *rateInSyncMap) Allow(key string) bool {
	v, ok := r.keys.Load(key)
	if !ok {
		v, _ = r.keys.LoadOrStore(key, newRate(r.limit))
	}
	return v.(*rate.Limiter).Allow()
}
