package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/engine"
	"github.com/puzpuzpuz/xsync/v3"
	"github.com/stretchr/testify/require"
)

// keysOf returns n distinct keys of 16 bytes in the order in which a benchmark
// visits them: shuffled with a fixed seed.
func keysOf(n int) []string {
	all := make([]byte, 16*n)
	for i := range n {
		binary.LittleEndian.PutUint64(all[16*i:], uint64(i)*0x9e3779b97f4a7c15)
		binary.LittleEndian.PutUint64(all[16*i+8:], uint64(i))
	}
	text := string(all)
	keys := make([]string, n)
	for i := range keys {
		keys[i] = text[16*i : 16*i+16]
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// inserted returns keys in another order: a benchmark that visits them in the
// order in which they were allocated flatters whoever allocates a cell for each.
func inserted(keys []string) []string {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	return sorted
}

// The harness is tested as well: a benchmark of one key repeated, or of a limiter
// that denies, would flatter.
func TestBenchmarkKeysAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	e := newEngine(t, engine.Config{Limit: generous})
	for _, k := range keysOf(10_000) {
		require.False(t, seen[k])
		seen[k] = true
		require.Len(t, k, 16)
		require.True(t, e.Take(k, spent).OK)
		require.True(t, e.Take(k, 1).OK)
	}
	require.Equal(t, 10_000, e.Len())
	require.True(t, newEngine(t, engine.Config{Limit: strict}).Allow("k"))
}

var (
	// generous admits all that a benchmark asks. Each key has spent so much
	// beforehand that it does not become idle while the benchmark runs.
	generous = engine.PerHour(1_000, engine.Burst(100_000_000))
	// strict denies all but the first token.
	strict = engine.TokenBucket(1, 24*time.Hour)
)

const spent = 10_000_000

func newEngine(tb testing.TB, c engine.Config) *engine.Engine {
	tb.Helper()
	e, err := engine.New(c)
	require.NoError(tb, err)
	tb.Cleanup(e.Close)
	return e
}

// filled returns an engine in which every key is known, on a coarse clock.
func filled(tb testing.TB, keys []string, c engine.Config) *engine.Engine {
	c.Clock, c.MaxKeys = engine.Coarse(0), 1<<24
	e := newEngine(tb, c)
	for _, k := range inserted(keys) {
		e.Take(k, min(spent, c.Limit.Capacity()))
	}
	return e
}

// sizes are the numbers of keys; -short keeps the small ones.
func sizes() []int {
	if testing.Short() {
		return []int{1_000}
	}
	return []int{1_000, 1_000_000, 5_000_000}
}

func visit(b *testing.B, keys []string, step func(key string)) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		step(keys[i])
		if i++; i == len(keys) {
			i = 0
		}
	}
}

// BenchmarkTake compares a decision with the floor, xxhash and one
// compare-and-swap in a flat array without any look-up, and with a
// compare-and-swap on a cell found in xsync.MapOf, without any arithmetic. Each
// reports its time in floors as well: a ratio within one run.
func BenchmarkTake(b *testing.B) {
	for _, n := range sizes() {
		keys := keysOf(n)
		floor := 0.0
		run := func(impl string, body func(b *testing.B)) {
			b.Run(fmt.Sprintf("keys=%d/impl=%s", n, impl), func(b *testing.B) {
				body(b)
				took := float64(b.Elapsed()) / float64(b.N)
				if impl == "floor" {
					floor = took
				}
				b.ReportMetric(took/floor, "floors")
			})
		}
		run("floor", func(b *testing.B) {
			size := 1
			for size < n {
				size *= 2
			}
			cells := make([]atomic.Uint64, size)
			visit(b, keys, func(key string) { increment(&cells[xxhash.Sum64String(key)&uint64(size-1)]) })
		})
		run("limit64", func(b *testing.B) {
			e := filled(b, keys, engine.Config{Limit: generous, NoStats: true})
			visit(b, keys, func(key string) { e.Take(key, 1) })
		})
		run("limit64+stats", func(b *testing.B) {
			e := filled(b, keys, engine.Config{Limit: generous})
			visit(b, keys, func(key string) { e.Take(key, 1) })
		})
		run("limit64-denied", func(b *testing.B) {
			e := filled(b, keys, engine.Config{Limit: strict, NoStats: true})
			visit(b, keys, func(key string) { e.Take(key, 1) })
		})
		run("xsync.MapOf", func(b *testing.B) {
			m := xsync.NewMapOf[string, *atomic.Uint64]()
			for _, k := range inserted(keys) {
				m.Store(k, new(atomic.Uint64))
			}
			visit(b, keys, func(key string) {
				c, _ := m.Load(key)
				increment(c)
			})
		})
	}
}

func increment(c *atomic.Uint64) {
	v := c.Load()
	c.CompareAndSwap(v, v+1)
}

