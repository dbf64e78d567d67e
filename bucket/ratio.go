package bucket

import "math/bits"

// ratio multiplies by num/den exactly, rounding once, with multiplications only:
// the 128-bit division that it replaces takes ten times as long.
//
// With num/den = whole + frac/2^64 + e, where 0 <= e < 2^-64, the product
// x·whole + floor(x·frac/2^64) is the floor of x·num/den or one less, since
// x·e < 1 for every x below 2^64. The remainder tells which; it is below
// 2·den, so its low 64 bits are all of it. The quotient must fit in 64 bits and
// den in 63. num and den are coprime, so frac is 0 only where den is 1.
type ratio struct{ num, den, whole, frac uint64 }

func newRatio(num, den uint64) ratio {
	whole, rest := num/den, num%den
	return ratio{num: num, den: den, whole: whole, frac: first(bits.Div64(rest, 0, den))}
}

// floor returns x·num/den rounded down, and 1 when that dropped a fraction. Most
// limits are whole here, in one direction or in both.
func (r *ratio) floor(x uint64) (q, fraction uint64) {
	if r.frac == 0 {
		return x * r.whole, 0
	}
	return r.rounded(x)
}

func (r *ratio) rounded(x uint64) (q, fraction uint64) {
	hi, _ := bits.Mul64(x, r.frac)
	q = x*r.whole + hi
	rest := x*r.num - q*r.den
	if rest >= r.den {
		q, rest = q+1, rest-r.den
	}
	if rest != 0 {
		fraction = 1
	}
	return q, fraction
}

// ceil returns x·num/den rounded up.
func (r *ratio) ceil(x uint64) uint64 {
	q, fraction := r.floor(x)
	return q + fraction
}
