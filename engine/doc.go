// Package engine decides, millions of times a second, whether a key may pass now
// and, if not, when: a rate limiter to embed in the request path.
//
//	limiter, err := engine.New(engine.Config{Limit: engine.PerSecond(100, engine.Burst(20))})
//	d := limiter.Take(user, 1)
//	if !d.OK { … d.RetryAfter … }
//
// A key's whole state is one 64-bit word in a table without pointers. A resident
// key is decided without a lock and without allocation. See package bucket for
// the arithmetic and package shard for the table; this package joins them with a
// clock, a bound on memory, and counts.
//
// # Guarantees
//
// For every algorithm, every limit that New accepts, every n and every
// interleaving: an engine never admits more than the limit's bound; rounding
// never adds up; a denial writes nothing; RetryAfter is exact to the nanosecond
// if nobody else asks; instants that run backwards never mint tokens; forgetting
// a key changes no answer; keys are compared in full.
//
// # Progress
//
// Take, Peek and Return on a resident key are lock-free: a compare-and-swap
// fails only because another one succeeded. A key's first request, and a request
// that meets its shard while that is being rebuilt, block on the shard's lock for
// some ten microseconds. Sliding window logs block on a mutex of the key. Reserve
// and Cancel block on a lock of the key's turns, and so does Return on a limit that
// has granted turns ahead.
package engine
