package bucket

import "math/bits"

// counter is the sliding window counter: [window index | previous | current].
// Its estimate of what the last period saw is
//
//	previous · (period - elapsed) / period + current
//
// compared in whole numbers, never in floats.
//
// All three fit exactly up to 33 million tokens a second, 268 million a minute
// or a billion an hour. Above that, where the bits run out before the index spans
// an hour, previous is kept in steps of 2^shift, rounded up: it never admits
// more, and a step is at most 1/65,536 of the limit.
type counter struct {
	period            Divisor
	curBits, prevBits int
	shift             int
	span              uint64
	limit             Limit
}

func newCounter(l Limit, most int64) *counter {
	most = max(l.Tokens, most)
	c := &counter{limit: l, period: NewDivisor(uint64(l.Period)), curBits: bits.Len64(uint64(most))}
	for {
		c.prevBits = bits.Len64(c.steps(uint64(most)))
		c.span = windowSpan(c.indexBits(), c.period.d)
		if c.indexBits() > 1 && c.span >= minSpan || c.curBits-17 <= c.shift {
			return c
		}
		c.shift++
	}
}

func (c *counter) indexBits() int { return max(0, ValueBits-c.curBits-c.prevBits) }

// steps rounds a count up to whole steps of previous.
func (c *counter) steps(n uint64) uint64 { return (n + 1<<c.shift - 1) >> c.shift }

func (c *counter) pack(index, prev, cur uint64) uint64 {
	return index<<(c.prevBits+c.curBits) | c.steps(prev)<<c.curBits | cur
}

func (c *counter) unpack(v uint64) (index, prev, cur uint64) {
	cur = v & (1<<c.curBits - 1)
	prev = v >> c.curBits & (1<<c.prevBits - 1) << c.shift
	return v >> (c.prevBits + c.curBits), prev, cur
}

// counterView is a value seen from an instant.
type counterView struct{ index, elapsed, prev, cur uint64 }

// view rolls the windows on to dt; a stale dt is clamped to the start of the
// stored window.
func (c *counter) view(v, dt uint64) counterView {
	index, elapsed := c.period.Div(dt)
	stored, prev, cur := c.unpack(v)
	switch {
	case index == stored:
		return counterView{index, elapsed, prev, cur}
	case index == stored+1:
		return counterView{index, elapsed, c.steps(cur) << c.shift, 0}
	case index > stored:
		return counterView{index, elapsed, 0, 0}
	}
	return counterView{stored, 0, prev, cur}
}

func (c *counter) Limit() Limit { return c.limit }
func (c *counter) Span() uint64 { return c.span }

func (c *counter) Take(v, dt uint64, n int64) (uint64, Outcome) {
	s := c.view(v, dt)
	d := c.decide(s, n)
	if !d.OK() {
		return v, d
	}
	s.cur += uint64(n)
	return c.pack(s.index, s.prev, s.cur), c.state(s)
}

func (c *counter) Peek(v, dt uint64, n int64) Outcome { return c.decide(c.view(v, dt), n) }

func (c *counter) decide(s counterView, n int64) Outcome {
	d := c.state(s)
	switch {
	case n <= 0 || n > c.limit.Tokens:
		return refused(d, n)
	case n > d.Remaining:
		d.Reason, d.RetryAfter = Denied, wait(c.retry(s, n))
	}
	return d
}

func (c *counter) state(s counterView) Outcome {
	d := Outcome{}
	d.Remaining = max(0, c.limit.Tokens-int64(s.cur)-int64(c.weighted(s)))
	switch {
	case s.cur != 0:
		d.ResetAfter = wait(2*c.period.d - s.elapsed)
	case s.prev != 0:
		d.ResetAfter = wait(c.period.d - s.elapsed)
	}
	return d
}

func (c *counter) weighted(s counterView) uint64 {
	if s.prev == 0 {
		return 0
	}
	return Weighted(s.prev, s.elapsed, c.period)
}

// Weighted returns prev · (period - elapsed) / period, rounded up: what a sliding
// window counter still counts of the window before. Most products fit 64 bits.
func Weighted(prev, elapsed uint64, period Divisor) uint64 {
	hi, lo := bits.Mul64(prev, period.d-elapsed)
	q, r := period.Div(lo)
	if hi != 0 {
		q, r = bits.Div64(hi, lo, period.d)
	}
	return q + min(r, 1)
}

// retry returns the least wait that admits n: in this window once previous has
// faded enough, else in the next one, where current has become previous, else
// in the one after that.
func (c *counter) retry(s counterView, n int64) uint64 {
	room := uint64(c.limit.Tokens - n)
	if s.cur <= room {
		if at := c.faded(s.prev, room-s.cur); at < c.period.d {
			return at - s.elapsed
		}
	}
	return c.period.d - s.elapsed + c.faded(c.steps(s.cur)<<c.shift, room)
}

// faded returns how long after a window's start the weight of prev is at most
// room: prev · (period - at) <= room · period.
func (c *counter) faded(prev, room uint64) uint64 {
	if prev <= room {
		return 0
	}
	hi, lo := bits.Mul64(room, c.period.d)
	return c.period.d - first(bits.Div64(hi, lo, prev))
}

// Return gives tokens of this window back first, then of the previous one.
func (c *counter) Return(v, dt uint64, n int64) uint64 {
	s := c.view(v, dt)
	if n <= 0 || s.cur == 0 && s.prev == 0 {
		return v
	}
	back := min(s.cur, uint64(n))
	s.cur -= back
	s.prev -= min(s.prev, uint64(n)-back)
	return c.pack(s.index, s.prev, s.cur)
}

func (c *counter) Idle(v, dt uint64) bool {
	now, _ := c.period.Div(dt)
	s := c.view(v, dt)
	return s.index == now && s.prev == 0 && s.cur == 0
}

func (c *counter) Fresh(dt uint64) uint64 {
	index, _ := c.period.Div(dt)
	return c.pack(index, 0, 0)
}

func (c *counter) Advance(dt uint64) uint64 { return windowAdvance(c.period, c.indexBits(), dt) }

func (c *counter) Rebase(v, delta uint64) uint64 {
	moved, _ := c.period.Div(delta)
	index, prev, cur := c.unpack(v)
	switch {
	case index >= moved:
		return c.pack(index-moved, prev, cur)
	case index+1 == moved:
		return c.pack(0, cur, 0)
	}
	return 0
}
