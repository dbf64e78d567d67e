package bucket

import (
	"sync/atomic"
	"time"
)

const sealBit = 1 << ValueBits

// Cell is one bucket without a key, of any algorithm: for a single limit that a
// program shares, or as the field of a larger struct. It has no clock; every
// method takes the instant, a duration since whatever start the caller chose,
// and instants before 0 count as 0.
//
// A Cell is safe for concurrent use and must not be copied after first use.
// Make one with NewCell. Methods are lock-free and do not allocate, except that
// the sliding window log takes a mutex and grows its ring, and that the base of
// the value moves, at most about once an hour, by allocating 16 bytes.
type Cell struct {
	rule  Rule                      // nil for a log
	state atomic.Pointer[cellState] // replaced when the base moves; never nil with a rule
	log   *LogCell
	turns atomic.Pointer[cellTurns] // nil until the first ReserveAt
	limit int64                     // the capacity
}

// cellState is the word and the instant it counts from. When the word's top bit
// is set it is final: the next state holds the same value, rebased.
type cellState struct {
	word atomic.Uint64
	base time.Duration
}

// NewCell returns a full bucket, or the error of Limit.Validate.
func NewCell(l Limit) (*Cell, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if l.Algorithm == SlidingLogAlgorithm {
		return &Cell{log: NewLogCell(l, 0), limit: l.Capacity()}, nil
	}
	rule, err := NewRule(l)
	if err != nil {
		return nil, err
	}
	c := &Cell{rule: rule, limit: l.Capacity()}
	c.state.Store(&cellState{})
	return c, nil
}

// TakeAt takes n tokens at an instant, or says when it could.
func (c *Cell) TakeAt(n int64, now time.Duration) (d Decision) {
	if c.log != nil {
		o, _ := c.log.Take(now, n)
		o.Fill(&d, c.limit)
		return d
	}
	for {
		s, v, dt := c.load(now)
		next, o := c.rule.Take(v, dt, n)
		// The swap is the linearization point of an admission, the load that of
		// a denial: a denial writes nothing.
		if next == v || s.word.CompareAndSwap(v, next) {
			o.Fill(&d, c.limit)
			return d
		}
	}
}

// PeekAt says what TakeAt would, and takes nothing.
func (c *Cell) PeekAt(n int64, now time.Duration) Decision {
	if c.log != nil {
		d, _ := c.log.Peek(now, n)
		return d.Decision(c.limit)
	}
	s := c.state.Load()
	return PeekAt(c.rule, s.word.Load()&^sealBit, Since(now, s.base), n).Decision(c.limit)
}

// ReturnAt gives n tokens back, never above the capacity.
func (c *Cell) ReturnAt(n int64, now time.Duration) {
	if c.log != nil {
		c.log.Return(now, n)
		return
	}
	for {
		s, v, dt := c.load(now)
		// Asked after the load: a turn granted since then has changed the word,
		// and the swap below fails.
		if t := c.turns.Load(); t != nil {
			t.giveBack(c, n, now)
			return
		}
		next := c.rule.Return(v, dt, n)
		if next == v || s.word.CompareAndSwap(v, next) {
			return
		}
	}
}

// load returns the current state, its value and an instant within the span.
func (c *Cell) load(now time.Duration) (s *cellState, v, dt uint64) {
	for {
		s = c.state.Load()
		v = s.word.Load()
		dt = Since(now, s.base)
		if v&sealBit == 0 && dt <= c.rule.Span() {
			return s, v, dt
		}
		c.rebase(s, dt)
	}
}

// rebase replaces the state s by one with a later base. Whoever needs it seals
// the word, which then cannot change, and offers the successor; the first offer
// wins, so nobody waits for anybody.
func (c *Cell) rebase(s *cellState, dt uint64) {
	v := s.word.Or(sealBit) &^ sealBit
	delta := c.rule.Advance(dt)
	next := &cellState{base: s.base + time.Duration(delta)}
	next.word.Store(c.rule.Rebase(v, delta))
	c.state.CompareAndSwap(s, next)
}
