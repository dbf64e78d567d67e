package bucket_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
)

// tape is a source of randomness that a fuzzer writes: two bytes a draw, and
// plain pseudo-random numbers after its end.
type tape struct {
	bytes []byte
	rest  *rand.PCG
}

func (p *tape) Uint64() uint64 {
	low := p.rest.Uint64()
	if len(p.bytes) < 2 {
		return low
	}
	high := uint64(p.bytes[0])<<56 | uint64(p.bytes[1])<<48
	p.bytes = p.bytes[2:]
	return high | low>>16
}

// Any limit, any operations: no panic, and the decisions of the model.
func FuzzAlgorithms(f *testing.F) {
	for i, l := range everyLimit() {
		f.Add(uint8(l.Algorithm), l.Tokens, int64(l.Period), l.Burst, []byte{byte(i), 0, 70, 0, 9, 200, 100, 50, 255, 255, 0, 0})
	}
	f.Fuzz(func(t *testing.T, algorithm uint8, tokens, period, burst int64, operations []byte) {
		l := bucket.Limit{Algorithm: bucket.Algorithm(algorithm), Tokens: tokens, Period: time.Duration(period), Burst: burst}
		if l.Algorithm == bucket.SlidingLogAlgorithm && l.Tokens > 100 {
			l.Tokens = 100 // the model scans its hits
		}
		if l.Validate() != nil {
			return
		}
		rule, _ := bucket.NewRule(l)
		s := scriptWithin(l, rule, 0)
		s.rng = rand.New(&tape{operations, rand.NewPCG(1, 1)})
		differ(t, l, s, rule, min(40, 4+len(operations)/8))
		exhaust(t, l)
	})
}

// exhaust goes to the ends of what a clock and a cost can be.
func exhaust(t *testing.T, l bucket.Limit) {
	c := cellOf(t, l)
	instants := []time.Duration{math.MinInt64, -1, 0, 1, math.MaxInt64 / 2, math.MaxInt64 - 1, math.MaxInt64, 1}
	for _, now := range instants {
		for _, n := range []int64{math.MinInt64, -1, 0, 1, l.Capacity(), l.Capacity() + 1, math.MaxInt64} {
			if d := c.TakeAt(n, now); d.Remaining < 0 || d.Remaining > l.Capacity() || d.RetryAfter < 0 || d.ResetAfter < 0 {
				t.Fatalf("%v: take %d at %d: %+v", l, n, now, d)
			}
			c.PeekAt(n, now)
		}
		c.ReturnAt(1, now)
		c.ReturnAt(math.MaxInt64, now)
	}
}
