package traffic

import (
	"math/rand/v2"
	"time"
)

// arrivals are the intended instants of one worker, since the phase began. Those
// of all workers together have the phase's rate: Poisson streams add up to a
// Poisson stream, even ones are staggered, and of each burst everybody has a part.
type arrivals struct {
	rng    *rand.Rand // nil where gaps are even
	gap    float64    // nanoseconds between two instants, on average
	next   float64
	each   int // requests at one instant
	left   int // of the current instant
	perSec float64
}

// newArrivals returns those of worker i of n; nil when it has none, as in bursts
// of fewer requests than there are workers.
func newArrivals(ph Phase, i, n int, rng *rand.Rand) *arrivals {
	gap := float64(time.Second) / ph.Rate
	a := &arrivals{gap: gap * float64(n), each: 1}
	switch ph.Arrivals {
	case "even":
		a.next = gap * float64(i)
	case "bursts":
		if a.each = int(quota(int64(ph.Burst), i, n)); a.each == 0 {
			return nil
		}
		a.gap = gap * float64(ph.Burst)
	default:
		a.rng = rng
		a.next = a.gap * rng.ExpFloat64()
	}
	a.left, a.perSec = a.each, float64(a.each)*float64(time.Second)/a.gap
	return a
}

// due returns the next instant and moves on.
func (a *arrivals) due() time.Duration {
	at := time.Duration(a.next)
	if a.left--; a.left == 0 {
		a.left = a.each
		if a.rng != nil {
			a.next += a.gap * a.rng.ExpFloat64()
		} else {
			a.next += a.gap
		}
	}
	return at
}

// rest is how many were still due from the next instant to the end, on average.
func (a *arrivals) rest(end time.Duration) int64 {
	if a.next >= float64(end) {
		return 0
	}
	return int64((float64(end) - a.next) / float64(time.Second) * a.perSec)
}

// quota is part i of n of a whole.
func quota(whole int64, i, n int) int64 {
	part := whole / int64(n)
	if int64(i) < whole%int64(n) {
		part++
	}
	return part
}
