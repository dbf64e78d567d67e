package bucket

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// edges are numbers around powers of two and other places where rounding errs.
func edges(rng *rand.Rand) uint64 {
	x := uint64(1)<<rng.IntN(64) + rng.Uint64N(5) - 2
	if rng.IntN(2) == 0 {
		x = rng.Uint64() >> rng.IntN(64)
	}
	return x
}

func TestDivisorDividesExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	for range 200_000 {
		d, x := max(1, edges(rng)), edges(rng)
		q, r := NewDivisor(d).Div(x)
		require.Equal(t, [2]uint64{x / d, x % d}, [2]uint64{q, r}, "%d / %d", x, d)
	}
}

func TestRatioMultipliesExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	checked := 0
	for range 300_000 {
		num, den, x := max(1, edges(rng)), max(1, edges(rng)>>1), edges(rng)
		g := gcd(num, den)
		num, den = num/g, den/g
		hi, lo := bits.Mul64(x, num)
		if hi >= den {
			continue // the quotient does not fit
		}
		want, rest := bits.Div64(hi, lo, den)
		r := newRatio(num, den)
		q, fraction := r.floor(x)
		require.Equal(t, want, q, "%d · %d / %d", x, num, den)
		require.Equal(t, rest != 0, fraction == 1)
		checked++
	}
	require.Greater(t, checked, 50_000)
}

// when is the inverse of earned, for every limit and instant.
func TestWhenIsTheLeastInstant(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	for range 20_000 {
		tokens, period := 1+rng.Int64N(1<<rng.IntN(60)), 1+rng.Int64N(1<<rng.IntN(61))
		l := Limit{Algorithm: TokenBucketAlgorithm, Tokens: tokens, Period: time.Duration(period), Burst: 1 + rng.Int64N(1<<rng.IntN(60))}
		if l.Validate() != nil {
			continue
		}
		s := newSpent(l)
		k, _ := s.earned(rng.Uint64N(s.span))
		x := k + rng.Uint64N(s.capacity)
		at := s.when(x)
		if at > s.span {
			continue
		}
		got, _ := s.earned(at)
		require.GreaterOrEqual(t, got, x, "%v: K(when(x)) < x", l)
		if at > 0 {
			got, _ = s.earned(at - 1)
			require.Less(t, got, x, "%v: when(x) is not the least", l)
		}
	}
}
