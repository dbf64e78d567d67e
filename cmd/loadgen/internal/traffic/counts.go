package traffic

import (
	"math"

	"github.com/limit64/limit64/cmd/loadgen/internal/check"
)

// counts are the tokens that one worker asked of each key. Eight bytes a key let
// millions of keys be counted by several workers; what does not fit goes to a
// map, which only keys with billions of tokens reach.
type counts struct {
	low  []pair
	high map[uint32][2]int64
}

type pair struct{ admitted, denied uint32 }

func newCounts(keys int) *counts {
	return &counts{low: make([]pair, keys), high: map[uint32][2]int64{}}
}

func (c *counts) add(key uint32, n int64, admitted bool) {
	p := &c.low[key]
	at := &p.denied
	if admitted {
		at = &p.admitted
	}
	if sum := uint64(*at) + uint64(n); sum <= math.MaxUint32 {
		*at = uint32(sum)
		return
	}
	h := c.high[key]
	if admitted {
		h[0] = check.Plus(h[0], n)
	} else {
		h[1] = check.Plus(h[1], n)
	}
	c.high[key] = h
}

func (c *counts) get(key int) (admitted, denied int64) {
	p, h := c.low[key], c.high[uint32(key)]
	return check.Plus(h[0], int64(p.admitted)), check.Plus(h[1], int64(p.denied))
}
