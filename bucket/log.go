package bucket

import (
	"sync"
	"sync/atomic"
	"time"
)

// LogOverhead is the most bytes that a key's log takes beside 8 per token.
const LogOverhead = 104

// LogBytes is the most memory that one key of a sliding window log takes.
func LogBytes(l Limit) int64 { return 8*l.Tokens + LogOverhead }

// Log is the sliding window log: the instants of the tokens admitted in the
// last window, oldest first, in a ring that grows with use up to the limit. A
// hit at t leaves at t + window exactly. Finding the first live entry is a
// binary search; admitting n tokens writes n entries.
//
// A Log is not safe for concurrent use; see [LogCell].
type Log struct {
	ring   []time.Duration
	head   int           // position of the oldest entry
	held   int           // entries in the ring; the oldest of them may have left
	newest time.Duration // no instant before it is believed (stale callers)
	limit  Limit
}

// NewLog returns an empty log of a valid sliding window limit. Instants before
// born count as born.
func NewLog(l Limit, born time.Duration) Log { return Log{limit: l, newest: max(born, 0)} }

// Take decides about n tokens at now and records them when it admits.
func (g *Log) Take(now time.Duration, n int64) Outcome {
	now = max(now, g.newest)
	left := g.left(now)
	d := g.decide(now, left, n)
	if !d.OK() {
		return d
	}
	g.drop(left)
	g.push(now, int(n))
	g.newest = now
	d.Remaining -= n
	d.ResetAfter = g.limit.Period
	return d
}

// Peek returns what Take would answer, without recording anything; Remaining
// and ResetAfter describe the log as it is.
func (g *Log) Peek(now time.Duration, n int64) Outcome {
	now = max(now, g.newest)
	return g.decide(now, g.left(now), n)
}

func (g *Log) decide(now time.Duration, left int, n int64) Outcome {
	inside := g.held - left
	free := g.limit.Tokens - int64(inside) // below 0 when the limit was lowered
	d := Outcome{Remaining: max(0, free)}
	if inside > 0 {
		d.ResetAfter = g.leaves(g.held-1, now)
	}
	switch {
	case n <= 0 || n > g.limit.Tokens:
		return refused(d, n)
	case n > free:
		d.Reason = Denied
		// The last of the entries that must go is not the newest one.
		d.RetryAfter = g.leaves(left+int(n-free)-1, now)
	}
	return d
}

// Return takes back the newest n tokens that are still inside the window.
func (g *Log) Return(now time.Duration, n int64) {
	now = max(now, g.newest)
	if inside := g.held - g.left(now); n > 0 {
		g.held -= int(min(int64(inside), n))
	}
}

// SetLimit changes the limit at now: what was admitted in the last window of the
// new one counts, as far as it is still remembered.
func (g *Log) SetLimit(l Limit, now time.Duration) {
	g.newest = max(g.newest, now)
	g.drop(g.left(g.newest)) // what has left does not come back in a longer window
	g.limit = l
	if most := max(g.held, int(l.Tokens)); len(g.ring) > most {
		g.resize(most)
	}
}

// Idle reports whether nothing is inside the window at now.
func (g *Log) Idle(now time.Duration) bool {
	return now >= g.newest && g.left(now) == g.held
}

func (g *Log) at(i int) time.Duration { return g.ring[g.position(i)] }

// position returns where entry i lies in the ring.
func (g *Log) position(i int) int {
	if i += g.head; i >= len(g.ring) {
		i -= len(g.ring)
	}
	return i
}

// leaves returns how long after now entry i leaves the window.
func (g *Log) leaves(i int, now time.Duration) time.Duration {
	return g.limit.Period - (now - g.at(i))
}

// left returns how many of the oldest entries have left the window at now.
func (g *Log) left(now time.Duration) int {
	lo, hi := 0, g.held
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if g.leaves(mid, now) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (g *Log) drop(n int) {
	g.held -= n
	if g.head += n; g.head >= len(g.ring) {
		g.head -= len(g.ring)
	}
}

func (g *Log) push(now time.Duration, n int) {
	if g.held+n > len(g.ring) {
		g.grow(g.held + n)
	}
	for i := range n {
		g.ring[g.position(g.held+i)] = now
	}
	g.held += n
}

func (g *Log) grow(need int) {
	g.resize(int(min(int64(max(need, 2*len(g.ring))), g.limit.Tokens)))
}

func (g *Log) resize(size int) {
	ring := make([]time.Duration, size)
	for i := range g.held {
		ring[i] = g.at(i)
	}
	g.ring, g.head = ring, 0
}

// LogCell is a Log that goroutines share: a mutex guards every step, so all
// methods block for as long as another step on the same key takes. Its seal is
// what the top bit of a word is to the other algorithms: a sealed log has been
// forgotten, nothing is decided on it any more, and the key is looked up again.
type LogCell struct {
	mu       sync.Mutex
	sealed   bool
	log      Log
	capacity atomic.Int64
}

// NewLogCell returns the log of a key that is born at an instant.
func NewLogCell(l Limit, born time.Duration) *LogCell {
	c := &LogCell{log: NewLog(l, born)}
	c.capacity.Store(l.Tokens)
	return c
}

// RestoreLogCell returns a log that has admitted a token at each of the instants,
// oldest first, which it keeps.
func RestoreLogCell(l Limit, born time.Duration, admitted []time.Duration) *LogCell {
	c := NewLogCell(l, born)
	c.log.ring, c.log.held = admitted, len(admitted)
	if n := len(admitted); n > 0 {
		c.log.newest = max(c.log.newest, admitted[n-1])
	}
	return c
}

// Admitted returns the instants of the tokens that are in the log, oldest first.
func (c *LogCell) Admitted() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	admitted := make([]time.Duration, c.log.held)
	for i := range admitted {
		admitted[i] = c.log.at(i)
	}
	return admitted
}

// Capacity returns the tokens of the limit.
func (c *LogCell) Capacity() int64 { return c.capacity.Load() }

// SetLimit is Log.SetLimit. On a sealed log it changes nothing.
func (c *LogCell) SetLimit(l Limit, now time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sealed {
		c.log.SetLimit(l, now)
		c.capacity.Store(l.Tokens)
	}
}

// Take is Log.Take; ok is false when the log is sealed and nothing was decided.
func (c *LogCell) Take(now time.Duration, n int64) (d Outcome, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed {
		return d, false
	}
	return c.log.Take(now, n), true
}

// Peek is Log.Peek; ok is false when the log is sealed.
func (c *LogCell) Peek(now time.Duration, n int64) (d Outcome, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed {
		return d, false
	}
	return c.log.Peek(now, n), true
}

// Return is Log.Return; ok is false when the log is sealed.
func (c *LogCell) Return(now time.Duration, n int64) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.sealed {
		c.log.Return(now, n)
	}
	return !c.sealed
}

// SealIdle seals the log when it is idle at now and reports whether it did.
func (c *LogCell) SealIdle(now time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sealed || !c.log.Idle(now) {
		return false
	}
	c.sealed = true
	return true
}

// Seal seals the log whatever it holds and reports whether this call did it.
func (c *LogCell) Seal() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.sealed
	c.sealed = true
	return !was
}
