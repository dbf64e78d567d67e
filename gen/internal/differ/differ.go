// Package differ compares generated limiters with package engine and package
// bucket, decision by decision.
package differ

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
)

// Limiter is what gen writes for keys.
type Limiter interface {
	Take(key string, n int64, now time.Duration) bucket.Decision
	TakeBytes(key []byte, n int64, now time.Duration) bucket.Decision
	TakeUint64(key uint64, n int64, now time.Duration) bucket.Decision
	TakeAddr(key netip.Addr, n int64, now time.Duration) bucket.Decision
	Allow(key string, now time.Duration) bool
	Peek(key string, n int64, now time.Duration) bucket.Decision
	Sweep(now time.Duration)
	Len() int
}

// Cell is what gen writes without keys.
type Cell interface {
	Take(n int64, now time.Duration) bucket.Decision
	Allow(now time.Duration) bool
	Peek(n int64, now time.Duration) bucket.Decision
}

// Subject is what gen wrote for one limit.
type Subject struct {
	Limit   string
	Limiter Limiter
	Cell    Cell // nil where a limit has none
}

// Check takes and peeks steps times at drawn instants and costs, and returns how
// many decisions were admitted, or the first that differs from the original's.
func Check(s Subject, steps int, seed uint64) (admitted int, err error) {
	l, err := bucket.Parse(s.Limit)
	if err != nil {
		return 0, err
	}
	e, err := engine.New(engine.Config{Limit: l, Clock: engine.Manual(), NoStats: true, MaxKeys: maxKeys})
	if err != nil {
		return 0, err
	}
	defer e.Close()
	keys, draw := keyed{s.Limiter, e}, newScript(l, seed)
	for i := range steps {
		now, n := draw.next()
		got, want := keys.step(draw.rng, n, now)
		if err := compare(s, "key", i, n, now, got, want); err != nil {
			return admitted, err
		}
		if draw.last = want; want.OK {
			admitted++
		}
	}
	if got, want := s.Limiter.Len(), e.Len(); got != want {
		return admitted, fmt.Errorf("limit %s: holds %d keys, want %d", s.Limit, got, want)
	}
	if s.Cell == nil {
		return admitted, nil
	}
	original, err := bucket.NewCell(l)
	if err != nil {
		return admitted, err
	}
	draw = newScript(l, seed+1)
	for i := range steps {
		now, n := draw.next()
		if err := compare(s, "cell peek", i, n, now, s.Cell.Peek(n, now), original.PeekAt(n, now)); err != nil {
			return admitted, err
		}
		draw.last = original.TakeAt(n, now)
		var got bucket.Decision
		if n == 1 && draw.rng.IntN(4) == 0 {
			got = allowed(s.Cell.Allow(now), draw.last)
		} else {
			got = s.Cell.Take(n, now)
		}
		if err := compare(s, "cell", i, n, now, got, draw.last); err != nil {
			return admitted, err
		}
		if draw.last.OK {
			admitted++
		}
	}
	return admitted, nil
}

// allowed is a decision of which only OK is known.
func allowed(ok bool, rest bucket.Decision) bucket.Decision {
	rest.OK = ok
	return rest
}

func compare(s Subject, what string, i int, n int64, now time.Duration, got, want bucket.Decision) error {
	if got != want {
		return fmt.Errorf("limit %s: %s, step %d: %d at %d: got %+v, want %+v", s.Limit, what, i, n, int64(now), got, want)
	}
	return nil
}

// maxKeys is less than there are keys, so that some are saturated.
const maxKeys, allKeys = 24, 30

// MaxKeys is the bound that a Subject's limiter must be made with.
const MaxKeys = maxKeys

// keyed asks a limiter and an engine the same.
type keyed struct {
	limiter Limiter
	engine  *engine.Engine
}

// step takes from, or peeks at, one of a few keys of every kind. Most of the
// time it is the first, so that one key sees a long history.
func (k keyed) step(rng *rand.Rand, n int64, now time.Duration) (got, want bucket.Decision) {
	which := rng.IntN(4 * allKeys)
	if which >= allKeys {
		which = 0
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], uint64(which))
	switch which % 4 {
	case 0:
		key := fmt.Sprintf("a key of some length, %0*d", which, which)
		if rng.IntN(8) == 0 {
			return k.limiter.Peek(key, n, now), k.engine.PeekAt(key, n, now)
		}
		want = k.engine.TakeAt(key, n, now)
		if n == 1 && rng.IntN(4) == 0 {
			return allowed(k.limiter.Allow(key, now), want), want
		}
		got = k.limiter.Take(key, n, now)
	case 1:
		got, want = k.limiter.TakeBytes(b[5:8], n, now), k.engine.TakeBytesAt(b[5:8], n, now)
	case 2:
		got, want = k.limiter.TakeUint64(uint64(which), n, now), k.engine.TakeBytesAt(b[:8], n, now)
	case 3:
		got, want = k.limiter.TakeAddr(netip.AddrFrom16(b), n, now), k.engine.TakeBytesAt(b[:], n, now)
	}
	if rng.IntN(2_000) == 0 {
		k.limiter.Sweep(now)
		k.engine.SweepAt(now)
	}
	return got, want
}

// script draws instants and costs that dwell on edges: repeated instants, exact
// waits, a nanosecond less, stale ones, long idle, costs around the capacity.
type script struct {
	rng   *rand.Rand
	limit bucket.Limit
	stale int64 // how far back a stale instant lies at most
	now   time.Duration
	last  bucket.Decision
}

func newScript(l bucket.Limit, seed uint64) *script {
	s := &script{rng: rand.New(rand.NewPCG(seed, 64)), limit: l, stale: 2 * int64(l.Period)}
	if p, err := bucket.Describe(l); err == nil {
		s.stale = min(s.stale, int64(p.Span/2)) // an older one may lie before a base
	}
	return s
}

func (s *script) next() (now time.Duration, n int64) {
	period, d := int64(s.limit.Period), time.Duration(0)
	switch s.rng.IntN(10) {
	case 0, 1:
		d = time.Duration(s.rng.Int64N(period/s.limit.Tokens*2 + 2))
	case 2:
		d = s.last.RetryAfter
	case 3:
		d = s.last.RetryAfter - 1
	case 4:
		d = s.last.ResetAfter - time.Duration(s.rng.IntN(2))
	case 5:
		d = time.Duration(s.rng.Int64N(2 * period))
	case 6:
		if s.rng.IntN(400) == 0 {
			d = time.Duration(s.rng.Int64N(math.MaxInt64 / 16)) // 18 years
		}
	}
	if d > 0 && d < math.MaxInt64/2-s.now {
		s.now += d
	}
	now = s.now
	switch s.rng.IntN(16) {
	case 0:
		now -= time.Duration(s.rng.Int64N(s.stale + 1))
	case 1:
		now -= time.Duration(s.rng.Int64N(min(s.stale, period/s.limit.Tokens) + 1))
	}
	return now, s.cost()
}

func (s *script) cost() int64 {
	c := s.limit.Capacity()
	costs := [...]int64{1, 1, 1, 1, 2, c, c/2 + 1, c - 1, c + 1, 0, -1, math.MinInt64, math.MaxInt64, 1 + s.rng.Int64N(c), 1 + c/16}
	return costs[s.rng.IntN(len(costs))]
}
