package main

import (
	"slices"
	"strings"
	"time"
)

// The outcomes that trials are about.
const (
	admitted = "admitted"
	denied   = "denied"
	mixed    = "mixed" // every other key is denied
)

// The limits behind the outcomes earn tokens so slowly that no key becomes idle,
// and is forgotten, while a trial runs: one in 16 seconds, one a day.
var (
	generous = Limit{burst: 100_000_000, per: 50 * 365 * 24 * time.Hour}
	strict   = Limit{burst: 1, per: 24 * time.Hour}
)

// opened returns a peer's limiter, in which every decision on a key that has been
// asked for once has the given outcome.
func opened(p Peer, outcome string, keys int) Limiter {
	switch outcome {
	case admitted:
		return p.open(generous, keys)
	case denied:
		return p.open(strict, keys)
	}
	return tiers{p.open(generous, keys), p.open(strict, keys)}
}

// tiers sends half of the keys to each of two limiters.
type tiers struct{ generous, strict Limiter }

func (t tiers) Allow(key string) bool {
	if even(key) {
		return t.generous.Allow(key)
	}
	return t.strict.Allow(key)
}

func (t tiers) Close() {
	shut(t.generous)
	shut(t.strict)
}

// fill asks for every key once, each a string of its own, as a request's is.
func fill(l Limiter, keys []string) {
	for _, k := range keys {
		l.Allow(strings.Clone(k))
	}
}

// inserted returns the keys in an order that no sequence has: visits in the order
// of allocation would flatter whoever allocates a cell for each key.
func inserted(keys []string) []string {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	return sorted
}
