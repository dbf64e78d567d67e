package traffic

import (
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/check"
)

// Interval is what came in from At-Length to At.
type Interval struct {
	At     time.Duration `json:"at_ns"`
	Length time.Duration `json:"length_ns"`
	Phase  int           `json:"phase"`
	Tally
	P50    time.Duration `json:"p50_ns"`
	P99    time.Duration `json:"p99_ns"`
	Max    time.Duration `json:"max_ns"`
	Heap   int64         `json:"heap_bytes"`
	Pauses Pauses        `json:"pauses"`
	// Since the start, in tokens of the watched keys: what they asked for and
	// got, and the most that the limit allows of what they asked for.
	WatchedAsked    int64 `json:"watched_asked"`
	WatchedAdmitted int64 `json:"watched_admitted"`
	WatchedAllowed  int64 `json:"watched_allowed"`
}

// PerSecond scales a count of the interval.
func (v Interval) PerSecond(n int64) float64 { return float64(n) / max(v.Length, 1).Seconds() }

// maxIntervals bounds a timeline: a longer one is thinned.
const maxIntervals = 600

// addInterval appends an interval. A timeline that is full has every two of its intervals
// made one first.
func addInterval(line []Interval, v Interval) []Interval {
	if len(line) < maxIntervals {
		return append(line, v)
	}
	thin := line[:0]
	for i := 0; i < len(line); i++ {
		if i+1 < len(line) && line[i].Phase == line[i+1].Phase {
			thin = append(thin, line[i].merge(line[i+1]))
			i++
		} else {
			thin = append(thin, line[i])
		}
	}
	return append(thin, v)
}

// merge joins an interval and the next. Percentiles of the whole are not known any
// more; the larger ones are kept.
func (v Interval) merge(next Interval) Interval {
	tally := v.Tally
	tally.add(next.Tally)
	pauses := v.Pauses
	pauses.add(next.Pauses)
	next.Tally, next.Pauses = tally, pauses
	next.Length += v.Length
	next.P50, next.P99, next.Max = max(v.P50, next.P50), max(v.P99, next.P99), max(v.Max, next.Max)
	next.Heap = max(v.Heap, next.Heap)
	return next
}

// recorder turns what the meters hold into intervals and phases.
type recorder struct {
	meters   []*meter
	pauses   *pauseReader
	recent   times // of the interval
	watched  [][2]int64
	timeline []Interval
	from     time.Duration // where the next interval begins
	phase    times         // of the phase
	tally    Tally
	total    times
	all      Tally
	peak     int64
	gc       Pauses
}

func newRecorder(workers []*worker) *recorder {
	r := &recorder{pauses: newPauseReader(), recent: newTimes(), phase: newTimes(), total: newTimes()}
	for _, w := range workers {
		r.meters = append(r.meters, w.meter)
	}
	r.watched = make([][2]int64, len(r.meters[0].watched))
	return r
}

// tick closes the interval at; spans are what the limit was until then. The instant
// is read before the meters, so the allowed line may be a little too low, and by
// no more than what came in meanwhile.
func (r *recorder) tick(at time.Duration, phase int, spans []check.Span) Interval {
	v := Interval{At: at, Length: at - r.from, Phase: phase, Heap: heapNow(), Pauses: r.pauses.next()}
	r.from = at
	clear(r.watched)
	r.recent.reset()
	for _, m := range r.meters {
		m.drain(&v.Tally, r.recent, r.watched)
	}
	bound := check.BoundOf(spans)
	for _, w := range r.watched {
		asked := check.Plus(w[0], w[1])
		v.WatchedAsked = check.Plus(v.WatchedAsked, asked)
		v.WatchedAdmitted = check.Plus(v.WatchedAdmitted, w[0])
		v.WatchedAllowed = check.Plus(v.WatchedAllowed, min(asked, bound))
	}
	h := r.recent.latency
	v.P50, v.P99, v.Max = time.Duration(h.ValueAtQuantile(50)), time.Duration(h.ValueAtQuantile(99)), time.Duration(h.Max())
	r.phase.merge(r.recent)
	r.tally.add(v.Tally)
	r.peak = max(r.peak, v.Heap)
	r.gc.add(v.Pauses)
	if v.Length > 0 || v.Requests > 0 {
		r.timeline = extend(r.timeline, v)
	}
	return v
}

// shortest is the length of an interval that stands by itself. On a machine that is
// late, one tick comes right after the other: a rate in so short a time is none.
const shortest = tickEvery / 4

// extend is addInterval, but joins a short interval to its neighbour of the phase.
func extend(line []Interval, v Interval) []Interval {
	if n := len(line) - 1; n >= 0 && line[n].Phase == v.Phase && min(line[n].Length, v.Length) < shortest {
		line[n] = line[n].merge(v)
		return line
	}
	return addInterval(line, v)
}

// endPhase sums up the ticks since the last phase.
func (r *recorder) endPhase(ph Phase, elapsed time.Duration) PhaseResult {
	out := result(ph.Name, ph.Rate > 0, elapsed, r.tally, r.phase)
	r.total.merge(r.phase)
	r.all.add(r.tally)
	r.phase.reset()
	r.tally = Tally{}
	return out
}

func result(name string, open bool, elapsed time.Duration, tally Tally, t times) PhaseResult {
	return PhaseResult{
		Name: name, Open: open, Elapsed: elapsed, Tally: tally,
		PerSecond: float64(tally.Requests) / max(elapsed, 1).Seconds(),
		Latency:   percentiles(t.latency), Call: percentiles(t.call), Distribution: distribution(t.latency),
	}
}
