package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/model"
	"github.com/stretchr/testify/require"
)

// Forgetting changes no answer (C7): hundreds of keys, swept at random instants
// and split as they come, are decided like as many exact models that forget
// nothing. The last limit moves its base now and then.
func TestKeysEqualTheirModelsWhateverIsForgotten(t *testing.T) {
	steps := 8_000
	if testing.Short() {
		steps = 1_500
	}
	limits := append([]engine.Limit{engine.TokenBucket(999_983, time.Second, engine.Burst(4))}, oneOfEach...)
	for _, l := range limits {
		t.Run(l.String(), func(t *testing.T) {
			const seed = 7
			rng := rand.New(rand.NewPCG(seed, seed))
			e := newEngine(t, engine.Config{Limit: l})
			models := map[string]model.Model{}
			now := time.Duration(0)
			for i := range steps {
				now += time.Duration(rng.Int64N(int64(l.Period) / 10))
				if rng.IntN(400) == 0 {
					now += 2 * time.Hour
				}
				key := fmt.Sprint(rng.IntN(60 + i/20))
				key += strings.Repeat("+", len(key)*len(key)) // some in slots, some in the arena
				m := models[key]
				if m == nil {
					m = model.New(l)
					models[key] = m
				}
				n := rng.Int64N(l.Capacity() + 2)
				switch rng.IntN(20) {
				case 0:
					e.SweepAt(now)
				case 1:
					e.ReturnAt(key, n, now)
					m.Return(now, n)
				case 2:
					require.Equal(t, m.Peek(now, n), e.PeekAt(key, n, now), "seed %d step %d key %q", seed, i, key)
				default:
					require.Equal(t, m.Take(now, n), e.TakeAt(key, n, now), "seed %d step %d key %q", seed, i, key)
				}
			}
			require.NotZero(t, e.Stats().Forgotten)
		})
	}
}
