package shard

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hashes that agree: a shard that cannot split because the directory is at its
// cap spills keys although slots are empty elsewhere. Each key keeps its word,
// and is counted once.
func TestKeysBeyondTheCapKeepTheirWords(t *testing.T) {
	tb := New(countRules{lifetime: forever}, Options{})
	rng := rand.New(rand.NewPCG(2, 2))
	hashes := make([]uint64, 5_000)
	for i := range hashes {
		hashes[i] = rng.Uint64() >> 42 << 20 // the same 22 bits on top, any home
	}
	for round := range 3 {
		for i, hash := range hashes {
			_, slot, status := tb.Acquire(hash, fmt.Sprint(i), 0, 1)
			require.Equal(t, Tracked, status)
			require.EqualValues(t, round, countOf(slot.Load()), "key %d", i)
			require.True(t, slot.CompareAndSwap(slot.Load(), slot.Load()+1))
		}
		require.Equal(t, len(hashes), tb.Len(), "round %d", round)
	}
}

// Thousands of keys with one hash are looked through by whoever inserts among them,
// and by a sweep of everything; inserts elsewhere do not pay for them.
func TestNobodyElsePaysForABurdenedShard(t *testing.T) {
	tb := New(countRules{lifetime: 10}, Options{})
	rng := rand.New(rand.NewPCG(3, 3))
	insert := func(hash uint64, key string, used, now time.Duration) {
		_, slot, status := tb.Acquire(hash, key, 0, now)
		require.Equal(t, Tracked, status)
		slot.word.Store(uint64(used)<<countBits | 1)
	}
	elsewhere := func(n int, name string, used, now time.Duration) {
		for i := range n {
			insert(1<<63|rng.Uint64()>>1>>hashShift<<hashShift, fmt.Sprint(name, i), used, now)
		}
	}
	const others, agree, more = 3_000, 3_000, 100 * insertsPerSweep
	elsewhere(others, "other", 95, 95)
	for i := range agree {
		insert(0, fmt.Sprint(i), 80, 85)
	}
	require.Greater(t, tb.Stats().Spilled, uint64(slotCount))
	elsewhere(more, "more", 100, 100)
	require.Equal(t, others+agree+more, tb.Len(), "some are idle, and nobody looked")
	tb.SweepAll(100)
	require.Equal(t, others+more, tb.Len())
}
