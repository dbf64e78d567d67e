package main

import (
	"github.com/juju/ratelimit"
	"github.com/puzpuzpuz/xsync/v3"
)

// github.com/juju/ratelimit in xsync.MapOf: it has no keys of its own.
//
// Differs: a token bucket that earns whole tokens in whole intervals, a mutex a
// key; a key is never forgotten.
var jujuPeer = Peer{name: "juju/ratelimit in xsync.MapOf", open: func(l Limit, _ int) Limiter {
	return juju{l, xsync.NewMapOf[string, *ratelimit.Bucket]()}
}}

type juju struct {
	limit Limit
	keys  *xsync.MapOf[string, *ratelimit.Bucket]
}

func (j juju) Allow(key string) bool {
	b, ok := j.keys.Load(key)
	if !ok {
		b, _ = j.keys.LoadOrCompute(key, func() *ratelimit.Bucket {
			return ratelimit.NewBucket(j.limit.interval(), int64(j.limit.burst))
		})
	}
	return b.TakeAvailable(1) == 1
}
