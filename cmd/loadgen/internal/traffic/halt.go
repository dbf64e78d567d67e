package traffic

import (
	"sync/atomic"
	"time"
)

// halt ends a phase early or in time, also for those who sleep.
type halt struct {
	now atomic.Bool // set once
	c   chan struct{}
}

func newHalt() *halt { return &halt{c: make(chan struct{})} }

// set may be called from anywhere, any number of times.
func (h *halt) set() {
	if h.now.CompareAndSwap(false, true) {
		close(h.c)
	}
}

func (h *halt) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-h.c:
	}
}
