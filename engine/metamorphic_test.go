package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/script"
	"github.com/stretchr/testify/require"
)

// What must not matter: how many shards there are, which path decides, whether idle
// keys are forgotten. One script, played under each, gets the same decisions.
func TestDecisionsDoNotDependOnTheTable(t *testing.T) {
	steps := 4_000
	if testing.Short() {
		steps = 800
	}
	for number, l := range pathLimits {
		t.Run(l.String(), func(t *testing.T) {
			ops := script.Draw(rand.New(rand.NewPCG(uint64(number), 3)), steps, 200, l.Capacity(), min(l.Period, time.Hour))
			var first []engine.Decision
			var firstHow string
			for _, depth := range []int{0, 2, 6} {
				for _, generic := range []bool{false, true} {
					for _, sweeps := range []bool{false, true} {
						how := fmt.Sprintf("%d shards, generic path %v, sweeps %v", 1<<depth, generic, sweeps)
						got := play(t, engine.WithDepth(engine.Config{Limit: l}, depth), ops, generic, sweeps)
						if first == nil {
							first, firstHow = got, how
						}
						for i := range got {
							require.Equal(t, first[i], got[i], "%s, and %s: decision %d", firstHow, how, i)
						}
					}
				}
			}
		})
	}
}

// play returns the decisions of a script.
func play(t *testing.T, c engine.Config, ops []script.Op, generic, sweeps bool) (all []engine.Decision) {
	clock := engine.Manual()
	c.Clock = clock
	e := newEngine(t, c)
	now := time.Duration(0)
	for _, o := range ops {
		now += o.Step
		clock.Set(now)
		key := strings.Repeat("k", int(o.Key)%40) + fmt.Sprint(o.Key)
		switch o.Kind {
		case script.Take:
			if generic {
				all = append(all, engine.TakeGeneric(e, key, o.N, now))
			} else {
				all = append(all, e.Take(key, o.N))
			}
		case script.Peek:
			all = append(all, e.Peek(key, o.N))
		case script.Return:
			e.Return(key, o.N)
		case script.Forget:
			e.Forget(key)
		case script.Sweep:
			if sweeps {
				e.Sweep()
			}
		}
	}
	return all
}

// Nor does the clock matter, where they show the same instants: at whole
// milliseconds a coarse one has just moved on.
func TestDecisionsDoNotDependOnTheClock(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		synctest.Test(t, func(t *testing.T) {
			manual := engine.Manual()
			exact := newEngine(t, engine.Config{Limit: l, Clock: engine.Monotonic()})
			coarse := newEngine(t, engine.Config{Limit: l, Clock: engine.Coarse(time.Millisecond)})
			told := newEngine(t, engine.Config{Limit: l, Clock: manual})
			rng, admitted := rand.New(rand.NewPCG(8, 8)), 0
			for i := range 200 {
				d := time.Duration(rng.IntN(6_000)) * time.Millisecond
				time.Sleep(d)
				synctest.Wait()
				manual.Add(d)
				key, n := fmt.Sprint(rng.IntN(3)), 1+rng.Int64N(4)
				want := told.Take(key, n)
				require.Equal(t, want, exact.Take(key, n), i)
				require.Equal(t, want, coarse.Take(key, n), i)
				if want.OK {
					admitted++
				}
			}
			require.Greater(t, admitted, 20)
			require.Less(t, admitted, 180)
		})
	})
}
