package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

// The five algorithms with a capacity of 10 and a minute to regain it.
var holdLimits = []Limit{
	TokenBucket(10, time.Minute), LeakyBucket(10, time.Minute), FixedWindow(10, time.Minute),
	SlidingCounter(10, time.Minute), SlidingLog(10, time.Minute),
	TokenBucket(999_983, time.Second, Burst(10)), // rounded
}

func heldEngine(t *testing.T, l Limit, c Config) (*Engine, *ManualClock) {
	clock := Manual()
	clock.Set(90*time.Second + 1)
	c.Limit, c.Clock = l, clock
	e, err := New(c)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e, clock
}

// decisions is what a key answers from now on, and its very word where it has one.
func decisions(e *Engine, key string) (all []Decision, word uint64) {
	for _, later := range []time.Duration{0, 1, time.Second, 25 * time.Second, time.Minute, 2 * time.Minute} {
		all = append(all, e.PeekAt(key, 5, e.Now()+later), e.PeekAt(key, 10, e.Now()+later))
	}
	if e.words != nil {
		if _, slot := e.words.table.Find(e.words.table.Hash(key), key); slot != nil {
			word = slot.Load()
		}
	}
	return all, word
}

// Nobody came in between: the word is what it was, bit for bit, however much time
// has passed, also where the bucket was full.
func TestReleaseRestoresTheWord(t *testing.T) {
	for _, l := range holdLimits {
		for _, used := range []int64{0, 1, 6} {
			t.Run(fmt.Sprint(l, used), func(t *testing.T) {
				e, clock := heldEngine(t, l, Config{})
				e.Take("k", max(used, 1)) // there is a word
				if used == 0 {
					clock.Add(10 * time.Minute) // and it is full
				}
				clock.Add(time.Second)
				before, word := decisions(e, "k")
				for range 3 {
					var h hold
					require.True(t, held(e, "k", 4, &h).OK())
					e.release("k", 4, &h)
					after, restored := decisions(e, "k")
					require.Equal(t, before, after)
					require.Equal(t, word, restored)
				}
				var h hold
				require.True(t, held(e, "k", 4, &h).OK())
				clock.Add(3 * time.Second)
				e.release("k", 4, &h)
				_, restored := decisions(e, "k")
				require.Equal(t, word, restored)
			})
		}
	}
}

// Others came in between, or the table moved the word: what they took stays
// taken, and the admission is gone.
func TestReleaseAmongOthers(t *testing.T) {
	split := func(t *testing.T, e *Engine) {
		for i := range 3000 {
			e.Take(fmt.Sprint("other", i), 1)
		}
		require.True(t, e.words == nil || e.Stats().Splits > 0)
	}
	for _, l := range holdLimits[:5] {
		for name, meanwhile := range map[string]func(t *testing.T, e *Engine){
			"nothing": func(*testing.T, *Engine) {},
			"split":   split,
		} {
			t.Run(fmt.Sprint(l, name), func(t *testing.T) {
				e, _ := heldEngine(t, l, Config{})
				reference, _ := heldEngine(t, l, Config{})
				var a, b hold
				require.True(t, held(e, "k", 3, &a).OK())
				require.True(t, held(e, "k", 2, &b).OK())
				require.True(t, e.Take("k", 4).OK)
				require.False(t, e.Take("k", 2).OK, "held tokens are taken")
				meanwhile(t, e)
				require.True(t, reference.Take("k", 4).OK)
				e.release("k", 3, &a)
				e.release("k", 2, &b)
				want, _ := decisions(reference, "k")
				got, _ := decisions(e, "k")
				require.Equal(t, want, got)
				require.Zero(t, e.Peek("nobody", 1).ResetAfter)
			})
		}
	}
}

// The same when the base has moved in between: the units are the new base's.
func TestReleaseAfterAMoveOfTheBase(t *testing.T) {
	l := TokenBucket(999_983, time.Second, Burst(1_000_000))
	e, clock := heldEngine(t, l, Config{})
	clock.Set(time.Duration(e.words.plans.Span()))
	var h hold
	require.True(t, held(e, "k", 900_000, &h).OK())
	clock.Add(time.Microsecond) // one token, and beyond the span
	require.True(t, e.Take("k", 1).OK)
	require.NotZero(t, e.Stats().Rebases)
	e.release("k", 900_000, &h)
	require.InDelta(t, 999_998, e.Peek("k", 1).Remaining, 1.01)
	require.Less(t, e.Peek("k", 1).Remaining, int64(1_000_000))
}

// A new key that was decided on a shared bucket gives back to that, never to a
// word of its own that it got meanwhile.
func TestReleaseOfASharedBucket(t *testing.T) {
	for _, l := range holdLimits[:5] {
		e, clock := heldEngine(t, l, Config{MaxKeys: 1, Overflow: ShareNew})
		require.True(t, e.Take("resident", 5).OK)
		var h hold
		require.True(t, held(e, "k", 4, &h).OK())
		require.True(t, e.Take("another", 5).OK)
		require.False(t, e.Take("another", 2).OK)
		e.release("k", 4, &h)
		require.EqualValues(t, 4, e.Take("another", 1).Remaining, "%v", l)

		require.True(t, held(e, "k", 4, &h).OK())
		clock.Add(10 * time.Minute)
		require.True(t, e.Take("k", 5).OK, "the resident has become idle and made room")
		require.Equal(t, 1, e.Len())
		e.release("k", 4, &h)
		require.EqualValues(t, 5, e.Peek("k", 1).Remaining, "%v", l)
	}
}

// Only what was admitted can be released.
func TestReleaseOfNothing(t *testing.T) {
	for _, l := range holdLimits {
		e, _ := heldEngine(t, l, Config{MaxKeys: 1, Overflow: AdmitNew})
		require.True(t, e.Take("resident", 8).OK)
		for _, n := range []int64{-1, 0, 3, 11} {
			var h hold
			require.False(t, held(e, "resident", n, &h).OK())
			e.release("resident", n, &h)
		}
		var h hold
		require.Equal(t, bucket.Untracked, held(e, "new", 3, &h).Reason)
		require.True(t, e.Forget("resident"))
		require.True(t, e.Take("new", 5).OK)
		e.release("new", 3, &h)
		require.EqualValues(t, 5, e.Peek("new", 1).Remaining)
	}
}

// The clock moves on while an admission is held and others take: it is given
// back to nobody else's account, and a bucket does not bank what it would have
// lost.
func TestReleaseWhenTimeHasPassed(t *testing.T) {
	for _, row := range []struct {
		l         Limit
		pass      time.Duration
		remaining int64 // as without the admission
	}{
		{PerSecond(1, Burst(10)), 5 * time.Second, 5},
		{LeakyBucket(1, time.Second, Burst(10)), 5 * time.Second, 5},
		{FixedWindow(10, time.Minute), time.Minute, 5},
		{SlidingCounter(10, time.Minute), time.Minute, 5},
		{SlidingCounter(10, time.Minute), 2 * time.Minute, 5},
		{SlidingLog(10, time.Minute), time.Minute, 5},
	} {
		e, clock := heldEngine(t, row.l, Config{})
		var h hold
		require.True(t, held(e, "k", 5, &h).OK())
		clock.Add(row.pass)
		require.True(t, e.Take("k", 5).OK)
		e.release("k", 5, &h)
		require.Equal(t, row.remaining, e.Peek("k", 1).Remaining, "%v", row.l)
	}
}

// held is hold at the engine's own now, without the capacity.
func held(e *Engine, key string, n int64, h *hold) bucket.Outcome {
	o, _ := e.hold(key, n, e.Now(), h)
	return o
}
