package traffic

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Tally counts requests.
type Tally struct {
	Requests int64 `json:"requests"`
	Admitted int64 `json:"admitted"`
	Denied   int64 `json:"denied"`
	// Unmade requests of an open loop were due, but the phase ended before
	// anybody came to make them: the limiter did not keep up with the rate.
	Unmade int64 `json:"unmade,omitempty"`
}

func (t *Tally) add(u Tally) {
	t.Requests += u.Requests
	t.Admitted += u.Admitted
	t.Denied += u.Denied
	t.Unmade += u.Unmade
}

// times are latencies. The second one is of open loops, whose latency counts from
// the intended instant: how long the calls themselves took.
type times struct{ latency, call *hdrhistogram.Histogram }

// longest is the largest latency told apart; anything longer counts as that.
const longest = 10 * time.Minute

func newTimes() times {
	// Two digits: a thousand workers have four of these.
	return times{hdrhistogram.New(1, int64(longest), 2), hdrhistogram.New(1, int64(longest), 2)}
}

func (t times) merge(u times) {
	if u.latency.TotalCount() > 0 {
		t.latency.Merge(u.latency)
		t.call.Merge(u.call)
	}
}

func (t times) reset() {
	if t.latency.TotalCount() > 0 {
		t.latency.Reset()
		t.call.Reset()
	}
}

// record keeps within what the histogram takes.
func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(int64(min(max(d, 1), longest))) // cannot fail: in range
}

// batch is what a worker saw since it published last.
type batch struct {
	tally         Tally
	latency, call []time.Duration
}

// meter hands a worker's batches to the recorder.
type meter struct {
	mu    sync.Mutex
	tally Tally
	times times
	// watched is what the busiest keys were admitted and denied since the start.
	watched [][2]int64
}

func newMeter(keys int) *meter {
	return &meter{times: newTimes(), watched: make([][2]int64, min(keys, maxWatched))}
}

// maxWatched is how many of the busiest keys are followed over time: their bound
// at each instant is what the reports call the allowed line.
const maxWatched = 64

func (m *meter) publish(b *batch, c *counts) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally.add(b.tally)
	for _, d := range b.latency {
		record(m.times.latency, d)
	}
	for _, d := range b.call {
		record(m.times.call, d)
	}
	for i := range m.watched {
		m.watched[i][0], m.watched[i][1] = c.get(i)
	}
	b.tally, b.latency, b.call = Tally{}, b.latency[:0], b.call[:0]
}

// drain moves what came in since the last drain into tally and times, and adds
// what the watched keys got so far to watched.
func (m *meter) drain(tally *Tally, into times, watched [][2]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	tally.add(m.tally)
	into.merge(m.times)
	m.tally = Tally{}
	m.times.reset()
	for i, w := range m.watched {
		watched[i][0] += w[0]
		watched[i][1] += w[1]
	}
}
