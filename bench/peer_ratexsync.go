package main

import (
	"github.com/puzpuzpuz/xsync/v3"
	"golang.org/x/time/rate"
)

// golang.org/x/time/rate in xsync.MapOf.
//
// Differs: as in peer_rate.go.
var rateXsync = Peer{name: "x/time/rate in xsync.MapOf", open: func(l Limit, _ int) Limiter {
	return rateInXsync{l, xsync.NewMapOf[string, *rate.Limiter]()}
}}

type rateInXsync struct {
	limit Limit
	keys  *xsync.MapOf[string, *rate.Limiter]
}

func (r rateInXsync) Allow(key string) bool {
	b, ok := r.keys.Load(key)
	if !ok {
		b, _ = r.keys.LoadOrCompute(key, func() *rate.Limiter { return newRate(r.limit) })
	}
	return b.Allow()
}
