// Package suggest finds the smallest limits under which a recorded log would have
// passed, but for a share of its clients or requests.
package suggest

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limit64/limit64/bucket"
)

// Trace is who asked when. It holds 12 bytes a request, and each client's key while
// it grows.
type Trace struct {
	ids     map[string]uint32
	clients []uint32 // of each request
	at      []int64  // of each request, nanoseconds since 1970
}

// NewTrace returns an empty trace.
func NewTrace() *Trace { return &Trace{ids: map[string]uint32{}} }

// Add adds a request, in any order.
func (t *Trace) Add(at int64, key string) {
	id, known := t.ids[key]
	if !known {
		id = uint32(len(t.ids))
		// Not key itself: that is a part of its whole line.
		t.ids[string([]byte(key))] = id
	}
	t.clients, t.at = append(t.clients, id), append(t.at, at)
}

// Log is a trace by client. Instants count from the earliest of all, as in a
// replay.
type Log struct {
	Requests int64
	Span     time.Duration
	clients  [][]time.Duration // of each its instants in order; the busiest first
}

// ByClient sorts the trace, which is of no use afterwards.
func (t *Trace) ByClient() *Log {
	l := &Log{Requests: int64(len(t.at)), clients: make([][]time.Duration, len(t.ids))}
	if len(t.at) == 0 {
		return l
	}
	first := slices.Min(t.at)
	l.Span = time.Duration(slices.Max(t.at) - first)
	counts := make([]int, len(t.ids))
	for _, id := range t.clients {
		counts[id]++
	}
	all := make([]time.Duration, len(t.at))
	for id, n := range counts {
		l.clients[id], all = all[:0:n], all[n:]
	}
	for i, id := range t.clients {
		l.clients[id] = append(l.clients[id], time.Duration(t.at[i]-first))
	}
	*t = Trace{}
	for _, at := range l.clients {
		slices.Sort(at)
	}
	slices.SortFunc(l.clients, func(a, b []time.Duration) int { return cmp.Compare(len(b), len(a)) })
	return l
}

// Clients is how many there are.
func (l *Log) Clients() int { return len(l.clients) }

func (l *Log) busiest() int64 { return int64(len(l.clients[0])) }

// Refusals are what a limit refuses: requests, and clients that it refuses any.
type Refusals struct {
	Clients  int64 `json:"clients"`
	Requests int64 `json:"requests"`
}

// refused decides about every request of every client that has more of them than
// the limit's capacity: nobody else can be refused anything.
func (l *Log) refused(limit bucket.Limit) (Refusals, error) {
	if err := limit.Validate(); err != nil {
		return Refusals{}, err
	}
	var next, clients, requests atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(l.clients)) && int64(len(l.clients[i])) > limit.Capacity(); i = next.Add(1) - 1 {
				if n := refusedOf(l.clients[i], limit); n > 0 {
					clients.Add(1)
					requests.Add(n)
				}
			}
		})
	}
	wg.Wait()
	return Refusals{clients.Load(), requests.Load()}, nil
}

func refusedOf(at []time.Duration, limit bucket.Limit) (n int64) {
	cell, err := bucket.NewCell(limit)
	if err != nil {
		return math.MaxInt64 // cannot be: it is valid
	}
	for _, now := range at {
		if !cell.TakeAt(1, now).OK {
			n++
		}
	}
	return n
}
