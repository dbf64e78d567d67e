package shard

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func oddKeys() []string {
	keys := []string{"", "\x00", "\x00\x00", "a", "ab", "abc", "abcd", "\xff\xfe", strings.Repeat("k", 64<<10), strings.Repeat("k", 64<<10-1)}
	for n := range 40 {
		keys = append(keys, strings.Repeat("\x00", n+3), strings.Repeat("x", n+2)+"y")
	}
	return keys
}

func TestOddKeysAreDistinct(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: forever}, Options{HashBits: m.bits})
			keys := oddKeys()
			for i, k := range keys {
				for range i + 1 {
					touch(tb, k, 1)
				}
			}
			for i, k := range keys {
				assert.EqualValues(t, i+1, count(tb, k), "key %d of %d bytes", i, len(k))
			}
			require.Equal(t, len(keys), tb.Len())
		})
	}
}

func TestKeyWordsAreOneToOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range inlineKey + 1 {
		for range 200 {
			key := make([]byte, n)
			for i := range key {
				key[i] = byte(rng.Uint32())
			}
			a, b := keyWords(string(key))
			require.Equal(t, key, append([]byte{}, appendKey(nil, a, b, n)...), "length %d", n)
		}
	}
}

func TestGrowsAndForgets(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			n := 200_000
			if m.bits != 0 {
				n = 3_000 // the spill is a slow path
			}
			tb := New(countRules{lifetime: 100}, Options{HashBits: m.bits})
			key := func(i int) string { return fmt.Sprintf("key-%d-%s", i, strings.Repeat("z", i%20)) }
			for i := range n {
				require.EqualValues(t, 1, touch(tb, key(i), 1))
			}
			require.Equal(t, n, tb.Len())
			for i := range n {
				require.EqualValues(t, 2, touch(tb, key(i), 50), key(i))
			}
			tb.SweepAll(149) // 99 after the last touch: nothing is idle yet
			require.Equal(t, n, tb.Len())
			touch(tb, key(7), 149)
			tb.SweepAll(151)
			require.Equal(t, 1, tb.Len())
			require.EqualValues(t, 2+1, count(tb, key(7)))
			require.EqualValues(t, n-1, tb.Stats().Forgotten)
			tb.SweepAll(152)
			require.Equal(t, 1, tb.Stats().Shards, "shards merge again: memory goes back")
			require.Len(t, tb.dir.Load().epochs, 1)
			require.EqualValues(t, 4, touch(tb, key(7), 153))
		})
	}
}

// A key that was idle when it was dropped must not come back fuller, for a
// request with an older instant, than it was.
func TestStaleNowAtForgetting(t *testing.T) {
	tb := New(countRules{lifetime: 100}, Options{})
	touch(tb, "k", 1)
	tb.SweepAll(1000)
	require.Zero(t, tb.Len())
	base, slot, _ := tb.Acquire(tb.Hash("k"), "k", 0, 500)
	require.EqualValues(t, 1000, slot.Load()>>countBits, "born at the sweep's instant, not at 500")
	require.EqualValues(t, 0, base)
}

func TestBaseMoves(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: forever, span: 1000}, Options{HashBits: m.bits})
			for i := range 300 {
				touch(tb, fmt.Sprint(i), time.Duration(i))
			}
			for i := range 300 {
				require.EqualValues(t, 2, touch(tb, fmt.Sprint(i), time.Duration(5000+7*i)))
			}
			require.NotZero(t, tb.Stats().Rebases)
			require.EqualValues(t, 3, touch(tb, "5", 1<<62), "as far as the clock goes")
			require.EqualValues(t, 4, touch(tb, "5", 3), "and back")
		})
	}
}

func TestForget(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: forever}, Options{HashBits: m.bits})
			for i := range 200 {
				touch(tb, fmt.Sprint(i), 1)
			}
			require.True(t, tb.Forget(tb.Hash("7"), "7", 1))
			require.False(t, tb.Forget(tb.Hash("7"), "7", 1))
			require.False(t, tb.Forget(tb.Hash("none"), "none", 1))
			require.Equal(t, 199, tb.Len())
			require.EqualValues(t, 0, count(tb, "7"))
			require.EqualValues(t, 1, count(tb, "8"))
		})
	}
}

func TestBound(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: 100}, Options{MaxKeys: 2, HashBits: m.bits})
			require.EqualValues(t, 1, touch(tb, "a", 1))
			require.EqualValues(t, 1, touch(tb, "b", 2))
			for range 10 {
				require.EqualValues(t, 0, touch(tb, "c", 3), "nothing that is not idle makes room")
			}
			require.EqualValues(t, 2, touch(tb, "a", 4))
			require.Equal(t, 2, tb.Len())
			later := 2 + 100 + time.Duration(roomEvery)
			require.EqualValues(t, 1, touch(tb, "c", later), "b is idle by now")
			require.LessOrEqual(t, tb.Len(), 2)
		})
	}
}

