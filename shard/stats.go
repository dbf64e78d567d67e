package shard

import "sync/atomic"

// counts are written on the slow paths only, under some shard's lock, so plain
// atomics cost nothing that matters.
type counts struct{ forgotten, splits, merges, rebases, spilled atomic.Uint64 }

// Stats are totals since New, but for Keys and Shards, which are current.
type Stats struct {
	// Keys held, idle ones included.
	Keys int
	// Shards they lie in.
	Shards int
	// Forgotten keys: idle when swept, or dropped by Forget.
	Forgotten uint64
	// Splits and Merges of shards.
	Splits, Merges uint64
	// Rebases: epochs begun because an instant lay beyond the span of the words.
	Rebases uint64
	// Spilled: keys that found no slot within the probe bound, counted each time
	// that they are put aside.
	Spilled uint64
}

// Stats returns the counts. Each is exact; they are not read at one instant.
func (t *Table) Stats() Stats {
	t.dirMu.Lock()
	shards := t.shards
	t.dirMu.Unlock()
	return Stats{
		Keys: t.Len(), Shards: shards,
		Forgotten: t.counts.forgotten.Load(),
		Splits:    t.counts.splits.Load(), Merges: t.counts.merges.Load(),
		Rebases: t.counts.rebases.Load(), Spilled: t.counts.spilled.Load(),
	}
}
