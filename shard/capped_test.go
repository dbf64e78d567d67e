package shard

import (
	"fmt"
	"math/rand/v2"
	"testing"

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
