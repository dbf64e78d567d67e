package bucket

import "math/bits"

// window is the fixed window: [window index | used], with as many bits for used
// as the limit needs. Windows start at multiples of the period from the base,
// and the base only moves by whole windows. A stale index is clamped to the
// stored one.
type window struct {
	period   Divisor
	usedBits int
	span     uint64
	limit    Limit
}

func newWindow(l Limit, most int64) *window {
	w := &window{limit: l, period: NewDivisor(uint64(l.Period)), usedBits: bits.Len64(uint64(max(l.Tokens, most)))}
	w.span = windowSpan(ValueBits-w.usedBits, uint64(l.Period))
	return w
}

// windowSpan is the last dt whose window index fits in so many bits.
func windowSpan(indexBits int, period uint64) uint64 {
	hi, lo := bits.Mul64(1<<indexBits, period)
	if hi != 0 || lo > MaxValue {
		return MaxValue
	}
	return lo - 1
}

func (w *window) pack(index, used uint64) uint64 { return index<<w.usedBits | used }

func (w *window) unpack(v uint64) (index, used uint64) {
	return v >> w.usedBits, v & (1<<w.usedBits - 1)
}

// view returns the window that dt falls in, or the stored one when dt is stale,
// the nanoseconds gone since its start, and what is used of it.
func (w *window) view(v, dt uint64) (index, elapsed, used uint64) {
	index, elapsed = w.period.Div(dt)
	stored, used := w.unpack(v)
	switch {
	case index > stored:
		return index, elapsed, 0
	case index < stored:
		return stored, 0, used
	}
	return index, elapsed, used
}

func (w *window) Limit() Limit { return w.limit }
func (w *window) Span() uint64 { return w.span }

func (w *window) Take(v, dt uint64, n int64) (uint64, Outcome) {
	index, elapsed, used := w.view(v, dt)
	d := w.decide(elapsed, used, n)
	if !d.OK() {
		return v, d
	}
	used += uint64(n)
	return w.pack(index, used), w.state(elapsed, used)
}

func (w *window) Peek(v, dt uint64, n int64) Outcome {
	_, elapsed, used := w.view(v, dt)
	return w.decide(elapsed, used, n)
}

func (w *window) decide(elapsed, used uint64, n int64) Outcome {
	d := w.state(elapsed, used)
	switch {
	case n <= 0 || n > w.limit.Tokens:
		return refused(d, n)
	case n > d.Remaining:
		d.Reason, d.RetryAfter = Denied, wait(w.period.d-elapsed)
	}
	return d
}

func (w *window) state(elapsed, used uint64) Outcome {
	d := Outcome{Remaining: max(0, w.limit.Tokens-int64(used))} // more was used before the limit was lowered
	if used != 0 {
		d.ResetAfter = wait(w.period.d - elapsed)
	}
	return d
}

func (w *window) Return(v, dt uint64, n int64) uint64 {
	index, _, used := w.view(v, dt)
	if n <= 0 || used == 0 {
		return v
	}
	return w.pack(index, used-min(used, uint64(n)))
}

func (w *window) Idle(v, dt uint64) bool {
	now, _ := w.period.Div(dt)
	index, used := w.unpack(v)
	return index < now || index == now && used == 0
}

func (w *window) Fresh(dt uint64) uint64 {
	index, _ := w.period.Div(dt)
	return w.pack(index, 0)
}

func (w *window) Advance(dt uint64) uint64 {
	return windowAdvance(w.period, ValueBits-w.usedBits, dt)
}

// windowAdvance moves the base by whole windows so that dt falls in the middle
// of the indices that fit.
func windowAdvance(period Divisor, indexBits int, dt uint64) uint64 {
	index, _ := period.Div(dt)
	return (index - min(index, 1<<indexBits/2)) * period.d
}

func (w *window) Rebase(v, delta uint64) uint64 {
	moved, _ := w.period.Div(delta)
	index, used := w.unpack(v)
	if index < moved {
		return 0
	}
	return w.pack(index-moved, used)
}
