package traffic

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/limit64/limit64/engine"
)

// Result is what a run saw. Durations are nanoseconds in JSON.
type Result struct {
	Plan        Plan          `json:"plan"`
	Machine     Machine       `json:"machine"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	Interrupted bool          `json:"interrupted"`
	Total       PhaseResult   `json:"total"`
	Phases      []PhaseResult `json:"phases"`
	Timeline    []Interval    `json:"timeline"`
	// Watched is how many of the busiest keys the timeline follows.
	Watched int    `json:"watched_keys"`
	Check   Check  `json:"check"`
	Top     []Key  `json:"top"`
	Memory  Memory `json:"memory"`
	// Engine is what the engine itself counted.
	Engine engine.Stats `json:"engine"`
	// ClockCost is what timing a request adds to its latency.
	ClockCost time.Duration `json:"clock_cost_ns"`
}

// Machine is where the run ran.
type Machine struct {
	Go    string `json:"go"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	CPUs  int    `json:"cpus"`
	Procs int    `json:"gomaxprocs"`
}

// PhaseResult is one phase, or all of them.
type PhaseResult struct {
	Name    string        `json:"name"`
	Open    bool          `json:"open_loop"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Tally
	// PerSecond is requests a second, by the clock that the phase ran on.
	PerSecond float64 `json:"per_second"`
	// Latency counts from the intended instant in an open loop; Call is then how
	// long the calls alone took. Nobody times requests of a virtual clock.
	Latency Percentiles `json:"latency"`
	Call    Percentiles `json:"call"`
	// Distribution is the latency's.
	Distribution []Bar `json:"distribution"`
}

// Percentiles sum up a histogram; Samples of 0 means that there is none.
type Percentiles struct {
	Samples int64         `json:"samples"`
	P50     time.Duration `json:"p50_ns"`
	P90     time.Duration `json:"p90_ns"`
	P99     time.Duration `json:"p99_ns"`
	P999    time.Duration `json:"p999_ns"`
	P9999   time.Duration `json:"p9999_ns"`
	Max     time.Duration `json:"max_ns"`
}

func percentiles(h *hdrhistogram.Histogram) Percentiles {
	at := func(p float64) time.Duration { return time.Duration(h.ValueAtQuantile(p)) }
	return Percentiles{h.TotalCount(), at(50), at(90), at(99), at(99.9), at(99.99), time.Duration(h.Max())}
}

// Bar counts the latencies up to and including To.
type Bar struct {
	To    time.Duration `json:"to_ns"`
	Count int64         `json:"count"`
}

// distribution sums a histogram up in bars of which each is a quarter wider than
// the one before.
func distribution(h *hdrhistogram.Histogram) (bars []Bar) {
	to := int64(1)
	var count int64
	for _, b := range h.Distribution() {
		if b.Count == 0 {
			continue
		}
		for to < b.To {
			if count > 0 {
				bars, count = append(bars, Bar{time.Duration(to), count}), 0
			}
			to = max(to+1, to*5/4)
		}
		count += b.Count
	}
	if count > 0 {
		bars = append(bars, Bar{time.Duration(to), count})
	}
	return bars
}

// Memory is what the engine took, and what the garbage collector did.
type Memory struct {
	// Engine is how much the live heap grew during the run, the generator's own
	// tables not counted.
	Engine int64 `json:"engine_bytes"`
	// Keys is how many keys the engine holds at the end.
	Keys int `json:"keys"`
	// Peak is the largest heap seen, generator and garbage included.
	Peak   int64  `json:"peak_bytes"`
	Pauses Pauses `json:"pauses"`
}

// PerKey is the engine's bytes a key.
func (m Memory) PerKey() float64 { return float64(max(m.Engine, 0)) / float64(max(m.Keys, 1)) }
