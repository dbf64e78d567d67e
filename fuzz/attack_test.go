package fuzz

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// The primes of XXH64.
const (
	prime1 uint64 = 0x9e3779b185ebca87
	prime2 uint64 = 0xc2b2ae3d27d4eb4f
	prime4 uint64 = 0x85ebca77c2b2ae63
	prime5 uint64 = 0x27d4eb2f165667c5
)

// crafted returns keys of 16 bytes that all have the hash of the first. XXH64 takes
// their two words one after the other, each step of it can be undone, and it has no
// secret: for any first word the second one can be solved for.
func crafted(n int) []string {
	round := func(w uint64) uint64 { return bits.RotateLeft64(w*prime2, 31) * prime1 }
	mix := func(h, w uint64) uint64 { return bits.RotateLeft64(h^round(w), 27)*prime1 + prime4 }
	unmix := func(after, before uint64) (w uint64) {
		r := bits.RotateLeft64((after-prime4)*inverse(prime1), -27) ^ before
		return bits.RotateLeft64(r*inverse(prime1), -31) * inverse(prime2)
	}
	target := mix(mix(prime5+16, 0), 0)
	keys := make([]string, n)
	for i := range keys {
		var key [16]byte
		binary.LittleEndian.PutUint64(key[:], uint64(i))
		binary.LittleEndian.PutUint64(key[8:], unmix(target, mix(prime5+16, uint64(i))))
		keys[i] = string(key[:])
	}
	return keys
}

// inverse returns the number whose product with an odd x is 1 modulo 2^64, by
// Newton's method.
func inverse(x uint64) uint64 {
	y := x // right in 3 bits
	for range 5 {
		y *= 2 - x*y
	}
	return y
}

func TestCraftedKeysHaveOneHash(t *testing.T) {
	keys := crafted(10_000)
	seen := map[string]bool{}
	for _, k := range keys {
		require.Equal(t, xxhash.Sum64String(keys[0]), xxhash.Sum64String(k))
		seen[k] = true
	}
	require.Len(t, seen, len(keys))
}

// Hashes that agree: each key has its own balance (C8), those of others are left
// alone, and the directory does not grow for them.
func TestCraftedCollisions(t *testing.T) {
	for _, l := range limits[:5] {
		t.Run(l.String(), func(t *testing.T) {
			const at = time.Hour
			e := newEngine(t, engine.Config{Limit: l})
			keys, capacity := crafted(5_000), l.Capacity()
			for i := range 3_000 {
				require.True(t, e.TakeAt(fmt.Sprint("other", i), 1, at).OK)
			}
			before := e.Stats().Shards
			for i, k := range keys {
				require.Equal(t, capacity-1-int64(i)%2, e.TakeAt(k, 1+int64(i)%2, at).Remaining)
			}
			e.SweepAt(at)
			for i, k := range keys {
				require.Equal(t, capacity-1-int64(i)%2, e.PeekAt(k, 1, at).Remaining)
			}
			for i := range 3_000 {
				require.Equal(t, capacity-1, e.PeekAt(fmt.Sprint("other", i), 1, at).Remaining)
			}
			s := e.Stats()
			require.Equal(t, 8_000, s.Keys)
			require.LessOrEqual(t, s.Shards, before+32)
			if s.Shards > 0 { // not a log, whose map has a seed
				require.Greater(t, s.Spilled, uint64(4_000))
			}
			require.True(t, e.Forget(keys[4_999]))
			require.Equal(t, capacity, e.PeekAt(keys[4_999], 1, at).Remaining)
			require.Equal(t, capacity-1, e.PeekAt(keys[4_998], 1, at).Remaining)
		})
	}
}

// One-off keys, twenty for each that there is room for: memory stays within the
// bound, and a key that was there keeps its balance, under each policy.
func TestMemoryAttack(t *testing.T) {
	flood, most := 20_000_000, 1_000_000
	if testing.Short() {
		flood, most = 1_000_000, 50_000
	}
	for _, overflow := range []engine.Overflow{engine.DenyNew, engine.AdmitNew, engine.ShareNew} {
		t.Run(fmt.Sprint("policy", overflow), func(t *testing.T) {
			l := engine.TokenBucket(10, time.Hour)
			before := heap()
			e := newEngine(t, engine.Config{Limit: l, MaxKeys: most, Overflow: overflow})
			for range 10 {
				require.True(t, e.TakeAt("victim", 1, 0).OK)
			}
			admitted := uint64(0)
			for i := range uint64(flood) {
				if e.TakeUint64At(i, 1, time.Duration(i)).OK {
					admitted++
				}
			}
			require.LessOrEqual(t, e.Len(), most)
			require.False(t, e.TakeAt("victim", 1, 0).OK, "nothing that is in force is forgotten")
			perKey := float64(heap()-before) / float64(most)
			t.Logf("%.0f B a key that is held, %d admitted", perKey, admitted)
			require.Less(t, perKey, 100.0)
			s := e.Stats()
			switch overflow {
			case engine.DenyNew:
				require.EqualValues(t, most-1, admitted)
				require.EqualValues(t, flood-most+1, s.Saturated)
			case engine.AdmitNew:
				require.EqualValues(t, flood, admitted)
				require.EqualValues(t, flood-most+1, s.Untracked)
			case engine.ShareNew:
				// Each shard's shared bucket has a burst, and earns nothing much in
				// the milliseconds that the flood takes.
				require.LessOrEqual(t, admitted, uint64(most)-1+11*uint64(s.Shards))
				require.EqualValues(t, flood-most+1, s.Shared)
			}
			runtime.KeepAlive(e)
		})
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkAttack reports the p99 of decisions on others' keys, held ones or new ones,
// while thousands of keys with one hash are asked in between, in p99s of the same
// with as many keys that have hashes of their own.
func BenchmarkAttack(b *testing.B) {
	const attackers = 5_000
	crowd, gang, held := make([]string, attackers), crafted(attackers), make([]string, 10_000)
	for i := range crowd {
		crowd[i] = fmt.Sprintf("in the crowd%04d", i)
	}
	for i := range held {
		held[i] = fmt.Sprintf("client-%08d", i)
	}
	p99 := func(between []string, others func(i int) string) float64 {
		e, err := engine.New(engine.Config{Limit: engine.PerHour(10, engine.Burst(1_000_000))})
		require.NoError(b, err)
		defer e.Close()
		for _, k := range append(slices.Clone(held), between...) {
			e.Take(k, 1)
		}
		took := make([]time.Duration, 0, 1<<19)
		for i := range cap(took) {
			e.Take(between[i%attackers], 1)
			key := others(i)
			start := time.Now()
			e.Take(key, 1)
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		return float64(took[len(took)*99/100])
	}
	for name, others := range map[string]func(i int) string{
		"held": func(i int) string { return held[i%len(held)] },
		"new":  func(i int) string { return fmt.Sprintf("one-off %08d", i) },
	} {
		b.Run("keys="+name, func(b *testing.B) {
			for b.Loop() {
				quiet := p99(crowd, others)
				b.ReportMetric(quiet, "quiet-p99-ns")
				b.ReportMetric(p99(gang, others)/quiet, "quiet-p99s")
			}
		})
	}
}
