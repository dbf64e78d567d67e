package main

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestKeysAreDistinct(t *testing.T) {
	keys := newKeys(10_000)
	evens := 0
	for _, k := range keys {
		require.Len(t, k, keyLen)
		if even(k) {
			evens++
		}
	}
	require.Equal(t, len(keys)/2, evens)
	require.Len(t, slices.Compact(inserted(keys)), len(keys))
	require.NotEqual(t, keys, inserted(keys))
}

// The share of the most frequent key of a Zipf distribution is 1/sum(k^-s).
func TestZipfIsZipf(t *testing.T) {
	const n = 1000
	sum := 0.0
	for k := 1; k <= n; k++ {
		sum += math.Pow(float64(k), -1.1)
	}
	keys := newKeys(n)
	counts := map[string]int{}
	for _, k := range sequence(keys, zipf) {
		counts[k]++
	}
	share := func(i int) float64 { return float64(counts[keys[i]]) / zipfDraws }
	require.InDelta(t, 1/sum, share(0), 0.005)
	require.InDelta(t, math.Pow(10, -1.1)/sum, share(9), 0.002)
	require.Equal(t, keys, sequence(keys, uniform))
}

// Through the very code that is timed, every peer admits the share that the
// outcome says.
func TestShareAdmittedIsAsComputed(t *testing.T) {
	keys := newKeys(200)
	for outcome, want := range map[string]float64{admitted: 1, denied: 0, mixed: 0.5} {
		t.Run(outcome, func(t *testing.T) {
			limiters(t, func(t *testing.T, p Peer) {
				l := opened(p, outcome, len(keys))
				defer shut(l)
				fill(l, keys)
				got := drive(l, keys, 4, 2*time.Millisecond)
				require.NotZero(t, got.asked)
				// Goroutines stop after a batch, not after a lap over the keys;
				// that and a CAS loop that throttled gives up move the share a little.
				require.InDelta(t, want, got.share(), 0.1)
			})
		})
	}
}

// recorder says yes and remembers whom it was asked about.
type recorder struct {
	mu    sync.Mutex
	asked map[string]int64
}

func (r *recorder) Allow(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[key]++
	return true
}

func TestDriveCountsEveryDecision(t *testing.T) {
	keys := newKeys(100)
	r := &recorder{asked: map[string]int64{}}
	got := drive(r, keys, 3, time.Millisecond)
	sum := int64(0)
	for _, n := range r.asked {
		sum += n
	}
	require.Equal(t, sum, got.asked)
	require.Equal(t, sum, got.admitted)
	require.GreaterOrEqual(t, got.took, time.Millisecond)
}

func TestAskVisitsInTurn(t *testing.T) {
	keys := newKeys(batch)
	r := &recorder{asked: map[string]int64{}}
	over := new(atomic.Bool)
	stopping := stopAfter{r, over, 2 * batch}
	asked, admitted := ask(&stopping, keys, 7, over)
	require.EqualValues(t, 2*batch, asked)
	require.EqualValues(t, 2*batch, admitted)
	for _, k := range keys {
		require.EqualValues(t, 2, r.asked[k])
	}
}

// stopAfter ends a trial at its last decision.
type stopAfter struct {
	Limiter
	over *atomic.Bool
	left int
}

func (s *stopAfter) Allow(key string) bool {
	if s.left--; s.left == 0 {
		s.over.Store(true)
	}
	return s.Limiter.Allow(key)
}

func TestStallsAreSorted(t *testing.T) {
	took := whileFlooded(limit64Exact, newKeys(100))
	require.GreaterOrEqual(t, len(took), 100)
	require.True(t, slices.IsSorted(took))
	require.Equal(t, float64(took[0]), quantile(took, 0))
	require.Equal(t, float64(took[len(took)-1]), quantile(took, 1))
}
