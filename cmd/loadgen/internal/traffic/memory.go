package traffic

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Pauses are stops of the whole program for garbage collection.
type Pauses struct {
	Count int           `json:"count"`
	Max   time.Duration `json:"max_ns"`
	Total time.Duration `json:"total_ns"`
}

func (p *Pauses) add(q Pauses) {
	p.Count += q.Count
	p.Max = max(p.Max, q.Max)
	p.Total += q.Total
}

// pauseReader reads the pauses since it was asked last.
type pauseReader struct {
	stats debug.GCStats
	seen  int64
}

func newPauseReader() *pauseReader {
	r := &pauseReader{}
	r.next()
	return r
}

func (r *pauseReader) next() (p Pauses) {
	debug.ReadGCStats(&r.stats)
	// The newest comes first; the runtime keeps the last 256.
	for _, d := range r.stats.Pause[:min(r.stats.NumGC-r.seen, int64(len(r.stats.Pause)))] {
		p.add(Pauses{1, d, d})
	}
	r.seen = r.stats.NumGC
	return p
}

// heapNow returns the bytes of objects on the heap, dead ones not yet swept
// included; it stops nobody.
func heapNow() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// heapLive returns the bytes of live objects, after a garbage collection.
func heapLive() int64 {
	runtime.GC()
	return heapNow()
}