func TestBoundFindsRoomInOtherShards(t *testing.T) {
	tb := New(countRules{lifetime: 100}, Options{MaxKeys: 1000, Depth: 4})
	for i := range 1000 {
		require.EqualValues(t, 1, touch(tb, fmt.Sprint(i), 1))
	}
	now := 10 * time.Millisecond
	for i := range 1000 {
		require.EqualValues(t, 1, touch(tb, fmt.Sprint("new", i), now), "%d", i)
	}
	require.LessOrEqual(t, tb.Len(), 1000)
}

func TestBoundShared(t *testing.T) {
	tb := New(countRules{lifetime: forever}, Options{MaxKeys: 1, Share: true})
	touch(tb, "a", 1)
	require.EqualValues(t, 1, touch(tb, "b", 1))
	require.EqualValues(t, 2, touch(tb, "c", 1), "b and c share a word")
	tb.Forget(tb.Hash("a"), "a", 1)
	require.EqualValues(t, 1, touch(tb, "d", 1))
	require.EqualValues(t, 3, touch(tb, "e", 1), "a rebuild keeps the shared word")
}

// Two shards with shared words in use are not merged: one of them would be lost.
func TestSharedWordsSurviveAMerge(t *testing.T) {
	tb := New(countRules{lifetime: 100}, Options{MaxKeys: 1, Share: true, Depth: 1})
	touch(tb, "a", 1)
	for i := range 100 {
		require.NotZero(t, touch(tb, fmt.Sprint(i), 50)) // in both shards
	}
	words := func() (counts []uint64) {
		for i := range tb.dir.Load().epochs {
			counts = append(counts, countOf(tb.dir.Load().epochs[i].Load().owner.shared.word.Load()))
		}
		return counts
	}
	before := words()
	require.Len(t, before, 2)
	require.EqualValues(t, 100, before[0]+before[1])
	tb.SweepAll(120) // a is idle, the shared words are not
	require.Zero(t, tb.Len())
	require.Equal(t, before, words())
	tb.SweepAll(200)
	tb.SweepAll(200)
	require.Equal(t, 1, tb.Stats().Shards)
}

func TestAllVisitsEveryKeyOnce(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: forever}, Options{HashBits: m.bits})
			want := map[string]int{}
			for _, k := range oddKeys() {
				touch(tb, k, 1)
				want[k] = 1
			}
			for i := range 2500 {
				touch(tb, fmt.Sprint(i), 1)
				want[fmt.Sprint(i)] = 1
			}
			got := map[string]int{}
			for e := range tb.All() {
				got[e.Key]++
				if len(got)%500 == 0 {
					tb.SweepAll(2) // the loop's body may use the table
				}
			}
			require.Equal(t, want, got)
			for range tb.All() {
				break
			}
		})
	}
}

// Keys that agree in the bits that select a shard, but not in those that select a
// home, cannot drive the directory's depth.
func TestDirectoryIsCapped(t *testing.T) {
	tb := New(countRules{lifetime: forever}, Options{})
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 20_000 {
		key := fmt.Sprint(i)
		hash := rng.Uint64() >> 30 << 8 // the same 22 bits on top
		_, slot, status := tb.Acquire(hash, key, 0, 1)
		require.Equal(t, Tracked, status)
		slot.CompareAndSwap(slot.Load(), 1)
	}
	require.LessOrEqual(t, len(tb.dir.Load().epochs), 16*tb.Stats().Shards)
	require.Equal(t, 20_000, tb.Len())
}

func TestFindDoesNotAllocate(t *testing.T) {
	tb := New(countRules{lifetime: forever}, Options{})
	long := strings.Repeat("k", 100)
	touch(tb, "short", 1)
	touch(tb, long, 1)
	require.Zero(t, testing.AllocsPerRun(100, func() { touch(tb, "short", 2); touch(tb, long, 2); tb.Find(tb.Hash("x"), "x") }))
}

func TestSlotsAreAligned(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the layout is chosen for 64-bit machines")
	}
	tb := New(countRules{}, Options{})
	for i := range tb.dir.Load().epochs {
		e := tb.dir.Load().epochs[i].Load()
		require.Zero(t, uintptr(unsafe.Pointer(&e.slots[0]))%32, "a slot must not straddle two cache lines")
	}
}
