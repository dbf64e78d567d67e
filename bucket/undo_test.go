package bucket_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

// undoable is one bucket of any algorithm whose admissions can be undone.
type undoable interface {
	take(now time.Duration, n int64) (ok bool, undo func(now time.Duration))
	peek(now time.Duration, n int64) bucket.Outcome
}

// undoableWord moves its base by itself, as tables do.
type undoableWord struct {
	rule bucket.Rule
	base time.Duration
	v    uint64
}

func (w *undoableWord) since(now time.Duration) uint64 {
	if dt := bucket.Since(now, w.base); dt > w.rule.Span() {
		w.move(w.rule.Advance(dt))
	}
	return bucket.Since(now, w.base)
}

func (w *undoableWord) move(delta uint64) {
	w.v, w.base = w.rule.Rebase(w.v, delta), w.base+time.Duration(delta)
}

func (w *undoableWord) peek(now time.Duration, n int64) bucket.Outcome {
	return bucket.PeekAt(w.rule, w.v, bucket.Since(now, w.base), n)
}

func (w *undoableWord) take(at time.Duration, n int64) (bool, func(time.Duration)) {
	after, o := w.rule.Take(w.v, w.since(at), n)
	w.v = after
	base := w.base
	return o.OK(), func(now time.Duration) {
		dt := w.since(now)
		w.v = w.rule.Undo(w.v, dt, bucket.Since(now, at), w.rule.Rebase(after, bucket.Since(w.base, base)), n)
	}
}

type undoableLog struct{ bucket.LogCell }

func (g *undoableLog) peek(now time.Duration, n int64) bucket.Outcome {
	o, _ := g.Peek(now, n)
	return o
}

func (g *undoableLog) take(now time.Duration, n int64) (bool, func(time.Duration)) {
	o, at, _ := g.TakeMarked(now, n)
	return o.OK(), func(time.Duration) { g.Undo(at, n) }
}

func newUndoable(t *testing.T, l bucket.Limit) undoable {
	if l.Algorithm == bucket.SlidingLogAlgorithm {
		return &undoableLog{*bucket.NewLogCell(l, 0)}
	}
	rule, err := bucket.NewRule(l)
	require.NoError(t, err)
	return &undoableWord{rule: rule}
}

func undoLimits() []bucket.Limit {
	return []bucket.Limit{
		bucket.TokenBucket(10, 10*time.Second), bucket.LeakyBucket(7, time.Second, bucket.Burst(12)),
		bucket.FixedWindow(10, 10*time.Second), bucket.SlidingCounter(10, 10*time.Second), bucket.SlidingLog(10, 10*time.Second),
		bucket.TokenBucket(999_999_937, time.Second, bucket.Burst(9)), // rounded units; its base moves
		bucket.SlidingCounter(1<<40, time.Hour),                       // steps
		bucket.SlidingCounter(1<<20, 1<<20), bucket.FixedWindow(1<<30, 1<<30),
	}
}

// The world with admissions that are undone later never admits what the world
// without them denies, however long the undoing takes and whatever happens
// meanwhile.
func TestUndoNeverOverAdmits(t *testing.T) {
	steps := 20_000
	if testing.Short() {
		steps = 4_000
	}
	for i, l := range undoLimits() {
		t.Run(l.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, uint64(i)))
			with, without := newUndoable(t, l), newUndoable(t, l)
			var pending []func(time.Duration)
			now, undone, taken := time.Duration(0), 0, 0
			fill := max(4, int64(float64(l.Period)*float64(l.Capacity())/float64(l.Tokens)))
			for step := range steps {
				if rng.IntN(3) == 0 {
					now += time.Duration(rng.Int64N(fill / 2))
				}
				if word, ok := with.(*undoableWord); ok && rng.IntN(500) == 0 && word.rule.Span() < 1<<50 {
					// Close to where the base moves.
					now = max(now, word.base+time.Duration(word.rule.Span())-time.Duration(rng.Int64N(fill)))
				}
				at, n := now, 1+rng.Int64N(l.Capacity()/2)
				if isBucket(l) && rng.IntN(4) == 0 {
					at -= min(at, time.Duration(rng.Int64N(fill/2)))
				}
				switch rng.IntN(4) {
				case 0:
					if ok, undo := with.take(at, n); ok {
						pending = append(pending, undo)
					}
				case 1:
					if len(pending) > 0 {
						j := rng.IntN(len(pending))
						pending[j](now)
						pending = append(pending[:j], pending[j+1:]...)
						undone++
					}
				default:
					if ok, _ := with.take(at, n); ok {
						ok, _ = without.take(at, n)
						require.True(t, ok, "step %d: %d admitted at %d", step, n, at)
						taken++
					}
				}
				require.LessOrEqual(t, with.peek(now, 1).Remaining, without.peek(now, 1).Remaining, "step %d", step)
			}
			require.Greater(t, undone, steps/100)
			require.Greater(t, taken, steps/100)
		})
	}
}

// Undone before the clock moves, in any order, an admission has never been, also
// when the bucket was full.
func TestUndoAtOnceIsExact(t *testing.T) {
	for i, l := range undoLimits()[:5] {
		t.Run(l.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(12, uint64(i)))
			with, without := newUndoable(t, l), newUndoable(t, l)
			now := time.Duration(0)
			for range 2_000 {
				now += time.Duration(rng.Int64N(int64(l.Period) / 2))
				var pending []func(time.Duration)
				for range 1 + rng.IntN(3) {
					if ok, undo := with.take(now, 1+rng.Int64N(3)); ok {
						pending = append(pending, undo)
					}
					n := 1 + rng.Int64N(3)
					if ok, _ := with.take(now, n); ok {
						without.take(now, n)
					}
				}
				rng.Shuffle(len(pending), func(i, j int) { pending[i], pending[j] = pending[j], pending[i] })
				for _, undo := range pending {
					undo(now)
				}
				for _, later := range []time.Duration{0, 1, l.Period / 3, l.Period, 2*l.Period - 1} {
					require.Equal(t, without.peek(now+later, 2), with.peek(now+later, 2), "at %v + %v", now, later)
				}
			}
		})
	}
}

// A window that has gone takes its charge along; the next one gets nothing.
func TestUndoAfterTheWindow(t *testing.T) {
	for _, l := range []bucket.Limit{bucket.FixedWindow(10, 100), bucket.SlidingCounter(10, 100), bucket.SlidingLog(10, 100)} {
		b := newUndoable(t, l)
		_, undo := b.take(50, 4)
		b.take(270, 3)
		before := b.peek(270, 1)
		undo(270)
		require.Equal(t, before, b.peek(270, 1), "%v", l)
	}
	b := newUndoable(t, bucket.SlidingCounter(10, 100))
	_, undo := b.take(50, 4)
	b.take(50, 2)
	b.take(150, 3) // half of 6 still weighs
	require.EqualValues(t, 4, b.peek(150, 1).Remaining)
	undo(150)
	require.EqualValues(t, 6, b.peek(150, 1).Remaining)

	rule := b.(*undoableWord).rule
	first, _ := rule.Take(0, 50, 4)
	moved := rule.Rebase(first, 100) // the charged window is the previous one now
	require.Zero(t, rule.Peek(rule.Undo(moved, 0, 50, moved, 4), 0, 1).ResetAfter)
	second, _ := rule.Take(moved, 0, 3)
	require.EqualValues(t, 7, rule.Peek(rule.Undo(second, 0, 50, moved, 4), 0, 1).Remaining)
	require.Equal(t, second, rule.Undo(second, 0, 50, rule.Rebase(first, 200), 4), "gone")
}
