package bucket_test

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/stretchr/testify/require"
)

// promise is a granted turn of a test: in the cell, and in the model.
type promise struct {
	p  *bucket.Promise
	g  *model.Grant
	at time.Duration
	n  int64
}

// turnScript draws reservations and cancellations, in any order, on top of a
// script's instants and costs.
type turnScript struct {
	*script
	held []promise
	turn bucket.Turn
}

func (s *turnScript) longest() time.Duration {
	d := s.turn.Delay
	all := []time.Duration{0, -1, d, d, d - 1, d + 1, s.l.Period, 3 * s.l.Period, math.MaxInt64, math.MinInt64, time.Duration(s.rng.Int64N(int64(s.l.Period) + 1))}
	return min(all[s.rng.IntN(len(all))], 1<<60) // a model searches: it needs room
}

// far says that a turn lies beyond what a model, which searches, is asked for.
func (s *turnScript) far() bool { return s.now > 1<<61 }

// differTurns runs reservations on a cell and on the replay of what was kept: every
// answer is the same. Tokens that are taken at once are reservations, too, here.
func differTurns(t *testing.T, l bucket.Limit, s *turnScript, rule bucket.Rule, steps int) (cancelled int) {
	c, m := cellOf(t, l), model.NewTurns(l, bucket.Units(rule), bucket.Horizon(rule))
	c.ReserveAt(0, 0, 0) // from here on it keeps a list, like the model
	for i := range steps {
		now, n, op := s.next()
		if s.far() {
			return cancelled
		}
		switch {
		case op == 0:
			c.ReturnAt(n, now)
			m.Return(now, n)
		case op <= 3 && len(s.held) > 0:
			h := s.held[s.rng.IntN(len(s.held))]
			ok := c.CancelAt(h.p, now)
			require.Equal(t, m.Cancel(now, h.g), ok, "step %d: %v: cancel the turn at %d at %d", i, l, h.at, now)
			if ok {
				cancelled++
			}
		default:
			longest := s.longest()
			want, g := m.Reserve(now, n, longest)
			var p *bucket.Promise
			s.turn, p = c.ReserveAt(n, longest, now)
			require.Equal(t, want, s.turn, "step %d: %v: reserve %d at %d within %d", i, l, n, now, longest)
			require.Equal(t, s.turn.OK(), p != nil)
			if p != nil {
				s.held = append(s.held, promise{p: p, g: g, at: now + s.turn.Delay, n: n})
			}
		}
		s.last = c.PeekAt(n, now)
		require.Equal(t, m.Peek(now, n), s.last, "step %d: %v: peek %d at %d", i, l, n, now)
	}
	return cancelled
}

func everyBucket() []bucket.Limit {
	return slices.DeleteFunc(everyLimit(), func(l bucket.Limit) bool { return !isBucket(l) })
}

// newTurnScript starts half of the scripts where the base is about to move.
func newTurnScript(t testing.TB, l bucket.Limit, seed uint64) (*turnScript, bucket.Rule) {
	rule, err := bucket.NewRule(l)
	require.NoError(t, err)
	s := &turnScript{script: scriptWithin(l, rule, seed)}
	if seed%2 == 0 && rule.Span() < 1<<60 {
		s.now = time.Duration(rule.Span()) - time.Duration(s.rng.Int64N(int64(min(uint64(l.Period), rule.Span()))))
	}
	return s, rule
}

func TestTurnsEqualTheReplayOfThoseKept(t *testing.T) {
	seed, rounds, steps, cancelled := rand.Uint64(), 6, 150, 0
	if testing.Short() {
		rounds, steps = 2, 60
	}
	t.Logf("seed %d", seed)
	for _, l := range everyBucket() {
		t.Run(l.String(), func(t *testing.T) {
			for i := range rounds {
				s, rule := newTurnScript(t, l, seed+uint64(i))
				cancelled += differTurns(t, l, s, rule, steps)
			}
		})
	}
	require.NotZero(t, cancelled)
}

func TestTurnsOfDrawnLimitsEqualTheReplay(t *testing.T) {
	seed, limits := rand.Uint64(), 200
	if testing.Short() {
		limits = 20
	}
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 9))
	for range limits {
		for a := bucket.TokenBucketAlgorithm; a <= bucket.LeakyBucketAlgorithm; a++ {
			l := bucket.DrawLimit(rng, a)
			s, rule := newTurnScript(t, l, rng.Uint64())
			differTurns(t, l, s, rule, 40)
		}
	}
}

