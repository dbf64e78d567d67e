package check

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
)

func TestBound(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		limit    string
		from, to time.Duration
		want     int64
	}{
		{"token:100/s,burst=200", 0, 0, 200},
		{"token:100/s,burst=200", 7, 7 + 10*time.Millisecond - 1, 200},
		{"token:100/s,burst=200", 7, 7 + 10*time.Millisecond, 201},
		{"token:100/s,burst=200", 3 * s, 8 * s, 700},
		{"leaky:3/s,burst=1", 0, 333333333, 1},
		{"leaky:3/s,burst=1", 0, 333333334, 2},
		{"token:1000000000/s,burst=1", 0, math.MaxInt64, math.MaxInt64},
		{"token:3/7d,burst=1000", 0, 100 * 365 * 24 * time.Hour, 1000 + 36500*3/7},
		{"fixed:10/s", 0, s - 1, 10},
		{"fixed:10/s", 0, s, 20},
		{"fixed:10/s", s - 1, s, 20}, // two windows in two nanoseconds
		{"fixed:10/s", s, 2*s - 1, 10},
		{"counter:10/s", s - 1, s, 20},
		{"log:10/s", s - 1, s, 10}, // the log's windows are not aligned
		{"log:10/s", 5, s + 4, 10},
		{"log:10/s", 5, s + 5, 20}, // a hit at 5 leaves at 1s+5 exactly
		{"log:10/s", s, 0, 0},
	} {
		l, err := engine.ParseLimit(c.limit)
		require.NoError(t, err)
		assert.Equal(t, c.want, Bound(l, c.from, c.to), "%s from %v to %v", c.limit, c.from, c.to)
	}
}

// Whoever takes all that there is at random instants gets no more than the
// bound, and for all but the counter sometimes exactly it: the bound is sharp.
func TestBoundHoldsAndIsSharp(t *testing.T) {
	for _, text := range []string{"token:7/s,burst=10", "leaky:60/m", "fixed:5/s", "counter:5/s", "log:5/s"} {
		l, err := engine.ParseLimit(text)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 2))
		sharp := false
		for range 500 {
			cell, err := bucket.NewCell(l)
			require.NoError(t, err)
			from := time.Duration(rng.Int64N(int64(3 * time.Second)))
			to, admitted := from, int64(0)
			for step := range 20 {
				if step > 0 {
					to += time.Duration(rng.Int64N(int64(time.Second)))
				}
				for cell.TakeAt(1, to).OK {
					admitted++
				}
			}
			most := Bound(l, from, to)
			require.LessOrEqual(t, admitted, most, "%s from %v to %v", text, from, to)
			sharp = sharp || admitted == most
		}
		if l.Algorithm != bucket.SlidingCounterAlgorithm {
			assert.True(t, sharp, text)
		}
	}
}

func TestBoundOfALimitThatChanges(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		first, then string
		want        int64
	}{
		{"token:10/s,burst=20", "token:100/s,burst=50", 50 + 10 + 100 + 2},
		{"token:10/s,burst=50", "token:100/s,burst=20", 50 + 10 + 100 + 2},
		{"fixed:10/s", "fixed:100/s", 20 + 200},
		{"fixed:10/s", "token:100/s,burst=20", 20 + 20 + 100 + 1},
	} {
		a, err := engine.ParseLimit(c.first)
		require.NoError(t, err)
		b, err := engine.ParseLimit(c.then)
		require.NoError(t, err)
		assert.Equal(t, c.want, BoundOf([]Span{{a, 0, s}, {b, s, 2 * s}}), "%s, then %s", c.first, c.then)
		assert.Equal(t, Bound(a, 0, s), BoundOf([]Span{{a, 0, s}}))
	}
}
