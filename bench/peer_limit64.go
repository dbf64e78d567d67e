package main

import "github.com/limit64/limit64/engine"

// limit64's token bucket, with each of its clocks, without statistics: no peer
// counts its decisions either.
//
// Differs: the coarse clock's instants are up to a millisecond old.
var (
	limit64Exact  = ours(exactName, func() engine.Clock { return engine.Monotonic() })
	limit64Coarse = ours(coarseName, func() engine.Clock { return engine.Coarse(0) })
)

func ours(name string, clock func() engine.Clock) Peer {
	return Peer{name: name, sweeps: true, open: func(l Limit, _ int) Limiter {
		return must(engine.New(engine.Config{
			Limit:      engine.TokenBucket(int64(l.burst), l.per, engine.Burst(int64(l.burst))),
			Clock:      clock(),
			MaxKeys:    1 << 24,
			SweepEvery: l.sweep,
			NoStats:    true,
		}))
	}}
}
