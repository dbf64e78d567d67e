package script

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryScriptHasBytes(t *testing.T) {
	const seed = 5
	ops := Draw(rand.New(rand.NewPCG(seed, seed)), 5_000, 200, 100, time.Hour)
	ops = append(ops, Op{Limit, 255, math.MinInt64, math.MaxInt64}, Op{Take, 0, math.MaxInt64, 0})
	require.Equal(t, ops, Decode(Encode(nil, ops...)))
	seen := map[Kind]int{}
	for _, o := range ops {
		seen[o.Kind]++
	}
	require.Len(t, seen, int(kinds), "Draw makes all kinds but limits")
	require.Contains(t, Text(ops[:3]), "after")
}

// Any bytes are a script; written again, it is the same.
func FuzzCoding(f *testing.F) {
	f.Add(Encode(nil, Op{Take, 1, 2, 3}, Op{Forget, 255, -1, math.MaxInt64}))
	f.Add([]byte{0, 0, 0x80, 0x80})                                       // cut off within a number
	f.Add(bytes.Repeat([]byte{0xff}, 30))                                 // a number of more than 64 bits
	f.Add([]byte("\x07\x00\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")) // a step of 2^64-1
	f.Fuzz(func(t *testing.T, data []byte) {
		ops := Decode(data)
		for _, o := range ops {
			require.Less(t, o.Kind, kinds)
			require.GreaterOrEqual(t, o.Step, time.Duration(0))
		}
		again := Decode(Encode(nil, ops...))
		require.Equal(t, ops, again)
	})
}
