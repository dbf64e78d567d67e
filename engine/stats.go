package engine

import (
	"github.com/limit64/limit64/bucket"
	"github.com/puzpuzpuz/xsync/v3"
)

// counts are the counters that decisions touch: striped, so that goroutines on
// different processors do not contend. A nil *counts counts nothing.
type counts struct {
	reasons [bucket.Reasons]*xsync.Counter
	retries *xsync.Counter
	shared  *xsync.Counter
}

func newCounts(off bool) *counts {
	if off {
		return nil
	}
	c := &counts{retries: xsync.NewCounter(), shared: xsync.NewCounter()}
	for i := range c.reasons {
		c.reasons[i] = xsync.NewCounter()
	}
	return c
}

func (c *counts) count(r Reason) {
	if c != nil {
		c.reasons[r].Inc()
	}
}

// tally counts the decisions of a batch, for counts to add at its end.
type tally [bucket.Reasons]int64

func (t *tally) count(r Reason) { t[r]++ }

func (c *counts) add(t *tally) {
	if c == nil {
		return
	}
	for r, n := range t {
		if n != 0 {
			c.reasons[r].Add(n)
		}
	}
}

func (c *counts) retry() {
	if c != nil {
		c.retries.Inc()
	}
}

func (c *counts) share() {
	if c != nil {
		c.shared.Inc()
	}
}

// Stats are totals since New, except Keys and Shards, which are current. With
// Config.NoStats those that count decisions stay 0.
type Stats struct {
	// Admitted requests, Untracked ones included.
	Admitted uint64
	// Denied requests: the sum of Limited, TooLarge, InvalidN and Saturated.
	Denied uint64
	// Limited: denied for want of tokens.
	Limited uint64
	// TooLarge: n above the capacity.
	TooLarge uint64
	// InvalidN: n of zero or less.
	InvalidN uint64
	// Saturated: new keys denied because the table was full.
	Saturated uint64
	// Untracked: new keys admitted although the table was full.
	Untracked uint64
	// Shadowed: denials, and among those counted in Denied, that were let
	// through all the same, because the limit only reports for their keys.
	Shadowed uint64
	// Shared: look-ups of new keys that got a shared bucket because the table
	// was full.
	Shared uint64
	// Retries of a compare-and-swap that another request won, or of a log that
	// was being forgotten.
	Retries uint64
	// Keys held, idle ones included until they are swept.
	Keys int
	// Forgotten keys: swept when idle, or dropped by Forget.
	Forgotten uint64
	// Shards of the table, and how often one was split, merged, or had its base
	// instant moved; Spilled counts keys put aside because too many hashes agree.
	Shards                           int
	Splits, Merges, Rebases, Spilled uint64
}

// Stats returns the counts. Each is exact once the decisions it counts have
// returned; they are not read at one instant.
func (e *Engine) Stats() Stats {
	var s Stats
	if c := e.counts; c != nil {
		of := func(r Reason) uint64 { return uint64(c.reasons[r].Value()) }
		s.Limited, s.TooLarge, s.InvalidN, s.Saturated, s.Untracked = of(Denied), of(TooLarge), of(InvalidN), of(Saturated), of(Untracked)
		s.Shadowed = of(Shadowed)
		s.Admitted = of(Admitted) + s.Untracked
		s.Denied = s.Limited + s.TooLarge + s.InvalidN + s.Saturated
		s.Retries, s.Shared = uint64(c.retries.Value()), uint64(c.shared.Value())
	}
	if e.logs != nil {
		s.Keys, s.Forgotten = e.logs.len(), e.logs.forgotten.Load()
		return s
	}
	t := e.words.table.Stats()
	s.Keys, s.Forgotten, s.Shards = t.Keys, t.Forgotten, t.Shards
	s.Splits, s.Merges, s.Rebases, s.Spilled = t.Splits, t.Merges, t.Rebases, t.Spilled
	return s
}
