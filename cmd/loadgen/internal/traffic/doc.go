// Package traffic makes requests by a plan and measures what a limiter does with
// them.
//
// # Loops
//
// A closed loop asks again as soon as it has an answer; it shows how fast the
// limiter is. Every sampleEvery-th request is timed. An open loop has a rate: each
// request has an intended instant, and its latency counts from there. A limiter
// that stalls for a second thus makes all that was due in this second late,
// instead of being asked less often and looking well.
//
// # Who writes what
//
// Each goroutine is a worker with keys, arrivals, counts per key and a meter of
// its own. The meter alone is shared: its worker adds a batch at a time under
// its lock, and the recorder takes out what came in, a few times a second.
package traffic
