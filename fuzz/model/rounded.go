package model

import (
	"math/big"
	"time"

	"github.com/limit64/limit64/bucket"
)

// rounded is the token bucket and the leaky bucket counted in whole units, for
// limits whose exact fractions do not fit a word: what was earned is rounded down
// to units, and whoever finds the bucket full pays from the next whole unit on.
type rounded struct {
	l     bucket.Limit
	unit  *big.Int // units per token
	spent *big.Int // units
	owes  bool     // a turn ahead was granted: spent proves no instant any more
}

// NewRounded returns the model of a token or leaky bucket whose tokens have so
// many units each.
func NewRounded(l bucket.Limit, unit uint64) Model {
	return model{&rounded{l: l, unit: new(big.Int).SetUint64(unit), spent: new(big.Int)}, l.Capacity()}
}

func (s *rounded) units(tokens int64) *big.Int {
	return new(big.Int).Mul(s.unit, big.NewInt(tokens))
}

// earned is now · tokens · unit / period in whole units, and the same rounded up.
func (s *rounded) earned(now time.Duration) (floor, ceil *big.Int) {
	floor, rest := new(big.Int), new(big.Int)
	floor.Mul(s.units(s.l.Tokens), big.NewInt(int64(now)))
	floor.QuoRem(floor, big.NewInt(int64(s.l.Period)), rest)
	return floor, new(big.Int).Add(floor, big.NewInt(int64(rest.Sign())))
}

// room is capacity + earned - spent; negative at a stale instant, above the
// capacity when the bucket has been full for a while.
func (s *rounded) room(earned *big.Int) *big.Int {
	r := s.units(s.l.Capacity())
	return r.Add(r, earned).Sub(r, s.spent)
}

// clamp believes an instant that could have earned what was spent, rounded
// either way, and else goes to the first that has.
func (s *rounded) clamp(now time.Duration) time.Duration {
	if _, ceil := s.earned(now); s.room(ceil).Sign() >= 0 || s.owes {
		return now
	}
	return now + first(now, func(t time.Duration) bool {
		floor, _ := s.earned(t)
		return s.room(floor).Sign() >= 0
	})
}

func (s *rounded) free(now time.Duration) int64 {
	floor, _ := s.earned(now)
	whole := s.room(floor)
	if whole.Sign() < 0 {
		return 0
	}
	if whole.Quo(whole, s.unit); whole.Cmp(big.NewInt(s.l.Capacity())) > 0 {
		return s.l.Capacity()
	}
	return whole.Int64()
}

func (s *rounded) spend(now time.Duration, n int64) {
	if _, ceil := s.earned(now); s.spent.Cmp(ceil) < 0 {
		s.spent.Set(ceil)
	}
	s.spent.Add(s.spent, s.units(n))
}

func (s *rounded) giveBack(now time.Duration, n int64) {
	if s.unused(now) {
		return
	}
	s.spent.Sub(s.spent, s.units(n))
	if s.unused(now) { // no fuller than full at now
		_, ceil := s.earned(now)
		s.spent.Set(ceil)
	}
}

func (s *rounded) unused(now time.Duration) bool {
	floor, _ := s.earned(now)
	return s.spent.Cmp(floor) <= 0
}
