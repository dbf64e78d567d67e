package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limiters runs a test for every peer that decides: all but the floor.
func limiters(t *testing.T, test func(t *testing.T, p Peer)) {
	for _, p := range peers[1:] {
		t.Run(p.name, func(t *testing.T) { test(t, p) })
	}
}

func open(t *testing.T, p Peer, l Limit) Limiter {
	limiter := p.open(l, 1)
	t.Cleanup(func() { shut(limiter) })
	return limiter
}

// Each key has a budget of its own, and all of it. This also shows that no peer
// always says yes, or no.
func TestEveryKeyHasItsOwnBudget(t *testing.T) {
	limiters(t, func(t *testing.T, p Peer) {
		const burst, keys = 3, 500
		l := open(t, p, Limit{burst: burst, per: 24 * time.Hour})
		admitted := map[string]int{}
		for range burst + 2 {
			for _, k := range newKeys(keys) {
				if l.Allow(k) {
					admitted[k]++
				}
			}
		}
		require.Len(t, admitted, keys)
		for k, n := range admitted {
			require.Equal(t, burst, n, "key %x", k)
		}
	})
}

// What was spent comes back: a peer whose time stood still would be fast.
func TestTokensComeBack(t *testing.T) {
	limiters(t, func(t *testing.T, p Peer) {
		l := open(t, p, Limit{burst: 1, per: 20 * time.Millisecond})
		require.True(t, l.Allow("k"))
		require.Eventually(t, func() bool { return l.Allow("k") }, 5*time.Second, time.Millisecond)
	})
}

// The floor always says yes, and counts each decision once.
func TestFloorCounts(t *testing.T) {
	keys := newKeys(1000)
	f := floor.open(Limit{}, len(keys)).(flat)
	fill(f, keys)
	fill(f, keys)
	sum := uint64(0)
	for i := range f {
		sum += f[i].Load()
	}
	require.Len(t, f, 1024)
	require.EqualValues(t, 2*len(keys), sum)
}

func TestAdaptersAreShortAndSayHowTheyDiffer(t *testing.T) {
	files, err := filepath.Glob("peer_*.go")
	require.NoError(t, err)
	adapters := 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		adapters++
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		require.Contains(t, string(text), "// Differs: ", f)
		require.Less(t, strings.Count(string(text), "\n"), 40, f)
	}
	require.GreaterOrEqual(t, adapters, 8)
}

func TestPeersHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range peers {
		require.False(t, seen[p.name], p.name)
		seen[p.name] = true
	}
	require.Equal(t, floorName, peers[0].name)
	require.True(t, seen[exactName] && seen[coarseName])
}

// liar admits everything: what overAdmission must show.
type liar struct{ asked *atomic.Int64 }

func (l liar) Allow(string) bool { l.asked.Add(1); return true }

func TestOverAdmissionShowsALiar(t *testing.T) {
	lying := Peer{name: "liar", open: func(Limit, int) Limiter { return liar{new(atomic.Int64)} }}
	require.Greater(t, overAdmission(lying, 20*time.Millisecond), 1.5)
	for _, p := range []Peer{limit64Exact, limit64Coarse} {
		got := overAdmission(p, 20*time.Millisecond)
		require.LessOrEqual(t, got, 1.0, p.name)
		require.Positive(t, got, p.name)
	}
}

func TestAllows(t *testing.T) {
	l := Limit{burst: 10, per: time.Second}
	for _, c := range []struct {
		in   time.Duration
		want float64
	}{{0, 10}, {time.Second, 20}, {250 * time.Millisecond, 12.5}} {
		require.InDelta(t, c.want, l.allows(c.in), 1e-9, fmt.Sprint(c.in))
	}
	require.Equal(t, 100*time.Millisecond, l.interval())
}
