package model

import (
	"math/big"
	"time"

	"github.com/limit64/limit64/bucket"
)

// windows remembers what each aligned window has used.
type windows struct {
	l      bucket.Limit
	used   map[int64]int64
	newest int64 // the latest window that was written to
}

func (w *windows) index(now time.Duration) int64 { return int64(now / w.l.Period) }

// clamp: a request of an earlier window counts as the start of the newest one.
func (w *windows) clamp(now time.Duration) time.Duration {
	if w.index(now) < w.newest {
		return time.Duration(w.newest) * w.l.Period
	}
	return now
}

func (w *windows) add(now time.Duration, n int64) {
	if w.used == nil {
		w.used = map[int64]int64{}
	}
	w.newest = w.index(w.clamp(now))
	w.used[w.newest] += n
}

// fixed is the fixed window.
type fixed struct{ windows }

func (f *fixed) free(now time.Duration) int64 {
	return f.l.Tokens - f.used[f.index(f.clamp(now))]
}
func (f *fixed) spend(now time.Duration, n int64) { f.add(now, n) }
func (f *fixed) giveBack(now time.Duration, n int64) {
	if used := f.used[f.index(f.clamp(now))]; used > 0 {
		f.add(now, -min(used, n))
	}
}
func (f *fixed) unused(now time.Duration) bool { return f.free(now) == f.l.Tokens }

// counter is the sliding window counter. What the previous window used counts
// in whole steps, rounded up; a step of 1 rounds nothing.
type counter struct {
	windows
	step int64
}

// NewStepped returns the model of a sliding window counter with such steps.
func NewStepped(l bucket.Limit, step int64) Model {
	return model{&counter{windows{l: l}, step}, l.Tokens}
}

// previous is what the window before i used.
func (c *counter) previous(i int64) int64 {
	return (c.used[i-1] + c.step - 1) / c.step * c.step
}

// estimate is previous · (period - elapsed) / period + current.
func (c *counter) estimate(now time.Duration) *big.Rat {
	now = c.clamp(now)
	i := c.index(now)
	elapsed := now - time.Duration(i)*c.l.Period
	e := big.NewRat(int64(c.l.Period-elapsed), int64(c.l.Period))
	e.Mul(e, big.NewRat(c.previous(i), 1))
	return e.Add(e, big.NewRat(c.used[i], 1))
}

func (c *counter) free(now time.Duration) int64 {
	left := new(big.Rat).Sub(big.NewRat(c.l.Tokens, 1), c.estimate(now))
	if left.Sign() < 0 {
		return 0
	}
	return new(big.Int).Quo(left.Num(), left.Denom()).Int64()
}
func (c *counter) spend(now time.Duration, n int64) { c.add(now, n) }
func (c *counter) giveBack(now time.Duration, n int64) {
	i := c.index(c.clamp(now))
	previous := c.previous(i)
	if c.used[i] == 0 && previous == 0 {
		return
	}
	current := min(n, c.used[i])
	c.add(now, -current)
	c.used[i-1] = previous - min(n-current, previous)
}
func (c *counter) unused(now time.Duration) bool { return c.estimate(now).Sign() == 0 }

// log is the sliding window log: the instant of every token, in order.
type log struct {
	l      bucket.Limit
	hits   []time.Duration
	newest time.Duration
}

func (g *log) clamp(now time.Duration) time.Duration { return max(now, g.newest) }

// inside returns the hits that a window ending at now still sees.
func (g *log) inside(now time.Duration) (hits []time.Duration) {
	now = g.clamp(now)
	for _, t := range g.hits {
		if now-t < g.l.Period {
			hits = append(hits, t)
		}
	}
	return hits
}

func (g *log) free(now time.Duration) int64 { return g.l.Tokens - int64(len(g.inside(now))) }
func (g *log) spend(now time.Duration, n int64) {
	g.newest = g.clamp(now)
	g.hits = g.inside(now)
	for range n {
		g.hits = append(g.hits, g.newest)
	}
}
func (g *log) giveBack(now time.Duration, n int64) {
	back := min(n, int64(len(g.inside(now))))
	g.hits = g.hits[:int64(len(g.hits))-back]
}
func (g *log) unused(now time.Duration) bool { return len(g.inside(now)) == 0 }
