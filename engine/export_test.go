package engine

import "time"

// BetweenLimits makes a policy call a hook before it takes from each limit.
func BetweenLimits(p *Policy, hook func()) { p.hook = hook }

// Waiting returns how many keys have turns ahead, or a line.
func Waiting(e *Engine) int {
	n := e.lines.keys.Size()
	if e.words != nil {
		n += e.words.turns.keys.Size()
	}
	return n
}

// WithDepth returns a configuration whose table starts with 2^depth shards.
func WithDepth(c Config, depth int) Config {
	c.depth = depth
	return c
}

// TakeGeneric is TakeAt by the path that is written by hand.
func TakeGeneric(e *Engine, key string, n int64, now time.Duration) (d Decision) {
	e.takeGeneric(&d, key, n, now)
	return d
}
