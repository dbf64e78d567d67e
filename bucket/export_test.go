package bucket

import "unsafe"

// Exact reports whether a rule rounds nothing, for those that may.
func Exact(r Rule) (exact, mayRound bool) {
	switch r := r.(type) {
	case *spent:
		return r.earn.den == 1, true
	case *counter:
		return r.shift == 0, true
	}
	return true, false
}

// Units is how many units a token of a token or leaky bucket has, and Step in
// what steps a counter keeps its previous window; 0 for other rules.
func Units(r Rule) uint64 {
	if r, ok := r.(*spent); ok {
		return r.unit.d
	}
	return 0
}

func Step(r Rule) int64 {
	if r, ok := r.(*counter); ok {
		return 1 << r.shift
	}
	return 0
}

// Horizon is how many units may lack at a turn that is promised.
func Horizon(r Rule) uint64 { return r.(*spent).horizon }

// LogSize is what a log takes beside its ring.
func LogSize() uintptr { return unsafe.Sizeof(LogCell{}) }

// RingLen is the capacity of a log's ring.
func RingLen(g *Log) int { return len(g.ring) }

// TurnsHeld is the length of a cell's list of turns.
func TurnsHeld(c *Cell) int { return c.turns.Load().turns.length }
