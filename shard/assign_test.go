package shard

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// named are rules that say by whom a word was last converted, in its count:
// converting adds 1000·to.
type named struct {
	countRules
	current *atomic.Uint32 // the rule of plan 0
}

func (r named) Assign(key string, plan int) uint16 {
	if plan == 0 {
		return uint16(r.current.Load())
	}
	return uint16(plan)
}
func (r named) Convert(_, to uint16, v, _ uint64) uint64 { return v + 1000*uint64(to) }

func newNamed(bits int) (*Table, named) {
	r := named{countRules{lifetime: forever}, new(atomic.Uint32)}
	return New(r, Options{HashBits: bits}), r
}

func TestReplaceConvertsEveryKeyOfARule(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			tb, rules := newNamed(mode.bits)
			const keys = 3000
			for i := range keys {
				key := fmt.Sprint(i)
				tb.Acquire(tb.Hash(key), key, i%2*7, 1)
				touch(tb, key, 1)
			}
			rules.current.Store(9)
			tb.Replace(0, 9, 1)
			for i := range keys {
				want := uint64(1)
				if i%2 == 0 {
					want = 9001
				}
				require.Equal(t, want, count(tb, fmt.Sprint(i)))
			}
			require.True(t, tb.Reassign(tb.Hash("1"), "1", 3, 1))
			require.EqualValues(t, 3001, count(tb, "1"))
			require.EqualValues(t, 1, count(tb, "3"), "only the one key")
			require.True(t, tb.Reassign(tb.Hash("1"), "1", 3, 1))
			require.EqualValues(t, 3001, count(tb, "1"), "it has the rule already")
			require.False(t, tb.Reassign(tb.Hash("unknown"), "unknown", 3, 1))
			require.EqualValues(t, keys, tb.Len())
		})
	}
}

// Keys that are made and touched while rules are replaced end with the new rule,
// and no touch is lost.
func TestReplaceUnderTraffic(t *testing.T) {
	tb, rules := newNamed(0)
	var wg sync.WaitGroup
	for g := range 2 {
		wg.Go(func() {
			for i := range 20_000 {
				touch(tb, fmt.Sprint(g, "-", i), 1)
			}
		})
	}
	last := uint16(0)
	for to := range uint16(40) { // 1000·(1 + 2 + … + 40) has room in a count
		rules.current.Store(uint32(to + 1))
		tb.Replace(last, to+1, 1)
		last = to + 1
	}
	wg.Wait()
	for g := range 2 {
		for i := range 20_000 {
			key := fmt.Sprint(g, "-", i)
			_, slot, _ := tb.Lookup(tb.Hash(key), key)
			require.Equal(t, last, slot.Rule())
			require.EqualValues(t, 1, countOf(Value(slot.Load()))%1000)
		}
	}
}
