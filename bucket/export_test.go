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

// LogSize is what a log takes beside its ring.
func LogSize() uintptr { return unsafe.Sizeof(LogCell{}) }

// RingLen is the capacity of a log's ring.
func RingLen(g *Log) int { return len(g.ring) }
