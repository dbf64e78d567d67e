package main

import "time"

// Limiter takes one token of a key, or says no. A decision must be safe for
// concurrent use.
type Limiter interface{ Allow(key string) bool }

// Limit is what every peer can be told: burst tokens, all of them earned again in
// per. Peers that count windows allow burst in each window of per.
type Limit struct {
	burst int
	per   time.Duration
	sweep time.Duration // interval of the background sweep of peers that have one; 0: none
}

// interval is the time that earns one token.
func (l Limit) interval() time.Duration { return l.per / time.Duration(l.burst) }

// Peer is a limiter in the comparison. Its file states where it differs from the
// token bucket that limit64 runs here.
type Peer struct {
	name   string
	sweeps bool // it drops idle keys in the background, every Limit.sweep
	open   func(l Limit, keys int) Limiter
}

// The rows that others are compared with.
const (
	floorName  = "floor"
	exactName  = "limit64"
	coarseName = "limit64, coarse clock"
)

// peers lists everybody, the floor first. go.uber.org/ratelimit is missing: it
// knows only Take, which sleeps until its turn, so it never says no.
var peers = []Peer{
	floor, limit64Exact, limit64Coarse, rateSyncMap, rateXsync,
	throttledPeer, sethvargoPeer, ululePeer, httpratePeer, jujuPeer,
}

// must is for configurations that are fixed here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// shut ends the goroutines of limiters that have any.
func shut(l Limiter) {
	if c, ok := l.(interface{ Close() }); ok {
		c.Close()
	}
}
