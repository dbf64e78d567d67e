package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Clock tells the instant of a decision: nanoseconds since the clock's start,
// never wall-clock time. Now must be safe for concurrent use. It need not be
// monotonic between goroutines: an instant that runs backwards is treated as the
// newest that the key knows.
type Clock interface {
	Now() time.Duration
}

type monotonic struct{ start time.Time }

// Monotonic returns the exact clock: time.Since of its start.
func Monotonic() Clock { return monotonic{time.Now()} }

var defaultClock = Monotonic()

func (m monotonic) Now() time.Duration { return time.Since(m.start) }

// MinResolution is the finest coarse clock.
const MinResolution = 50 * time.Microsecond

// CoarseClock shows the instant at which its goroutine last looked, so that
// reading it costs one atomic load. Engines start and stop it: the goroutine runs
// while any engine that was given the clock is open. When none is, Now reads the
// exact time.
type CoarseClock struct {
	shown      atomic.Int64 // written by run; notRunning while nobody runs
	start      time.Time
	resolution time.Duration

	mu    sync.Mutex // guards the rest
	users int
	stop  chan struct{}
	done  chan struct{}
}

const notRunning = -1

// Coarse returns a clock that moves on once every resolution; 0 means 1 ms, and
// New refuses less than MinResolution. Every contract holds with respect to the
// instants that it shows.
func Coarse(resolution time.Duration) *CoarseClock {
	if resolution == 0 {
		resolution = time.Millisecond
	}
	c := &CoarseClock{start: time.Now(), resolution: resolution}
	c.shown.Store(notRunning)
	return c
}

// Now returns the instant shown: lock-free, one atomic load.
func (c *CoarseClock) Now() time.Duration {
	if t := c.shown.Load(); t != notRunning {
		return time.Duration(t)
	}
	return c.exact() // not here: this function is inlined
}

func (c *CoarseClock) exact() time.Duration { return time.Since(c.start) }

func (c *CoarseClock) acquire() error {
	if c.resolution < MinResolution {
		return fmt.Errorf("limit64: clock resolution %v: must be at least %v", c.resolution, MinResolution)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users++; c.users == 1 {
		c.stop, c.done = make(chan struct{}), make(chan struct{})
		c.shown.Store(int64(time.Since(c.start)))
		go c.run(c.stop, c.done)
	}
	return nil
}

func (c *CoarseClock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users == 0 {
		close(c.stop)
		<-c.done
		c.shown.Store(notRunning)
	}
}

func (c *CoarseClock) run(stop, done chan struct{}) {
	defer close(done)
	tick := time.NewTicker(c.resolution)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			c.shown.Store(int64(time.Since(c.start)))
		}
	}
}

// ManualClock stands still until it is set: for tests and replays.
type ManualClock struct {
	now   atomic.Int64
	mu    sync.Mutex
	moved chan struct{} // closed at the next move; nil while nobody waits
}

// Manual returns a clock that shows 0.
func Manual() *ManualClock { return new(ManualClock) }

// Now returns the instant set last.
func (m *ManualClock) Now() time.Duration { return time.Duration(m.now.Load()) }

// Set shows an instant, which may be earlier than before.
func (m *ManualClock) Set(now time.Duration) {
	m.now.Store(int64(now))
	m.wake()
}

// Add moves the clock on.
func (m *ManualClock) Add(d time.Duration) {
	m.now.Add(int64(d))
	m.wake()
}

func (m *ManualClock) wake() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.moved != nil {
		close(m.moved)
		m.moved = nil
	}
}

// wait returns when the clock shows until, or with the context's error.
func (m *ManualClock) wait(ctx context.Context, until time.Duration) error {
	for {
		moved := m.next()
		if m.Now() >= until {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next returns a channel that is closed when the clock moves.
func (m *ManualClock) next() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.moved == nil {
		m.moved = make(chan struct{})
	}
	return m.moved
}