// BenchmarkPaths is one decision on 1,000 keys, admitted or denied, by the path that
// gen writes for the algorithm and by the one for all, written by hand, in whose
// times each is reported as well. The clock is left out, and the decision is looked
// at, as a caller would.
func BenchmarkPaths(b *testing.B) {
	keys := keysOf(1_000)
	for _, c := range []struct {
		outcome string
		limit   engine.Limit
	}{
		{"admitted", generous},
		{"admitted", engine.FixedWindow(1<<40, time.Hour)},
		{"admitted", engine.SlidingCounter(1<<40, time.Hour)},
		{"denied", strict},
		{"denied", engine.FixedWindow(1, 24*time.Hour)},
	} {
		e := filled(b, keys, engine.Config{Limit: c.limit, NoStats: true})
		generic, waits, now := 0.0, time.Duration(0), e.Now()
		run := func(path string, take func(key string)) {
			b.Run(fmt.Sprintf("algorithm=%v/outcome=%s/path=%s", c.limit.Algorithm, c.outcome, path), func(b *testing.B) {
				visit(b, keys, take)
				took := float64(b.Elapsed()) / float64(b.N)
				if path == "generic" {
					generic = took
				}
				b.ReportMetric(took/generic, "generics")
			})
		}
		run("generic", func(key string) {
			if d := engine.TakeGeneric(e, key, 1, now); !d.OK {
				waits += d.RetryAfter
			}
		})
		run("generated", func(key string) {
			if d := e.TakeAt(key, 1, now); !d.OK {
				waits += d.RetryAfter
			}
		})
	}
}

// BenchmarkKeys is one decision on 1,000 keys of each kind.
func BenchmarkKeys(b *testing.B) {
	const n = 1_000
	e := newEngine(b, engine.Config{Limit: generous, NoStats: true, Clock: engine.Coarse(0)})
	run := func(kind string, take func(i uint64)) {
		b.Run("kind="+kind, func(b *testing.B) {
			b.ReportAllocs()
			for i := range uint64(n) {
				take(i)
			}
			i := uint64(0)
			for b.Loop() {
				take(i)
				if i++; i == n {
					i = 0
				}
			}
		})
	}
	keys, text := keysOf(n), make([][]byte, n)
	addrs := make([]netip.Addr, n)
	for i := range addrs {
		text[i] = []byte(keys[i])
		addrs[i] = netip.AddrFrom16([16]byte(text[i]))
	}
	run("string", func(i uint64) { e.Take(keys[i], 1) })
	run("bytes", func(i uint64) { e.TakeBytes(text[i], 1) })
	run("uint64", func(i uint64) { e.TakeUint64(i, 1) })
	run("addr", func(i uint64) { e.TakeAddr(addrs[i], 1) })
}

// many is the number of keys for memory, collection and stalls.
func many() int { return sizes()[len(sizes())-1] }

// BenchmarkMemory reports bytes per key, the key included.
func BenchmarkMemory(b *testing.B) {
	keys := keysOf(many())
	for b.Loop() {
		before := heap()
		e := filled(b, keys, engine.Config{Limit: generous})
		b.ReportMetric(float64(heap()-before)/float64(len(keys)), "B/key")
		runtime.KeepAlive(e)
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkGC is a forced collection with the table live, against one with as
// many bytes of pointer-free memory in pieces of the same size class.
func BenchmarkGC(b *testing.B) {
	ballast := 0.0
	b.Run("impl=ballast", func(b *testing.B) {
		pieces := make([]*[32760]byte, many()/600)
		for i := range pieces {
			pieces[i] = new([32760]byte)
		}
		for b.Loop() {
			runtime.GC()
		}
		runtime.KeepAlive(pieces)
		ballast = float64(b.Elapsed()) / float64(b.N)
	})
	b.Run("impl=limit64", func(b *testing.B) {
		e := filled(b, keysOf(many()), engine.Config{Limit: generous})
		runtime.GC()
		for b.Loop() {
			runtime.GC()
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/ballast, "ballasts")
		runtime.KeepAlive(e)
	})
}

// BenchmarkStall decides on one resident key while another goroutine floods the
// table with new keys, and reports percentiles of the time a decision takes. The
// control does the same beside the same flood, but only reads the clock.
func BenchmarkStall(b *testing.B) {
	keys := keysOf(many())
	for _, impl := range []string{"control", "limit64"} {
		b.Run("impl="+impl, func(b *testing.B) {
			for b.Loop() {
				e := filled(b, nil, engine.Config{Limit: generous})
				step := func() {}
				if impl == "limit64" {
					step = func() { e.Take("resident", 1) }
				}
				var done atomic.Bool
				go func() {
					for _, k := range keys {
						e.Take(k, spent)
					}
					done.Store(true)
				}()
				report(b, stalls(&done, step))
			}
		})
	}
}

// stalls times a step over and over until done, a hundred times at least.
func stalls(done *atomic.Bool, step func()) []time.Duration {
	took := make([]time.Duration, 0, 1<<24)
	for last := time.Now(); len(took) < 100 || !done.Load() && len(took) < cap(took); {
		step()
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
	}
	return took
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for _, p := range []struct {
		name string
		of   float64
	}{{"p50-ns", 0.5}, {"p99-ns", 0.99}, {"p99.99-ns", 0.9999}} {
		b.ReportMetric(float64(took[int(p.of*float64(len(took)-1))]), p.name)
	}
}
