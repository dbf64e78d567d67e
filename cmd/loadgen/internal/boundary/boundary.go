// Package boundary shows what tells the five algorithms apart: the same traffic
// under the same limit, decided by each.
package boundary

import (
	"slices"
	"time"

	"github.com/limit64/limit64/engine"
)

const (
	// Tokens a Period is the limit of all five.
	Tokens = 100
	Period = time.Second
	// Length of each traffic, shown in steps of Step.
	Length = 3 * Period
	Step   = 50 * time.Millisecond
)

// Limits are the five algorithms under the same limit.
func Limits() []engine.Limit {
	return []engine.Limit{
		engine.TokenBucket(Tokens, Period), engine.LeakyBucket(Tokens, Period), engine.FixedWindow(Tokens, Period),
		engine.SlidingCounter(Tokens, Period), engine.SlidingLog(Tokens, Period),
	}
}

// Picture is each traffic under each limit.
type Picture []Traffic

// Traffic is one row of the picture; Asked are requests in each Step.
type Traffic struct {
	Name  string  `json:"name"`
	Note  string  `json:"note"`
	Asked []int64 `json:"asked"`
	Total int64   `json:"total"`
	By    []Row   `json:"by_limit"`
}

// Row is what one limit admitted of a traffic.
type Row struct {
	Limit    engine.Limit `json:"limit"`
	Admitted []int64      `json:"admitted"` // in each Step
	Total    int64        `json:"total"`
	// Most is the largest number of requests admitted in any Period.
	Most int `json:"most_in_any_period"`
}

// traffics are the classic ones; instants in order.
var traffics = []struct {
	name, note string
	at         func() []time.Duration
}{
	{"boundary", "100 at the end of one window, 100 at the start of the next", func() []time.Duration {
		return slices.Concat(spread(900*time.Millisecond, 100, time.Millisecond), spread(Period, 100, time.Millisecond))
	}},
	{"steady", "one request every 5 ms: 200 a second", func() []time.Duration {
		return spread(0, int(Length/(5*time.Millisecond)), 5*time.Millisecond)
	}},
	{"bursty", "60 at once every 0.4 s: 150 a second", func() (at []time.Duration) {
		for start := 200 * time.Millisecond; start < Length; start += 400 * time.Millisecond {
			at = append(at, spread(start, 60, 0)...)
		}
		return at
	}},
}

func spread(from time.Duration, n int, gap time.Duration) (at []time.Duration) {
	for i := range n {
		at = append(at, from+time.Duration(i)*gap)
	}
	return at
}

// Decider answers at instants that the caller knows. An engine is one.
type Decider interface {
	TakeAt(key string, n int64, now time.Duration) engine.Decision
}

// Draw decides about each traffic with a new decider for each limit.
func Draw(decider func(engine.Limit) (Decider, error)) (p Picture, err error) {
	for _, t := range traffics {
		at := t.at()
		traffic := Traffic{Name: t.name, Note: t.note, Asked: bins(at), Total: int64(len(at))}
		for _, l := range Limits() {
			d, err := decider(l)
			if err != nil {
				return nil, err
			}
			admitted := slices.DeleteFunc(slices.Clone(at), func(now time.Duration) bool { return !d.TakeAt("client", 1, now).OK })
			traffic.By = append(traffic.By, Row{l, bins(admitted), int64(len(admitted)), most(admitted)})
		}
		p = append(p, traffic)
	}
	return p, nil
}

func bins(at []time.Duration) []int64 {
	out := make([]int64, Length/Step)
	for _, t := range at {
		out[t/Step]++
	}
	return out
}

// most is the largest number of instants in any half-open Period.
func most(at []time.Duration) (n int) {
	first := 0
	for i, t := range at {
		for at[first] <= t-Period {
			first++
		}
		n = max(n, i-first+1)
	}
	return n
}
