package replay

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sorted feeds instants and returns them as they are released.
func sorted(window time.Duration, most int, ats ...int64) (out []int64, late int64, held int) {
	r := newReorder(window, most, func(q request) { out = append(out, q.at) })
	for _, at := range ats {
		r.add(at, nil)
		held = max(held, len(r.held))
	}
	r.flush()
	return out, r.late, held
}

func TestReorder(t *testing.T) {
	for _, c := range []struct {
		name   string
		window time.Duration
		most   int
		in     []int64
		want   []int64
		late   int64
	}{
		{"inside the window", 10, 99, []int64{5, 15, 6, 12}, []int64{5, 6, 12, 15}, 0},
		{"exactly the window", 10, 99, []int64{5, 15, 5}, []int64{5, 5, 15}, 0},
		{"outside, decided at the instant reached", 10, 99, []int64{5, 20, 31, 6, 32}, []int64{5, 20, 20, 31, 32}, 1},
		{"outside, but nothing overtook it", 10, 99, []int64{20, 5, 21}, []int64{5, 20, 21}, 0},
		{"no window", 0, 99, []int64{2, 3, 4, 2}, []int64{2, 3, 3, 4}, 1},
		{"full buffer", 1000, 2, []int64{1, 5, 9, 0}, []int64{1, 1, 5, 9}, 1},
	} {
		got, late, _ := sorted(c.window, c.most, c.in...)
		assert.Equal(t, c.want, got, c.name)
		assert.Equal(t, c.late, late, c.name)
	}
}

func TestReorderIsStableAndBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var got []request
	r := newReorder(time.Second, 1000, func(q request) { got = append(got, q) })
	for i := range int64(50_000) {
		r.add(i*int64(time.Millisecond)/10-rng.Int64N(int64(50*time.Millisecond))/1000*1000, nil)
		require.LessOrEqual(t, len(r.held), 1000)
	}
	r.flush()
	require.Len(t, got, 50_000)
	require.Zero(t, r.late)
	assert.True(t, slices.IsSortedFunc(got, func(a, b request) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return int(a.seq - b.seq)
	}))
}
