package fuzz

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/limit64/limit64/fuzz/script"
	"github.com/stretchr/testify/require"
)

// limits are one of each algorithm, and of those whose base moves or whose units
// are rounded.
var limits = []engine.Limit{
	engine.TokenBucket(10, time.Minute),
	engine.LeakyBucket(3, time.Second, engine.Burst(7)),
	engine.FixedWindow(10, time.Minute),
	engine.SlidingCounter(10, time.Minute),
	engine.SlidingLog(10, time.Minute),
	engine.TokenBucket(999_983, time.Second, engine.Burst(4)),
	engine.TokenBucket(980_000_000, 10*time.Second, engine.Burst(100)),
	engine.SlidingCounter(33_000_000, time.Second),
}

// FuzzEngine plays a script on an engine, one goroutine, and on one exact model for
// each key, which forgets nothing (C7).
func FuzzEngine(f *testing.F) {
	for i, l := range limits {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		f.Add(uint8(i), script.Encode(nil, script.Draw(rng, 60, 5, l.Capacity(), 2*l.Period)...))
	}
	f.Fuzz(func(t *testing.T, number uint8, data []byte) {
		l := limits[int(number)%len(limits)]
		ops := script.Decode(data)
		if len(ops) > 300 {
			ops = ops[:300]
		}
		clock := engine.Manual()
		e := newEngine(t, engine.Config{Limit: l, Clock: clock})
		models := map[string]model.Model{}
		now := time.Duration(0)
		for i, o := range ops {
			if o.Step > math.MaxInt64/4-now { // 73 years
				return
			}
			now += o.Step
			clock.Set(now)
			key := keyOf(o.Key)
			m := models[key]
			if m == nil {
				m = model.New(l)
				models[key] = m
			}
			switch o.Kind {
			case script.Take:
				require.Equal(t, m.Take(now, o.N), e.TakeAt(key, o.N, now), "%v, step %d of\n%s", l, i, script.Text(ops[:i+1]))
			case script.Peek:
				require.Equal(t, m.Peek(now, o.N), e.PeekAt(key, o.N, now), "%v, step %d of\n%s", l, i, script.Text(ops[:i+1]))
			case script.Return:
				m.Return(now, o.N)
				e.ReturnAt(key, o.N, now)
			case script.Forget:
				delete(models, key)
				e.Forget(key)
			case script.Sweep:
				e.SweepAt(now)
			case script.Limit:
				// A change to the same limit changes nothing.
				require.NoError(t, e.SetLimit(l))
			}
		}
	})
}

// FuzzLimits plays a script whose limits change. No change hands out tokens: of a
// bucket in use no more is left than before, of a window or log no more than the
// limit was raised by. And whatever came before, waits are exact (C4).
func FuzzLimits(f *testing.F) {
	for i, l := range limits {
		rng := rand.New(rand.NewPCG(uint64(i), 4))
		ops := script.Draw(rng, 60, 3, l.Capacity(), 2*l.Period)
		for j := range ops {
			if j%5 == 4 {
				ops[j].Kind, ops[j].N = script.Limit, rng.Int64N(40)
			}
		}
		f.Add(uint8(i), script.Encode(nil, ops...))
	}
	f.Fuzz(func(t *testing.T, number uint8, data []byte) {
		l := limits[int(number)%len(limits)]
		bucket := l.Algorithm == limits[0].Algorithm || l.Algorithm == limits[1].Algorithm
		ops := script.Decode(data)
		if len(ops) > 200 {
			ops = ops[:200]
		}
		clock := engine.Manual()
		e := newEngine(t, engine.Config{Limit: l, Clock: clock})
		now := time.Duration(0)
		for i, o := range ops {
			if o.Step > math.MaxInt64/4-now {
				return
			}
			now += o.Step
			clock.Set(now)
			at := func() string {
				return fmt.Sprintf("%v, now %v, step %d of\n%s", l, e.Limit(), i, script.Text(ops[:i+1]))
			}
			key := keyOf(o.Key % 4)
			switch o.Kind {
			case script.Take, script.Peek:
				d := e.Take(key, o.N)
				if d.Reason == engine.Denied && d.RetryAfter < math.MaxInt64/4 {
					require.Greater(t, d.RetryAfter, time.Duration(0), at())
					require.False(t, e.PeekAt(key, o.N, now+d.RetryAfter-1).OK, "1 ns early: %s", at())
					require.True(t, e.PeekAt(key, o.N, now+d.RetryAfter).OK, at())
				}
				require.True(t, d.Remaining >= 0 && d.Remaining <= d.Limit, at())
			case script.Return:
				e.Return(key, o.N)
			case script.Forget:
				e.Forget(key)
			case script.Sweep:
				e.Sweep()
			case script.Limit:
				next := l
				next.Tokens = 1 + max(o.N, -o.N, 0)%(2*l.Tokens)
				if bucket {
					next.Burst = 1 + max(o.N, -o.N, 0)%(2*l.Capacity())
				}
				before := e.Peek(key, 1)
				raised := max(0, next.Capacity()-e.Limit().Capacity())
				if e.SetLimit(next) != nil {
					continue // a log beyond its bytes, windows without a common base
				}
				after := e.Peek(key, 1)
				switch {
				case before.ResetAfter == 0:
					require.Equal(t, next.Capacity(), after.Remaining, at())
				case bucket:
					require.LessOrEqual(t, after.Remaining, before.Remaining, at())
				default:
					require.LessOrEqual(t, after.Remaining, before.Remaining+raised, at())
				}
			}
		}
	})
}

func newEngine(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.New(c)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

// keyOf makes keys of every length that the table treats differently.
func keyOf(b uint8) string { return strings.Repeat(string([]byte{b}), int(b)%20) + string([]byte{b}) }
