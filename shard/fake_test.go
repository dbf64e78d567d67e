package shard

import (
	"math"
	"time"
)

// countRules give words a meaning that tests can see through: the value is the
// number of requests plus the instant of the last one, at<<20 | count, and a key
// is idle when its last request lies more than lifetime back. Rules differ in
// number only.
type countRules struct {
	lifetime uint64
	span     uint64
}

const countBits = 20

func (r countRules) Span() uint64 {
	if r.span == 0 {
		return math.MaxInt64 >> countBits
	}
	return r.span
}
func (r countRules) Assign(_ string, plan int) uint16        { return uint16(plan) }
func (r countRules) Shared() uint16                          { return 0 }
func (r countRules) Convert(_, _ uint16, v, _ uint64) uint64 { return v }
func (r countRules) Idle(_ uint16, v, dt uint64) bool {
	return countOf(v) == 0 || v>>countBits+r.lifetime <= dt
}
func (r countRules) Fresh(_ uint16, dt uint64) uint64 { return dt << countBits }
func (r countRules) Advance(dt uint64) uint64         { return dt - min(dt, r.Span()/2) }
func (r countRules) Rebase(_ uint16, v, d uint64) uint64 {
	return (v>>countBits-min(v>>countBits, d))<<countBits | countOf(v)
}

func countOf(v uint64) uint64 { return v & (1<<countBits - 1) }

// touch counts one request on a key, the way the engine takes a token, and
// returns the count that it left.
func touch(t *Table, key string, now time.Duration) uint64 {
	hash := t.Hash(key)
	base, slot := t.Find(hash, key)
	for {
		if slot != nil {
			v, dt := slot.Load(), since(now, base)
			if !Sealed(v) && dt <= t.rules.Span() {
				next := max(v>>countBits, dt)<<countBits | (countOf(v) + 1)
				if slot.CompareAndSwap(v, next) {
					return countOf(next)
				}
				continue
			}
			if dt > t.rules.Span() {
				t.Advance(hash, now)
			}
		}
		var status Status
		if base, slot, status = t.Acquire(hash, key, 0, now); status == Full {
			return 0
		}
	}
}

// count returns what touch has left on a key, 0 when it is not there.
func count(t *Table, key string) uint64 {
	for {
		_, slot, _ := t.Lookup(t.Hash(key), key)
		if slot == nil {
			return 0
		}
		if v := slot.Load(); !Sealed(v) {
			return countOf(v)
		}
	}
}

const forever = math.MaxInt64 >> countBits

// modes are the hashes that every test runs with: all of it, four bits, none.
var modes = []struct {
	name string
	bits int
}{{"hash=64bits", 0}, {"hash=4bits", 4}, {"hash=constant", -1}}