// Any token or leaky bucket, any reservations: no panic, and the model's answers.
func FuzzTurns(f *testing.F) {
	for i, l := range everyBucket() {
		f.Add(l.Algorithm == bucket.LeakyBucketAlgorithm, l.Tokens, int64(l.Period), l.Burst, []byte{byte(i), 0, 70, 0, 9, 200, 100, 50, 255, 255, 0, 0})
	}
	f.Fuzz(func(t *testing.T, shapes bool, tokens, period, burst int64, operations []byte) {
		l := bucket.TokenBucket(tokens, time.Duration(period), bucket.Burst(burst))
		if shapes {
			l.Algorithm = bucket.LeakyBucketAlgorithm
		}
		if l.Validate() != nil {
			return
		}
		s, rule := newTurnScript(t, l, uint64(len(operations)))
		s.rng = rand.New(&tape{operations, rand.NewPCG(1, 1)})
		differTurns(t, l, s, rule, min(40, 4+len(operations)/8))
	})
}

// Takes that no list knows of, between turns and cancellations: burst + T·rate holds
// over all turns that were kept and all that was taken.
func TestC1HoldsOverKeptTurns(t *testing.T) {
	seed, steps, kept := rand.Uint64(), 300, 0
	if testing.Short() {
		steps = 80
	}
	t.Logf("seed %d", seed)
	for _, l := range everyBucket() {
		s, _ := newTurnScript(t, l, seed)
		s.stale = 0
		c, taken := cellOf(t, l), []promise{}
		for range steps {
			now, n, op := s.next()
			if s.far() {
				break
			}
			switch {
			case op <= 4 && len(s.held) > 0:
				i := s.rng.IntN(len(s.held))
				if c.CancelAt(s.held[i].p, now) {
					s.held = slices.Delete(s.held, i, i+1)
				}
			case op <= 7:
				if s.last = c.TakeAt(n, now); s.last.OK {
					taken = append(taken, promise{at: now, n: n})
				}
			default:
				var p *bucket.Promise
				if s.turn, p = c.ReserveAt(n, s.longest(), now); p != nil {
					s.held = append(s.held, promise{p: p, at: now + s.turn.Delay, n: n})
				}
			}
		}
		all := append(taken, s.held...)
		slices.SortFunc(all, func(a, b promise) int { return cmp.Compare(a.at, b.at) })
		for i := range all {
			total := new(big.Int)
			for j := i; j < min(len(all), i+40); j++ {
				total.Add(total, big.NewInt(all[j].n))
				if new(big.Rat).SetInt(total).Cmp(bound(l, all[i].at, all[j].at)) > 0 {
					t.Fatalf("%v: %v pass from %d to %d", l, total, all[i].at, all[j].at)
				}
			}
		}
		kept += len(s.held)
	}
	require.NotZero(t, kept)
}

// A refusal leaves the value as it was, and its RetryAfter is exact, whether the
// turn would be too late or beyond the horizon; also where the base moves.
func TestRefusedTurns(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	horizons := 0
	for i, l := range everyBucket() {
		rule, err := bucket.NewRule(l)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		v := uint64(0)
		for range 100 {
			n := 1 + rng.Int64N(l.Capacity())
			longest := []time.Duration{0, time.Duration(rng.Int64N(int64(l.Period))), math.MaxInt64}[rng.IntN(3)]
			dt := rng.Uint64N(min(rule.Span(), 1<<61))
			next, turn := rule.Reserve(v, dt, n, longest)
			require.LessOrEqual(t, next, uint64(bucket.MaxValue))
			if turn.OK() {
				require.Zero(t, turn.RetryAfter)
				require.LessOrEqual(t, turn.Delay, longest)
				v = next
				continue
			}
			require.Equal(t, v, next)
			at := dt + uint64(turn.RetryAfter)
			if turn.RetryAfter > 1<<62 || at > 1<<62 {
				continue
			}
			require.Positive(t, turn.RetryAfter)
			if turn.Delay <= longest {
				horizons++
			}
			require.False(t, reserves(rule, v, at-1, n, longest), "%v: %d within %d at %d", l, n, longest, dt)
			require.True(t, reserves(rule, v, at, n, longest), "%v: %d within %d at %d", l, n, longest, dt)
		}
	}
	require.NotZero(t, horizons)
}

// reserves moves the base where it must.
func reserves(r bucket.Rule, v, dt uint64, n int64, longest time.Duration) bool {
	if dt > r.Span() {
		delta := r.Advance(dt)
		v, dt = r.Rebase(v, delta), dt-delta
	}
	_, turn := r.Reserve(v, dt, n, longest)
	return turn.OK()
}

