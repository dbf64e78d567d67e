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

// BenchmarkTake decides on 1,000 resident keys: with the limit compiled into code,
// and with an engine that was given it. The clock costs nothing; from one request of
// a key to its next it earns 0.99 tokens, or a tenth of one.
func BenchmarkTake(b *testing.B) {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "user-" + strconv.Itoa(1000+i)
	}
	limit, err := bucket.Parse(loginLimit)
	require.NoError(b, err)
	for _, c := range []struct {
		outcome string
		tick    time.Duration
	}{{"admitted", 9900 * time.Nanosecond}, {"denied", time.Microsecond}} {
		engines, now := 0.0, time.Duration(0) // never back: a stale instant is another path
		run := func(path string, take func(key string, now time.Duration)) {
			b.Run("outcome="+c.outcome+"/path="+path, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					now += c.tick
					take(keys[i], now)
					if i++; i == len(keys) {
						i = 0
					}
				}
				took := float64(b.Elapsed()) / float64(b.N)
				if path == "engine" {
					engines = took
				}
				b.ReportMetric(took/engines, "engines")
			})
		}
		e, err := engine.New(engine.Config{Limit: limit, NoStats: true})
		require.NoError(b, err)
		l, waits := login(b, 0), time.Duration(0)
		run("engine", func(key string, now time.Duration) {
			if d := e.TakeAt(key, 1, now); !d.OK {
				waits += d.RetryAfter
			}
		})
		run("generated", func(key string, now time.Duration) {
			if d := l.Take(key, 1, now); !d.OK {
				waits += d.RetryAfter
			}
		})
		run("generated-allow", func(key string, now time.Duration) { l.Allow(key, now) })
		e.Close()
	}
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
	b.Run("path=generated-allow", func(b *testing.B) {
		var c LoginCell
		now := time.Duration(0)
		for b.Loop() {
			now += 10 * time.Millisecond
			if !c.Allow(now) {
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
