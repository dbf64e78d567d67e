package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// A batch is decided like its requests one by one, with keys that repeat, costs
// that cannot fit, new keys, and a table that is full.
func TestTakeBatchIsTakeInOrder(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		for _, overflow := range []engine.Overflow{engine.DenyNew, engine.AdmitNew, engine.ShareNew} {
			c := engine.Config{Limit: l, MaxKeys: 300, Overflow: overflow}
			one, many := newEngine(t, c), newEngine(t, c)
			rng := rand.New(rand.NewPCG(5, uint64(overflow)))
			now := time.Duration(0)
			for _, size := range []int{0, 1, 2, 63, 64, 65, 500, 1000} {
				batch := make([]engine.Request, size)
				for i := range batch {
					batch[i] = engine.Request{Key: fmt.Sprint("key", rng.IntN(400)), N: rng.Int64N(13) - 1}
				}
				now += time.Duration(rng.Int64N(int64(time.Minute)))
				many.TakeBatchAt(batch, now)
				for i, r := range batch {
					require.Equal(t, one.TakeAt(r.Key, r.N, now), r.Decision, "%d of %d", i, size)
				}
			}
			require.Equal(t, one.Stats(), many.Stats())
		}
	})
}

func TestTakeBatchDoesNotAllocate(t *testing.T) {
	batch := make([]engine.Request, 100)
	for i := range batch {
		batch[i] = engine.Request{Key: fmt.Sprint(i), N: spent}
	}
	for _, noStats := range []bool{true, false} {
		if raceDetector && !noStats {
			continue // the counters' sync.Pool drops things at random then
		}
		e := newEngine(t, engine.Config{Limit: generous, NoStats: noStats})
		e.TakeBatch(batch)
		require.Zero(t, testing.AllocsPerRun(100, func() { e.TakeBatch(batch) }))
	}
}

// BenchmarkTakeBatch reports nanoseconds per request, one by one and in batches
// of 64, in turns, and how many times as fast a batch is.
func BenchmarkTakeBatch(b *testing.B) {
	for _, n := range sizes() {
		keys := keysOf(n)
		for _, stats := range []bool{false, true} {
			b.Run(fmt.Sprintf("keys=%d/stats=%v", n, stats), func(b *testing.B) {
				e := newEngine(b, engine.Config{Limit: generous, MaxKeys: n, NoStats: !stats, Clock: engine.Manual()})
				for _, k := range inserted(keys) {
					e.Take(k, spent)
				}
				const rounds, perRound = 4, 1 << 16
				var one, many time.Duration
				var batch [64]engine.Request
				at := 0
				next := func() string {
					at = (at + 1) % n
					return keys[at]
				}
				for b.Loop() {
					for range rounds {
						start := time.Now()
						for range perRound {
							e.Take(next(), 1)
						}
						one += time.Since(start)
						start = time.Now()
						for range perRound / len(batch) {
							for i := range batch {
								batch[i].Key, batch[i].N = next(), 1
							}
							e.TakeBatch(batch[:])
						}
						many += time.Since(start)
					}
				}
				requests := float64(b.N) * rounds * perRound
				b.ReportMetric(float64(one)/requests, "one-ns/req")
				b.ReportMetric(float64(many)/requests, "batch-ns/req")
				b.ReportMetric(float64(one)/float64(many), "speedup")
			})
		}
	}
}