func TestTurnsOfWindows(t *testing.T) {
	for _, l := range []bucket.Limit{bucket.FixedWindow(2, sec), bucket.SlidingCounter(2, sec), bucket.SlidingLog(2, sec)} {
		c := cellOf(t, l)
		for range 2 {
			turn, p := c.ReserveAt(1, time.Hour, 0)
			require.Equal(t, bucket.Turn{}, turn)
			require.Nil(t, p)
			require.False(t, c.CancelAt(p, 0))
		}
		want := c.PeekAt(1, 0).RetryAfter
		turn, _ := c.ReserveAt(1, time.Hour, 0)
		require.Equal(t, bucket.Turn{Delay: want, RetryAfter: want, Reason: bucket.Denied}, turn, "%v", l)
	}
}

// turnsAt reserves n tokens k times at an instant and returns when they come.
func turnsAt(c *bucket.Cell, k int, n int64, now time.Duration) (at []time.Duration, ps []*bucket.Promise) {
	for range k {
		turn, p := c.ReserveAt(n, math.MaxInt64, now)
		at, ps = append(at, now+turn.Delay), append(ps, p)
	}
	return at, ps
}

func TestTurnRows(t *testing.T) {
	third := func(i int64) time.Duration { return time.Duration(i * int64(sec) / 3) }
	for _, row := range []struct {
		name  string
		limit bucket.Limit
		n     int64
		want  []time.Duration
	}{
		{"a token bucket lends its burst", bucket.PerSecond(1, bucket.Burst(3)), 1, []time.Duration{0, 0, 0, sec, 2 * sec}},
		{"a leaky bucket shapes from the first turn on", bucket.LeakyBucket(1, sec, bucket.Burst(3)), 1, []time.Duration{0, sec, 2 * sec, 3 * sec}},
		{"n tokens take n intervals", bucket.LeakyBucket(10, sec), 3, []time.Duration{0, 300 * ms, 600 * ms, 900 * ms}},
		{"n tokens of a bucket", bucket.PerSecond(10, bucket.Burst(4)), 3, []time.Duration{0, 200 * ms, 500 * ms, 800 * ms}},
		{"no rounding adds up", bucket.LeakyBucket(3, sec), 1, []time.Duration{0, third(1), third(2), sec, third(4), third(5), 2 * sec}},
		{"a whole bucket keeps the bound and is rounded up", bucket.PerSecond(3, bucket.Burst(1)), 1, []time.Duration{0, third(1) + 1, 2 * (third(1) + 1)}},
	} {
		at, _ := turnsAt(cellOf(t, row.limit), len(row.want), row.n, 0)
		require.Equal(t, row.want, at, row.name)
	}
	// A million turns of a rate that divides nothing are off by no more than one.
	c := cellOf(t, bucket.LeakyBucket(999_983, sec))
	at, _ := turnsAt(c, 999_984, 1, 0)
	require.Equal(t, sec, at[999_983])
}

// Two turns of the same instant would pass at once with a burst of one, if the
// first one's token came back while the second is kept.
func TestCancelKeepsTheBoundOfKeptTurns(t *testing.T) {
	c := cellOf(t, bucket.PerSecond(1, bucket.Burst(1)))
	at, ps := turnsAt(c, 3, 1, 0)
	require.Equal(t, []time.Duration{0, sec, 2 * sec}, at)
	require.True(t, c.CancelAt(ps[1], ms))
	next, p := c.ReserveAt(1, math.MaxInt64, ms)
	require.Equal(t, 3*sec-ms, next.Delay)
	require.True(t, c.CancelAt(p, ms))
	require.True(t, c.CancelAt(ps[2], ms))
	require.False(t, c.CancelAt(ps[2], ms), "twice")
	next, _ = c.ReserveAt(1, math.MaxInt64, ms)
	require.Equal(t, sec-ms, next.Delay, "both came back")
	require.False(t, c.CancelAt(ps[0], ms), "it has passed")

	// More comes back than was taken: the bucket was full then, and stays no fuller
	// when the turn that held it is cancelled.
	c = cellOf(t, bucket.PerSecond(1, bucket.Burst(10)))
	require.True(t, c.TakeAt(1, 99*sec+500*ms).OK)
	_, ps = turnsAt(c, 1, 1, 100*sec)
	c.ReturnAt(9, 100*sec)
	turnsAt(c, 1, 5, 90*sec)
	require.True(t, c.CancelAt(ps[0], 100*sec))
	require.EqualValues(t, 5, c.PeekAt(1, 100*sec).Remaining)

	// No tokens given back is no call: its instant passes no turn.
	c = cellOf(t, bucket.PerSecond(1, bucket.Burst(1)))
	_, ps = turnsAt(c, 2, 1, 0)
	c.ReturnAt(0, time.Hour)
	c.ReturnAt(-1, time.Hour)
	require.True(t, c.CancelAt(ps[1], ms))

	// Return is held to the same: the turn at 1 s is kept.
	c = cellOf(t, bucket.PerSecond(1, bucket.Burst(1)))
	turnsAt(c, 2, 1, 0)
	c.ReturnAt(1, ms)
	next, _ = c.ReserveAt(1, math.MaxInt64, ms)
	require.Equal(t, 2*sec-ms, next.Delay)
}

