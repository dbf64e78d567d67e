package engine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

func newRollout(tb testing.TB, percent float64) *engine.Rollout {
	tb.Helper()
	r, err := engine.NewRollout(percent)
	require.NoError(tb, err)
	return r
}

// The same key is always on the same side, another percentage moves keys one way
// only, and as many as it says.
func TestRolloutIsStable(t *testing.T) {
	const keys = 20_000
	enforced := make([]bool, keys)
	r, other := newRollout(t, 0), newRollout(t, 100)
	for _, percent := range []float64{0, 0.1, 1, 10, 50, 50.5, 99.9, 100} {
		require.NoError(t, r.Set(percent))
		require.NoError(t, other.Set(percent))
		count := 0
		for i := range keys {
			key := fmt.Sprint("key", i)
			now := r.Enforces(key)
			require.Equal(t, now, other.Enforces(key))
			require.False(t, enforced[i] && !now, "%v percent: %s was enforced and is not", percent, key)
			if enforced[i] = now; now {
				count++
			}
		}
		// Six standard deviations of so many coins.
		share := percent / 100
		require.InDelta(t, share*keys, count, 6*math.Sqrt(share*(1-share)*keys))
	}
	require.True(t, (*engine.Rollout)(nil).Enforces("k"))
}

func TestRolloutErrorsNameTheValue(t *testing.T) {
	r := newRollout(t, 100)
	for _, percent := range []float64{-1, -1e-9, 100.001, math.Inf(1), math.Inf(-1), math.NaN()} {
		require.ErrorContains(t, r.Set(percent), fmt.Sprint("limit64: rollout of ", percent, " percent"))
		require.True(t, r.Enforces("k"), "unchanged")
		none, err := engine.NewRollout(percent)
		require.Error(t, err)
		require.Nil(t, none)
	}
}

// A limit that only reports says what it would do, beside one that enforces: its
// words are charged as if it enforced, a denial of it writes nothing, and the
// statistics tell how many passed all the same.
func TestShadowBesideALimit(t *testing.T) {
	forEach(t, func(t *testing.T, strict engine.Limit) {
		clock := engine.Manual()
		live := newEngine(t, engine.Config{Limit: engine.FixedWindow(25, time.Minute), Clock: clock})
		shadow := newEngine(t, engine.Config{Limit: strict, Clock: clock})
		enforcing := newEngine(t, engine.Config{Limit: strict, Clock: clock})
		p := newPolicy(t, engine.Part{Name: "new", Engine: shadow, Rollout: newRollout(t, 0)}, engine.Part{Name: "live", Engine: live})
		for i := range 40 {
			as, before := enforcing.Take("k", 1), p.Peek("k", 1)
			d := p.Take("k", 1)
			switch {
			case i < 10:
				require.Equal(t, engine.Admitted, d.Reason)
				require.Equal(t, "new", d.Name)
			case i < 25:
				as.OK, as.Reason = true, engine.Shadowed
				require.Equal(t, engine.PolicyDecision{Decision: as, Name: "new"}, d)
				require.Equal(t, d, before)
			default:
				require.Equal(t, engine.Denied, d.Reason)
				require.Equal(t, "live", d.Name)
			}
			require.Equal(t, enforcing.Peek("k", 1), shadow.Peek("k", 1))
		}
		s := shadow.Stats()
		require.EqualValues(t, []uint64{10, 15, 15, 15}, []uint64{s.Admitted, s.Denied, s.Limited, s.Shadowed})
		s = live.Stats()
		require.EqualValues(t, []uint64{25, 15, 0}, []uint64{s.Admitted, s.Denied, s.Shadowed})
		require.True(t, engine.Shadowed.OK())
		require.Equal(t, "shadowed", engine.Shadowed.String())
	})
}

// At half of the keys, a policy of one limit enforces for those and reports for
// the others.
func TestRolloutByKey(t *testing.T) {
	e := newEngine(t, engine.Config{Limit: engine.FixedWindow(1, time.Hour), Clock: engine.Manual()})
	r := newRollout(t, 50)
	p := newPolicy(t, engine.Part{Name: "new", Engine: e, Rollout: r})
	shadowed := uint64(0)
	for i := range 1000 {
		key := fmt.Sprint(i)
		require.Equal(t, engine.Admitted, p.Take(key, 1).Reason)
		d := p.Take(key, 1)
		if r.Enforces(key) {
			require.Equal(t, engine.Denied, d.Reason)
			continue
		}
		require.Equal(t, engine.Shadowed, d.Reason)
		require.True(t, d.OK)
		shadowed++
		// What a limit that enforces would refuse for good passes, too, but for
		// what is no request.
		require.Equal(t, engine.Shadowed, p.Take(key, 2).Reason)
		require.Equal(t, engine.InvalidN, p.Take(key, 0).Reason)
		require.Equal(t, engine.InvalidN, p.Peek(key, -5).Reason)
		shadowed++
	}
	require.Equal(t, shadowed, e.Stats().Shadowed)
	require.InDelta(t, 1000, shadowed, 190)
}
