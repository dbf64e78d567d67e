package engine_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/engine"
	"github.com/puzpuzpuz/xsync/v3"
)

// keysOf returns n distinct keys of 16 bytes, as one backing array each, in the
// order in which a benchmark visits them: shuffled with a fixed seed.
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

// generous admits all that a benchmark asks, and keeps every key from being idle.
var generous = engine.PerHour(1_000, engine.Burst(100_000_000))

func newEngine(tb testing.TB, c engine.Config) *engine.Engine {
	tb.Helper()
	e, err := engine.New(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(e.Close)
	return e
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

var keyCounts = []int{1_000, 1_000_000, 5_000_000}

func BenchmarkTake(b *testing.B) {
	for _, n := range keyCounts {
		keys := keysOf(n)
		b.Run(fmt.Sprintf("impl=floor/keys=%d", n), func(b *testing.B) {
			size := 1
			for size < n {
				size *= 2
			}
			cells := make([]atomic.Uint64, size)
			visit(b, keys, func(key string) {
				c := &cells[xxhash.Sum64String(key)&uint64(size-1)]
				v := c.Load()
				c.CompareAndSwap(v, v+1)
			})
		})
		for _, stats := range []bool{false, true} {
			b.Run(fmt.Sprintf("impl=limit64/stats=%v/keys=%d", stats, n), func(b *testing.B) {
				e := newEngine(b, engine.Config{
					Limit: generous, Clock: engine.Coarse(0), MaxKeys: 1 << 24, NoStats: !stats,
				})
				for _, k := range keys {
					e.Take(k, 10_000)
				}
				visit(b, keys, func(key string) { e.Take(key, 1) })
			})
		}
		b.Run(fmt.Sprintf("impl=xsync/keys=%d", n), func(b *testing.B) {
			m := xsync.NewMapOf[string, *atomic.Uint64]()
			for _, k := range keys {
				m.Store(k, new(atomic.Uint64))
			}
			visit(b, keys, func(key string) {
				c, _ := m.Load(key)
				v := c.Load()
				c.CompareAndSwap(v, v+1)
			})
		})
	}
	_ = time.Second
}