// The bucket is full again when four tokens are taken at 14 s, if only the turns
// that were kept had ever been: what they took cannot come back with the last turn.
func TestCancelKeepsWhatWasTakenMeanwhile(t *testing.T) {
	c := cellOf(t, bucket.PerSecond(1, bucket.Burst(10)))
	require.True(t, c.TakeAt(10, 0).OK)
	first, p := c.ReserveAt(10, time.Hour, 0)
	require.Equal(t, 10*sec, first.Delay)
	second, q := c.ReserveAt(5, time.Hour, 0)
	require.Equal(t, 15*sec, second.Delay)
	require.True(t, c.CancelAt(p, 5*sec))
	require.True(t, c.TakeAt(4, 14*sec).OK)
	require.True(t, c.CancelAt(q, 14*sec))
	require.EqualValues(t, 6, c.PeekAt(1, 14*sec).Remaining)
}

// A turn far ahead keeps those behind it in the list, merged once they have passed.
func TestListOfTurnsIsBounded(t *testing.T) {
	c := cellOf(t, bucket.PerSecond(1, bucket.Burst(1000)))
	_, ps := turnsAt(c, 2, 1000, 0)
	_, far := turnsAt(c, 1, 1, 0)
	require.True(t, c.CancelAt(ps[1], 1))
	for i := range time.Duration(20_000) {
		now := 500*sec + i*ms
		require.True(t, c.TakeAt(1, now).OK)
		c.ReturnAt(1, now)
		turn, _ := c.ReserveAt(1, 0, now)
		require.True(t, turn.OK())
		c.ReturnAt(1, now)
		require.LessOrEqual(t, bucket.TurnsHeld(c), 20)
	}
	require.True(t, c.CancelAt(far[0], 600*sec))
	require.EqualValues(t, 600, c.PeekAt(1, 600*sec).Remaining)
}

// Forward, backward, mixed: the word is what it was before the turns.
func TestCancelOrder(t *testing.T) {
	for _, l := range everyBucket() {
		for order := range 3 {
			c := cellOf(t, l)
			c.TakeAt(l.Capacity(), 0)
			before := c.PeekAt(1, 0)
			_, ps := turnsAt(c, 20, 1, 0)
			_, more := turnsAt(c, 3, max(1, l.Capacity()/64), 0)
			ps = slices.DeleteFunc(append(ps, more...), func(p *bucket.Promise) bool { return p == nil })
			switch order {
			case 1:
				slices.Reverse(ps)
			case 2:
				rand.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
			}
			for _, p := range ps {
				require.True(t, c.CancelAt(p, 0))
			}
			require.Equal(t, before, c.PeekAt(1, 0), "%v", l)
		}
	}
}

// A debt is no staleness: waits are exact, and nothing is remaining.
func TestC4RetryAfterWithDebts(t *testing.T) {
	for _, l := range everyBucket() {
		c := cellOf(t, l)
		_, ps := turnsAt(c, 4, l.Capacity(), 0)
		for _, n := range []int64{1, l.Capacity()} {
			d := c.TakeAt(n, 1)
			if ps[1] == nil || d.RetryAfter > 1<<62 {
				continue
			}
			require.Zero(t, d.Remaining)
			require.False(t, c.PeekAt(n, d.RetryAfter).OK, "%v: 1 ns early", l)
			require.True(t, c.PeekAt(n, 1+d.RetryAfter).OK, "%v", l)
			require.NotZero(t, c.PeekAt(n, d.ResetAfter).ResetAfter, "%v", l)
			require.Zero(t, c.PeekAt(n, 1+d.ResetAfter).ResetAfter, "%v", l)
		}
	}
}
