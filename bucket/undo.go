package bucket

import (
	"math/bits"
	"time"
)

// Taking back an admission that others may have seen is not Return. Return gives
// back tokens that were held and not used; Undo must leave a key as if the
// admission had never been, and where that is not known any more, no fuller.
//
// The tempting version, Return(v, dt, n), over-admits:
//
//	burst 10, 1/s, full at 0 s     A takes 10
//	at 5 s                         B takes 5
//	at 5 s                         A gives 10 back: 10 are left
//
// Without A the bucket would have been full at 5 s, had banked nothing, and
// only 5 would be left. So a bucket gives back n less what it earned meanwhile,
// the most that could have overflowed; a window gives back to the window that
// was charged, and only to that.

// Undo gives back what the bucket cannot have lost by overflow since.
func (s *spent) Undo(v, dt, elapsed, _ uint64, n int64) uint64 {
	k, fraction := s.earned(dt)
	hi, cost := bits.Mul64(uint64(n), s.unit.d)
	if n <= 0 || hi != 0 || v <= k || elapsed > s.span {
		return v
	}
	lost := s.earn.ceil(elapsed)
	if lost >= cost {
		return v
	}
	return max(v-min(v, cost-lost), min(v, k+fraction))
}

// Undo gives back to the window that was charged, if it still stands.
func (w *window) Undo(v, _, _, after uint64, n int64) uint64 {
	index, used := w.unpack(v)
	charged, _ := w.unpack(after)
	if n <= 0 || after == 0 || index != charged {
		return v
	}
	return w.pack(index, used-min(used, uint64(n)))
}

// Undo gives back to the window that was charged, current or previous by now.
func (c *counter) Undo(v, _, _, after uint64, n int64) uint64 {
	index, prev, cur := c.unpack(v)
	charged, _, current := c.unpack(after)
	if n <= 0 || after == 0 || index < charged {
		return v
	}
	age := index - charged
	if current == 0 {
		age++ // Rebase has made the charged window the previous one
	}
	switch age {
	case 0:
		cur -= min(cur, uint64(n))
	case 1:
		prev -= min(prev, uint64(n))
	}
	return c.pack(index, prev, cur)
}

// Undo removes n tokens that were admitted at an instant, wherever they are in
// the log. Tokens of one instant are alike. The newest instant stays: entries
// that had left by then were dropped, so an older one must not be believed again.
func (g *Log) Undo(at time.Duration, n int64) {
	end := g.held
	for end > 0 && g.at(end-1) > at {
		end--
	}
	start := end
	for start > 0 && int64(end-start) < n && g.at(start-1) == at {
		start--
	}
	for i := end; i < g.held; i++ {
		g.ring[g.position(start+i-end)] = g.at(i)
	}
	g.held -= end - start
}

// TakeMarked is Take that also returns what Undo asks for: the instant that n
// tokens were recorded at.
func (c *LogCell) TakeMarked(now time.Duration, n int64) (d Outcome, at time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed {
		return d, 0, false
	}
	d = c.log.Take(now, n)
	return d, c.log.newest, true
}

// Undo is Log.Undo. A sealed log has been dropped with all that it held.
func (c *LogCell) Undo(at time.Duration, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sealed {
		c.log.Undo(at, n)
	}
}
