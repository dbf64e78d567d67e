package shard

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A key in words is the same key as its bytes: the same hash, the same slot.
func TestWordsAreTheirBytes(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, o := range []Options{{}, {HashBits: 4}} {
		table := New(countRules{lifetime: 1 << 60}, o)
		for i := range 2_000 {
			words, hashOf := Uint64(rng.Uint64()>>rng.IntN(64)), table.HashUint64
			if i%2 == 0 {
				words, hashOf = Uint128(rng.Uint64()>>rng.IntN(64), rng.Uint64()), table.HashUint128
			}
			key := string(words.Append(nil))
			require.Len(t, key, words.len)
			hash := table.Hash(key)
			require.Equal(t, hash, hashOf(words), "seed %d: %x", seed, key)

			_, slot, status := table.Acquire(hash, key, 0, 0)
			require.Equal(t, Tracked, status)
			slot.CompareAndSwap(0, 1) // not idle
			if _, slot = table.Find(hash, key); slot == nil {
				require.NotZero(t, o.HashBits, "only a weak hash spills so few")
				continue
			}
			require.Same(t, slot, table.Epoch(hash).ProbeWords(hash, words))
			require.True(t, slot.HoldsWords(hash, words))
			other := words
			other.b++
			require.False(t, slot.HoldsWords(hash, other))
			other.b, other.len = words.b, 24-words.len
			require.False(t, slot.HoldsWords(hash, other))
			other.len = words.len
			require.False(t, slot.HoldsWords(hash^1<<63, other))
		}
	}
	require.Equal(t, "\x01\x02\x03\x04\x05\x06\x07\x08", string(Uint64(0x0102030405060708).Append(nil)))
	require.Equal(t, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10",
		string(Uint128(0x0102030405060708, 0x090a0b0c0d0e0f10).Append(nil)))
}
