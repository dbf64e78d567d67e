package bucket

import (
	"sync"
	"time"
)

// cellTurns are the turns of a cell and their lock. Takes never come here.
type cellTurns struct {
	mu    sync.Mutex
	turns *Turns
}

// cellWord is the cell's word in the state that was loaded last.
type cellWord struct {
	c *Cell
	s *cellState
}

func (w *cellWord) Load(now time.Duration) (v uint64, base time.Duration, ok bool) {
	w.s, v, _ = w.c.load(now)
	return v, w.s.base, true
}

func (w *cellWord) CompareAndSwap(old, next uint64) bool { return w.s.word.CompareAndSwap(old, next) }

// ReserveAt takes n tokens for a turn that comes within longest, or none and says
// when it could: see Rule.Reserve. A token or leaky bucket hands out a promise, by
// which CancelAt gives the turn back; windows grant only what needs no wait, and
// their promise is nil. It blocks for as long as another turn of the cell is
// granted or given back, and allocates the promise.
func (c *Cell) ReserveAt(n int64, longest, now time.Duration) (Turn, *Promise) {
	t := c.promises()
	if t == nil {
		d := c.TakeAt(n, now)
		return Turn{Delay: d.RetryAfter, RetryAfter: d.RetryAfter, Reason: d.Reason}, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	turn, p, _ := t.turns.Reserve(&cellWord{c: c}, n, longest, now)
	return turn, p
}

// CancelAt gives a turn back as far as the turns that are kept allow, see Turns,
// and reports whether it could: neither twice nor after the turn's instant. It
// blocks like ReserveAt.
func (c *Cell) CancelAt(p *Promise, now time.Duration) bool {
	t := c.turns.Load()
	if t == nil || p == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turns.Cancel(&cellWord{c: c}, p, now)
}

func (t *cellTurns) giveBack(c *Cell, n int64, now time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns.Return(&cellWord{c: c}, n, now)
}

// promises returns the cell's turns, nil where none are promised ahead.
func (c *Cell) promises() *cellTurns {
	if t := c.turns.Load(); t != nil || c.rule == nil {
		return t
	}
	turns := NewTurns(c.rule)
	if turns == nil {
		return nil
	}
	c.turns.CompareAndSwap(nil, &cellTurns{turns: turns})
	return c.turns.Load()
}
