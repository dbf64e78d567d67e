package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

func refusal(key string) engine.Event {
	return engine.Event{Kind: engine.DenialEvent, Reason: engine.Denied, Key: []byte(key), Hash: xxhash.Sum64String(key)}
}

func newTop(tb testing.TB, size int) *engine.Top {
	tb.Helper()
	top, err := engine.NewTop(size)
	require.NoError(tb, err)
	return top
}

// The guarantee, against an exact count: on Zipf traffic, on traffic without any
// favourites, and on the worst order, in which every key replaces another.
func TestTopAgainstAnExactCount(t *testing.T) {
	events := 200_000
	if testing.Short() {
		events = 20_000
	}
	rng := rand.New(rand.NewPCG(41, 41))
	zipf := rand.NewZipf(rng, 1.1, 1, 50_000)
	for name, draw := range map[string]func(i int) uint64{
		"zipf":     func(int) uint64 { return zipf.Uint64() },
		"uniform":  func(int) uint64 { return rng.Uint64N(1000) },
		"in turn":  func(i int) uint64 { return uint64(i % 101) },
		"all once": func(i int) uint64 { return uint64(i) },
	} {
		for _, size := range []int{1, 7, 100} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				top, exact := newTop(t, size), map[string]uint64{}
				for i := range events {
					key := fmt.Sprint("key", draw(i))
					exact[key]++
					top.Observe(refusal(key))
				}
				total := top.Total()
				require.EqualValues(t, events, total)
				keys := top.Keys()
				require.Len(t, keys, size)
				kept, last := map[string]bool{}, keys[0].Count
				for _, k := range keys {
					require.LessOrEqual(t, k.Count-k.Error, exact[k.Key], "%+v", k)
					require.LessOrEqual(t, exact[k.Key], k.Count, "%+v", k)
					require.LessOrEqual(t, k.Error, total/uint64(size), "%+v", k)
					require.LessOrEqual(t, k.Count, last, "the most refused first")
					require.False(t, kept[k.Key])
					kept[k.Key], last = true, k.Count
				}
				for key, n := range exact {
					require.True(t, n <= total/uint64(size) || kept[key], "%s: %d of %d", key, n, total)
				}
				if name == "zipf" && size == 100 {
					require.Equal(t, "key0", keys[0].Key)
				}
			})
		}
	}
}

// Constant memory: no key that comes allocates once the sketch is full.
func TestTopIsConstantInMemory(t *testing.T) {
	top := newTop(t, 50)
	var key [8]byte
	n := uint64(0)
	observe := func() {
		n++
		binary.LittleEndian.PutUint64(key[:], n*n)
		top.Observe(engine.Event{Reason: engine.Denied, Key: key[:], Hash: n})
	}
	for range 100_000 {
		observe()
	}
	require.Less(t, testing.AllocsPerRun(50_000, observe), 0.01)
	require.Len(t, top.Keys(), 50)
}

func TestTopCountsRefusals(t *testing.T) {
	top := newTop(t, 10)
	long := strings.Repeat("x", 60)
	for _, ev := range []engine.Event{
		refusal("a"), refusal("a"), refusal(""),
		{Kind: engine.ShadowEvent, Reason: engine.TooLarge, Key: []byte("a"), Hash: xxhash.Sum64String("a")},
		{Kind: engine.SaturationEvent, Reason: engine.Saturated, Key: []byte("new"), Hash: xxhash.Sum64String("new")},
		{Kind: engine.SaturationEvent, Reason: engine.Untracked, Key: []byte("new"), Hash: xxhash.Sum64String("new")},
		{Kind: engine.LimitEvent, Key: []byte("a")},
		{Reason: engine.Denied, Key: []byte(long), Truncated: true, Hash: 1},
		{Reason: engine.Denied, Key: []byte(long), Truncated: true, Hash: 2},
	} {
		top.Observe(ev)
	}
	require.Equal(t, []engine.TopKey{
		{Key: "a", Count: 3}, {Key: "", Count: 1}, {Key: "new", Count: 1},
		{Key: long, Truncated: true, Count: 1}, {Key: long, Truncated: true, Count: 1},
	}, top.Keys())
	top.Reset()
	require.Empty(t, top.Keys())
	require.Zero(t, top.Total())
	top.Observe(refusal("b"))
	require.Equal(t, []engine.TopKey{{Key: "b", Count: 1}}, top.Keys())
	for _, size := range []int{0, -1, engine.MaxTopSize + 1} {
		_, err := engine.NewTop(size)
		require.ErrorContains(t, err, fmt.Sprintf("limit64: top %d keys", size))
	}
}

// The two together: whoever is refused most is found through the engine.
func TestTopFedByEvents(t *testing.T) {
	top := newTop(t, 3)
	v := newEvents(t, engine.EventsConfig{Handle: top.Observe})
	e := newEngine(t, engine.Config{Limit: engine.FixedWindow(1, time.Hour), Clock: engine.Manual(), Events: v})
	for i := range 1000 {
		e.Allow(fmt.Sprint("key", i%100))
		e.Allow("abuser")
	}
	v.Close()
	require.Zero(t, v.Stats().Dropped)
	require.Equal(t, "abuser", top.Keys()[0].Key)
	require.EqualValues(t, 999+900, top.Total())
}
