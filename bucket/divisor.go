package bucket

import "math/bits"

// Divisor divides by a number fixed at construction: a multiplication instead
// of the processor's division.
//
// With m = floor((2^64-1)/d), m·d > 2^64 - 1 - d, so x·m/2^64 > x/d - 1 for
// every x below 2^64, and it is at most x/d. The floor of it is therefore the
// quotient or one less, and one correction makes it exact.
type Divisor struct{ d, m uint64 }

// NewDivisor returns the divisor d, which must not be 0.
func NewDivisor(d uint64) Divisor { return Divisor{d: d, m: ^uint64(0) / d} }

// Value returns the number that it divides by.
func (v Divisor) Value() uint64 { return v.d }

// Div returns the quotient and the remainder of x / d.
func (v Divisor) Div(x uint64) (q, r uint64) {
	q, _ = bits.Mul64(x, v.m)
	r = x - q*v.d
	if r >= v.d {
		q, r = q+1, r-v.d
	}
	return q, r
}
