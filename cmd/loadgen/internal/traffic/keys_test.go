package traffic

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func TestKeyNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for i := range 200_000 {
		seen[Name(i)] = true
		seen[string(appendNew(nil, uint64(i)))] = true
	}
	assert.Len(t, seen, 400_000, "a harness of one key measures nothing")
	for want, got := range map[string]string{
		"client-000000000": Name(0), "client-000000007": Name(7), "client-000000010": Name(10), "client-049999999": Name(MaxKeys - 1),
		"new-000000000100": string(appendNew(nil, 100)), "new-099999999999": string(appendNew(nil, 99_999_999_999)),
	} {
		assert.Equal(t, want, got)
	}
}

func TestChoosers(t *testing.T) {
	const keys, n = 1000, 100_000
	for _, c := range []struct {
		ph    Phase
		first float64 // share of key 0
		seen  int     // at least this many keys
	}{
		{Phase{Dist: "uniform"}, 1. / keys, keys},
		{Phase{Dist: "hot", HotShare: 0.5}, 0.5, keys},
		{Phase{Dist: "hot", HotShare: 1}, 1, 1},
		{Phase{Dist: "zipf", Skew: 1.1}, 0.18, keys * 9 / 10},
	} {
		counts := map[uint32]int{}
		ch := newChooser(c.ph, keys, rng(1))
		for range n {
			counts[ch.next()]++
		}
		assert.InDelta(t, c.first, float64(counts[0])/n, 0.02, "%+v", c.ph)
		assert.GreaterOrEqual(t, len(counts), c.seen, "%+v", c.ph)
		for k := range counts {
			assert.Less(t, k, uint32(keys))
		}
		assert.Zero(t, newChooser(c.ph, 1, rng(1)).next(), "one key only")
	}
}

func TestZipfComesToTheTailInTheLongRun(t *testing.T) {
	z := newZipf(rng(1), 1.1, 100_000, 1000) // a ring of a thousand draws
	seen := map[uint32]bool{}
	for range 200_000 {
		seen[z.next()] = true
	}
	assert.Greater(t, len(seen), 3000)
}

func TestTrafficFollowsTheSeed(t *testing.T) {
	draw := func(seed uint64) (keys []uint32) {
		z := newZipf(rng(seed), 1.1, 1000, 0)
		for range 100 {
			keys = append(keys, z.next())
		}
		return keys
	}
	assert.Equal(t, draw(7), draw(7))
	assert.NotEqual(t, draw(7), draw(8))
}

func TestArrivals(t *testing.T) {
	for _, c := range []struct {
		ph      Phase
		workers int
		want    int // in one second
		delta   float64
		instant map[time.Duration]int
	}{
		{Phase{Rate: 1000, Arrivals: "even"}, 1, 1000, 0, map[time.Duration]int{0: 1, time.Millisecond: 1, 999 * time.Millisecond: 1}},
		{Phase{Rate: 1000, Arrivals: "even"}, 4, 1000, 0, map[time.Duration]int{0: 1, time.Millisecond: 1, 2 * time.Millisecond: 1}},
		{Phase{Rate: 1000, Arrivals: "bursts", Burst: 250}, 4, 1000, 0, map[time.Duration]int{0: 250, 250 * time.Millisecond: 250}},
		{Phase{Rate: 1000, Arrivals: "bursts", Burst: 3}, 4, 1002, 0, map[time.Duration]int{0: 3, 3 * time.Millisecond: 3}},
		{Phase{Rate: 100_000, Arrivals: "poisson"}, 1, 100_000, 2000, nil}, // more than six standard deviations
		{Phase{Rate: 100_000, Arrivals: "poisson"}, 4, 100_000, 2000, nil},
	} {
		got, total := map[time.Duration]int{}, 0
		for i := range c.workers {
			a := newArrivals(c.ph, i, c.workers, rng(uint64(i)))
			for a != nil && a.next < float64(time.Second) {
				got[a.due()]++
				total++
			}
		}
		assert.InDelta(t, c.want, total, c.delta, "%+v by %d", c.ph, c.workers)
		for at, n := range c.instant {
			assert.Equal(t, n, got[at], "%+v by %d at %v", c.ph, c.workers, at)
		}
	}
}

func TestPoissonGapsAreExponential(t *testing.T) {
	a := newArrivals(Phase{Rate: 1000, Arrivals: "poisson"}, 0, 1, rng(3))
	var before time.Duration
	long, n := 0, 100_000
	for range n {
		at := a.due()
		if at-before > time.Millisecond { // longer than the mean
			long++
		}
		before = at
	}
	assert.InDelta(t, 1/math.E, float64(long)/float64(n), 0.01)
}

func TestCountsBeyond32Bits(t *testing.T) {
	c := newCounts(2)
	for range 3 {
		c.add(1, math.MaxUint32, true)
	}
	c.add(1, 5, false)
	admitted, denied := c.get(1)
	assert.Equal(t, int64(3*math.MaxUint32), admitted)
	assert.Equal(t, int64(5), denied)
	for range 2 {
		c.add(0, math.MaxInt64, false)
	}
	admitted, denied = c.get(0)
	assert.Zero(t, admitted)
	assert.Equal(t, int64(math.MaxInt64), denied, "it stays at the end")
}

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		whole int64
		n     int
	}{{0, 3}, {1, 4}, {10, 3}, {20000, 7}} {
		sum := int64(0)
		for i := range c.n {
			sum += quota(c.whole, i, c.n)
		}
		assert.Equal(t, c.whole, sum)
	}
}
