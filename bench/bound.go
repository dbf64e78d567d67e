package main

import "time"

// contended is a limit of 100,000 tokens a second with a small burst, to see what
// peers admit when many goroutines ask for one key.
var contended = Limit{burst: 100, per: time.Millisecond}

// hammerers is how many goroutines do.
const hammerers = 8

// overAdmission has goroutines ask for one key and returns what was admitted, as
// a multiple of what the limit allows in the time that passed: more than 1 is
// wrong. Limiters that count windows may be one window ahead.
func overAdmission(p Peer, lasting time.Duration) float64 {
	start := time.Now()
	l := p.open(contended, 1)
	defer shut(l)
	t := drive(l, newKeys(1), hammerers, lasting)
	return float64(t.admitted) / contended.allows(time.Since(start))
}

// allows is the bound of a token bucket for any interval of the given length.
func (l Limit) allows(in time.Duration) float64 {
	return float64(l.burst) * (1 + float64(in)/float64(l.per))
}
