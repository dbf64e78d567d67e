package engine

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/puzpuzpuz/xsync/v3"
)

// RefusedError is the error of a Wait that took nothing, since its turn would come
// too late or never.
type RefusedError struct {
	Key    string
	N      int64
	Reason Reason
	// Delay is the wait that would have been needed; Never when none helps.
	Delay time.Duration
}

func (e *RefusedError) Error() string {
	if e.Reason == Denied {
		return fmt.Sprintf("limit64: %d tokens of %q: the turn comes in %v, after the deadline", e.N, e.Key, e.Delay)
	}
	return fmt.Sprintf("limit64: %d tokens of %q: %v", e.N, e.Key, e.Reason)
}

// Unwrap returns context.DeadlineExceeded when the turn comes too late.
func (e *RefusedError) Unwrap() error {
	if e.Reason == Denied {
		return context.DeadlineExceeded
	}
	return nil
}

// Wait takes n tokens of key and returns when its turn has come: nil, or the
// context's error when that ends first, and then nothing is taken. A context that
// has ended, and a deadline before the turn, refuse at once; the RefusedError of the
// latter is a context.DeadlineExceeded. A cost that can never fit, or a new key
// that finds the table full, is refused at once with its reason.
//
// Turns come in the order of the calls. Under a token or leaky bucket each caller
// has a turn of its own, see Reserve, and sleeps until then. Under a window or log,
// which promise nothing ahead, callers of the same key stand in line; the first
// sleeps until there is room, and a deadline is checked against the least wait that
// is known. No caller polls.
//
// On a Manual clock a wait ends when the clock is set. Any other clock must run as
// fast as a time.Timer.
func (e *Engine) Wait(ctx context.Context, key string, n int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.lines.formed(key) {
		return e.waitInLine(ctx, key, n)
	}
	r, ahead := e.reserve(key, n, patience(ctx), e.Now())
	switch {
	case r.OK():
		return e.waitForTurn(ctx, &r)
	case !ahead && r.Reason == Denied && r.Delay <= patience(ctx):
		return e.waitInLine(ctx, key, n)
	}
	return &RefusedError{key, n, r.Reason, r.Delay}
}

// patience is how long a context may wait.
func patience(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return max(0, time.Until(deadline))
	}
	return math.MaxInt64
}

func (e *Engine) waitForTurn(ctx context.Context, r *Reservation) error {
	if r.Delay == 0 {
		return nil
	}
	err := e.sleep(ctx, r.At)
	if err != nil && !r.Cancel() && e.Now() >= r.At {
		return nil // it has come at the same time
	}
	return err
}

// waitInLine waits until all who came before have had their turn, and then for
// room. Only the first in line asks, so everybody's least wait is the first's.
func (e *Engine) waitInLine(ctx context.Context, key string, n int64) error {
	place := e.lines.join(key)
	defer e.lines.leave(key)
	select {
	case place <- struct{}{}:
		defer func() { <-place }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		now := e.Now()
		// Looking first keeps what is only waited for out of the statistics.
		d := e.PeekAt(key, n, now)
		if d.OK {
			d = e.TakeAt(key, n, now)
		}
		switch {
		case d.OK:
			return nil
		case d.Reason != Denied || d.RetryAfter > patience(ctx):
			return &RefusedError{key, n, d.Reason, d.RetryAfter}
		}
		if err := e.sleep(ctx, now+d.RetryAfter); err != nil {
			return err
		}
	}
}

// sleep returns at an instant of the engine's clock, or with the context's error.
func (e *Engine) sleep(ctx context.Context, until time.Duration) error {
	if manual, ok := e.clock.(*ManualClock); ok {
		return manual.wait(ctx, until)
	}
	timer := time.NewTimer(until - e.Now())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lines are where callers wait for keys that promise no turns. The place at the
// front is a channel with room for one: those who wait for it get it in the order
// in which they came.
type lines struct{ keys *xsync.MapOf[string, line] }

type line struct {
	front  chan struct{}
	length int
}

func newLines() lines { return lines{xsync.NewMapOf[string, line]()} }

func (l lines) formed(key string) bool {
	_, formed := l.keys.Load(key)
	return formed
}

func (l lines) join(key string) chan struct{} {
	joined, _ := l.keys.Compute(strings.Clone(key), func(was line, formed bool) (line, bool) {
		if !formed {
			was.front = make(chan struct{}, 1)
		}
		was.length++
		return was, false
	})
	return joined.front
}

func (l lines) leave(key string) {
	l.keys.Compute(key, func(was line, _ bool) (line, bool) {
		was.length--
		return was, was.length == 0
	})
}
