package model

import (
	"math/big"
	"time"

	"github.com/limit64/limit64/bucket"
)

// tokens is the token bucket and the leaky bucket, by the formulas of the design:
// the tokens spent since instant 0, as a fraction, against the tokens earned.
type tokens struct {
	l     bucket.Limit
	spent *big.Rat
}

func newTokens(l bucket.Limit) *tokens { return &tokens{l: l, spent: new(big.Rat)} }

// earned is burst + now · tokens / period.
func (s *tokens) earned(now time.Duration) *big.Rat {
	rate := big.NewRat(s.l.Tokens, int64(s.l.Period))
	e := new(big.Rat).Mul(big.NewRat(int64(now), 1), rate)
	return e.Add(e, s.burst())
}

func (s *tokens) burst() *big.Rat { return big.NewRat(s.l.Capacity(), 1) }

// available is min(burst, earned - spent); negative at a stale instant.
func (s *tokens) available(now time.Duration) *big.Rat {
	a := s.earned(now)
	a.Sub(a, s.spent)
	if a.Cmp(s.burst()) > 0 {
		return s.burst()
	}
	return a
}

// clamp: what was spent had been earned, so time had come that far.
func (s *tokens) clamp(now time.Duration) time.Duration {
	if s.available(now).Sign() >= 0 {
		return now
	}
	return now + first(now, func(t time.Duration) bool { return s.available(t).Sign() >= 0 })
}

func (s *tokens) free(now time.Duration) int64 {
	a := s.available(now)
	if a.Sign() < 0 {
		return 0
	}
	return new(big.Int).Quo(a.Num(), a.Denom()).Int64()
}

func (s *tokens) spend(now time.Duration, n int64) {
	left := s.available(now)
	left.Sub(left, big.NewRat(n, 1))
	s.spent.Sub(s.earned(now), left)
}

func (s *tokens) giveBack(now time.Duration, n int64) {
	if s.unused(now) {
		return
	}
	s.spent.Sub(s.spent, big.NewRat(n, 1))
	if s.unused(now) { // no fuller than full at now
		s.spent.Sub(s.earned(now), s.burst())
	}
}

func (s *tokens) unused(now time.Duration) bool { return s.available(now).Cmp(s.burst()) >= 0 }
