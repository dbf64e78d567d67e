package shard

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/limit64/limit64/fuzz/script"
	"github.com/stretchr/testify/require"
)

// FuzzTable plays a script on a table, with a hash of which fuzzing chooses the bits,
// beside a map that remembers every count. Keys live for ever, or for a while: then
// one that was idle may have been dropped, and starts again from what its epoch was
// born with.
func FuzzTable(f *testing.F) {
	for i, bits := range []int8{0, 4, -1} {
		rng := rand.New(rand.NewPCG(uint64(i), 2))
		f.Add(bits, uint8(20*i), script.Encode(nil, script.Draw(rng, 120, 40, 3, 30)...))
	}
	f.Fuzz(func(t *testing.T, bits int8, lifetime uint8, data []byte) {
		ops := script.Decode(data)
		if len(ops) > 400 {
			ops = ops[:400]
		}
		rules := countRules{lifetime: uint64(lifetime)}
		if lifetime == 0 {
			rules.lifetime = forever
		}
		tb := New(rules, Options{HashBits: int(bits) % 65, MaxKeys: 100_000})
		known := map[string]touched{}
		now := time.Duration(0)
		for i, o := range ops {
			now += o.Step % 64
			at := func() string {
				return fmt.Sprintf("bits %d, lifetime %d, step %d of\n%s", bits, lifetime, i, script.Text(ops[:i+1]))
			}
			key := strings.Repeat(string([]byte{o.Key}), int(o.Key)%20) + string([]byte{o.Key})
			switch o.Kind {
			case script.Take:
				// Many keys at once, so that shards fill and split.
				for k := range min(o.N, 40) {
					key := fmt.Sprint(key, k)
					was, is := known[key], touch(tb, key, now)
					require.True(t, is == was.count+1 || is == 1 && was.idle(rules, now), "%q: %d after %+v, %s", key, is, was, at())
					known[key] = touched{is, now}
				}
			case script.Peek:
				for key, was := range known {
					is := count(tb, key)
					require.True(t, is == was.count || is == 0 && was.idle(rules, now), "%q: %d after %+v, %s", key, is, was, at())
				}
			case script.Forget:
				key := fmt.Sprint(key, 0)
				was, has := known[key]
				gone := tb.Forget(tb.Hash(key), key, now)
				require.True(t, gone == has || !gone && was.idle(rules, now), at())
				delete(known, key)
				require.Zero(t, count(tb, key))
			case script.Sweep:
				tb.SweepAll(now)
			case script.Limit:
				tb.Replace(0, 0, now) // every shard anew
			}
			require.LessOrEqual(t, tb.Len(), len(known), at())
		}
		live := 0
		for _, was := range known {
			if !was.idle(rules, now) {
				live++
			}
		}
		require.GreaterOrEqual(t, tb.Len(), live)
	})
}

// touched is what the map remembers of a key.
type touched struct {
	count uint64
	at    time.Duration
}

// idle reports whether a sweep may have dropped the key: a key that was born later
// than it was touched looks younger.
func (k touched) idle(r countRules, now time.Duration) bool {
	return k.count == 0 || uint64(k.at)+r.lifetime <= uint64(now)
}
