package limits

import (
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// The clock of these benchmarks: it costs nothing, and a microsecond goes by with
// every decision, so that of a thousand keys each has earned a tenth of a token.
const tick = time.Microsecond

// BenchmarkTake decides on 1,000 resident keys: with the limit compiled into code,
// and with an engine that was given it.
func BenchmarkTake(b *testing.B) {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "user-" + strconv.Itoa(i)
	}
	run := func(b *testing.B, take func(key string, now time.Duration) bucket.Decision) {
		b.ReportAllocs()
		i, now := 0, time.Duration(0)
		for b.Loop() {
			now += tick
			take(keys[i], now)
			if i++; i == len(keys) {
				i = 0
			}
		}
	}
	limit, err := bucket.Parse(loginLimit)
	require.NoError(b, err)
	b.Run("path=generated", func(b *testing.B) {
		l := login(b, 0)
		run(b, func(key string, now time.Duration) bucket.Decision { return l.Take(key, 1, now) })
	})
	b.Run("path=engine", func(b *testing.B) {
		e, err := engine.New(engine.Config{Limit: limit, NoStats: true})
		require.NoError(b, err)
		defer e.Close()
		run(b, func(key string, now time.Duration) bucket.Decision { return e.TakeAt(key, 1, now) })
	})
}

// BenchmarkCell decides about one limit without a key, beside the least that any
// lock-free limiter does: one load and one compare-and-swap.
func BenchmarkCell(b *testing.B) {
	b.Run("path=generated", func(b *testing.B) {
		var c LoginCell
		now := time.Duration(0)
		for b.Loop() {
			now += 10 * time.Millisecond
			if !c.Take(1, now).OK {
				b.Fatal("refused")
			}
		}
	})
	b.Run("path=cell", func(b *testing.B) {
		limit, err := bucket.Parse(loginLimit)
		require.NoError(b, err)
		c, err := bucket.NewCell(limit)
		require.NoError(b, err)
		now := time.Duration(0)
		for b.Loop() {
			now += 10 * time.Millisecond
			if !c.TakeAt(1, now).OK {
				b.Fatal("refused")
			}
		}
	})
	b.Run("path=bare", func(b *testing.B) {
		var word atomic.Uint64
		for b.Loop() {
			for {
				v := word.Load()
				if word.CompareAndSwap(v, v+1) {
					break
				}
			}
		}
	})
}
