package engine_test

import (
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// ratios runs sub-benchmarks and reports the time of each in that of the first.
func ratios(b *testing.B, unit string) func(impl string, body func(b *testing.B)) {
	first := 0.0
	return func(impl string, body func(b *testing.B)) {
		b.Run("impl="+impl, func(b *testing.B) {
			body(b)
			took := float64(b.Elapsed()) / float64(b.N)
			if first == 0 {
				first = took
			}
			b.ReportMetric(took/first, unit)
		})
	}
}

// BenchmarkPolicy compares a policy with as many decisions of single engines, on
// 1,000 keys, in decisions of one engine.
func BenchmarkPolicy(b *testing.B) {
	keys := keysOf(1_000)
	run := ratios(b, "takes")
	clock := engine.Coarse(0)
	of := func(b *testing.B, limits ...engine.Limit) []engine.Part {
		var parts []engine.Part
		for i, l := range limits {
			e := newEngine(b, engine.Config{Limit: l, Clock: clock, NoStats: true})
			for _, k := range inserted(keys) {
				e.Take(k, min(spent, l.Capacity()))
			}
			parts = append(parts, engine.Part{Name: string(rune('a' + i)), Engine: e})
		}
		return parts
	}
	run("one-engine", func(b *testing.B) {
		e := of(b, generous)[0].Engine
		visit(b, keys, func(key string) { e.Take(key, 1) })
	})
	run("two-engines", func(b *testing.B) {
		parts := of(b, generous, generous)
		visit(b, keys, func(key string) { parts[0].Engine.Take(key, 1); parts[1].Engine.Take(key, 1) })
	})
	for _, row := range []struct {
		impl   string
		limits []engine.Limit
		ok     bool
	}{
		{"policy-of-1", []engine.Limit{generous}, true},
		{"policy-of-2", []engine.Limit{generous, generous}, true},
		{"policy-of-3", []engine.Limit{generous, generous, generous}, true},
		{"policy-of-2-denied-by-first", []engine.Limit{strict, generous}, false},
		{"policy-of-2-denied-by-second", []engine.Limit{generous, strict}, false},
	} {
		run(row.impl, func(b *testing.B) {
			p := newPolicy(b, of(b, row.limits...)...)
			require.Equal(b, row.ok, p.Take(keys[0], 1).OK)
			visit(b, keys, func(key string) { p.Take(key, 1) })
		})
	}
}

// BenchmarkEvents compares decisions without and with a hook, admitted and
// denied, on one key; full is a ring that nobody empties.
func BenchmarkEvents(b *testing.B) {
	handle := func(engine.Event) {}
	hung := make(chan struct{})
	defer close(hung)
	for _, l := range []engine.Limit{generous, strict} {
		decision := "admitted"
		if l == strict {
			decision = "denied"
		}
		b.Run("decision="+decision, func(b *testing.B) {
			run := ratios(b, "hookless")
			for _, row := range []struct {
				impl   string
				config engine.EventsConfig
			}{
				{"none", engine.EventsConfig{}},
				{"hook", engine.EventsConfig{Handle: handle, Every: time.Millisecond}},
				{"hook-full", engine.EventsConfig{Handle: func(engine.Event) { <-hung }, Capacity: 2}},
			} {
				run(row.impl, func(b *testing.B) {
					c := engine.Config{Limit: l, NoStats: true}
					if row.config.Handle != nil {
						c.Events = newEvents(b, row.config)
					}
					keys := keysOf(1)
					e := filled(b, keys, c)
					visit(b, keys, func(key string) { e.Take(key, 1) })
				})
			}
		})
	}
}

// BenchmarkRollout is the choice of a side.
func BenchmarkRollout(b *testing.B) {
	r := newRollout(b, 50)
	visit(b, keysOf(1_000), func(key string) { r.Enforces(key) })
}

// BenchmarkTop is one refusal of a key drawn among many more than are kept.
func BenchmarkTop(b *testing.B) {
	top := newTop(b, 100)
	var refusals []engine.Event
	for _, key := range keysOf(10_000) {
		refusals = append(refusals, refusal(key))
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		top.Observe(refusals[i%len(refusals)])
		i++
	}
}
