package model

import (
	"math/big"
	"slices"
	"time"

	"github.com/limit64/limit64/bucket"
)

// Turns is a token or leaky bucket that promises turns ahead: a list of all that
// was granted, replayed from the start for every answer without what was cancelled.
type Turns struct {
	Model
	bucket  *rounded
	horizon *big.Int // units that may lack
	grants  []*Grant
	newest  time.Duration
}

// Grant is an entry of the list.
type Grant struct {
	kind      kind
	at        time.Duration
	units     *big.Int
	cancelled bool
}

type kind uint8

const (
	taken      kind = iota // charged at an instant
	returned               // given back, whenever
	atMostFull             // at an instant
)

// NewTurns returns the model of a limit whose tokens have so many units each, and
// that promises nothing for which more than the horizon's units lack.
func NewTurns(l bucket.Limit, unit, horizon uint64) *Turns {
	s := &rounded{l: l, unit: new(big.Int).SetUint64(unit), spent: new(big.Int)}
	return &Turns{Model: model{s, l.Capacity()}, bucket: s, horizon: new(big.Int).SetUint64(horizon)}
}

// Reserve decides about n tokens at the first instant from now on at which they are
// there, and returns the grant, nil for a refusal.
func (m *Turns) Reserve(now time.Duration, n int64, longest time.Duration) (bucket.Turn, *Grant) {
	now, longest = max(now, 0), max(longest, 0)
	m.newest = max(m.newest, now)
	if d := m.Peek(now, n); d.RetryAfter == bucket.Never {
		return bucket.Turn{Delay: bucket.Never, RetryAfter: bucket.Never, Reason: d.Reason}, nil
	}
	lacks := func(at time.Duration) *big.Int {
		floor, _ := m.bucket.earned(at)
		return new(big.Int).Sub(m.least(n), m.bucket.room(floor))
	}
	delay := first(now, func(t time.Duration) bool { return lacks(t).Sign() <= 0 })
	early := first(now, func(t time.Duration) bool { return lacks(t).Cmp(m.horizon) <= 0 })
	if early = max(early, delay-longest); early > 0 {
		return bucket.Turn{Delay: delay, RetryAfter: early, Reason: bucket.Denied}, nil
	}
	return bucket.Turn{Delay: delay}, m.Grant(now, now+delay, n)
}

// least is how much room n tokens need at their turn: as much as they are, or for a
// leaky bucket all of it, but for what one nanosecond earns.
func (m *Turns) least(n int64) *big.Int {
	s := m.bucket
	cost := s.units(n)
	if s.l.Algorithm == bucket.TokenBucketAlgorithm || n == s.l.Capacity() {
		return cost
	}
	rate := new(big.Rat).SetFrac(s.units(s.l.Tokens), big.NewInt(int64(s.l.Period)))
	slip := new(big.Int).Quo(rate.Num(), rate.Denom())
	if slip.Add(slip, big.NewInt(1)); rate.IsInt() {
		slip.Sub(slip, big.NewInt(2))
	}
	return slip.Sub(s.units(s.l.Capacity()), slip)
}

// Grant charges n tokens at an instant, asked for at now.
func (m *Turns) Grant(now, at time.Duration, n int64) *Grant {
	m.bucket.owes = m.bucket.owes || at > now
	g := &Grant{at: at, units: m.bucket.units(n)}
	m.grants = append(m.grants, g)
	m.replay()
	return g
}

// Cancel gives a grant back, unless its instant has passed or it was cancelled.
func (m *Turns) Cancel(now time.Duration, g *Grant) bool {
	m.newest = max(m.newest, now)
	if g.cancelled || g.at < m.newest {
		return false
	}
	g.cancelled = true
	m.givenBack()
	return true
}

// Return gives n tokens back: what was taken last since the first turn that is
// ahead was granted, and else what was taken before that.
func (m *Turns) Return(now time.Duration, n int64) {
	if n <= 0 {
		return // no instant is shown by what is no call
	}
	if m.newest = max(m.newest, now); m.bucket.unused(m.newest) {
		return
	}
	settled := func(g *Grant) bool { return g.kind != taken || g.cancelled || g.at < m.newest }
	units, i := m.bucket.units(n), 0
	for i < len(m.grants) && settled(m.grants[i]) {
		i++
	}
	for _, g := range slices.Backward(m.grants[i:]) {
		if settled(g) && g.kind == taken && !g.cancelled {
			back := new(big.Int).Set(units)
			if back.Cmp(g.units) > 0 {
				back.Set(g.units)
			}
			units, g.units = new(big.Int).Sub(units, back), new(big.Int).Sub(g.units, back)
		}
	}
	m.grants = slices.Insert(m.grants, i, &Grant{kind: returned, units: units})
	m.givenBack()
}

// givenBack notes that the bucket was at most full when something came back.
func (m *Turns) givenBack() {
	m.grants = append(m.grants, &Grant{kind: atMostFull, at: m.newest})
	m.replay()
}

func (m *Turns) replay() {
	s := m.bucket
	s.spent = new(big.Int)
	raise := func(to *big.Int) {
		if s.spent.Cmp(to) < 0 {
			s.spent.Set(to)
		}
	}
	for _, g := range m.grants {
		floor, ceil := s.earned(g.at)
		switch {
		case g.cancelled:
		case g.kind == returned:
			s.spent.Sub(s.spent, g.units)
		case g.kind == atMostFull:
			raise(floor)
		default:
			raise(ceil)
			s.spent.Add(s.spent, g.units)
		}
	}
}
