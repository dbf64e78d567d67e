package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// takes is a row of nsPerOp on 1,000 keys.
func takes(round int, peer string, value float64) row {
	return row{round: round, peer: peer, measure: nsPerOp, keys: 1000, dist: uniform, outcome: admitted, goroutines: 1, value: value}
}

func TestFigureIsTheMedianAndTheRange(t *testing.T) {
	rows := []row{takes(0, exactName, 30), takes(1, exactName, 10), takes(2, exactName, 20), takes(3, exactName, 100), takes(0, "other", 1)}
	f, ok := figureOf(rows, of(exactName, rows[0].what()))
	require.True(t, ok)
	require.Equal(t, figure{25, 10, 100}, f)
	_, ok = figureOf(rows, of("nobody", rows[0].what()))
	require.False(t, ok)
}

// Ratios are taken within a round, not of medians.
func TestOverFloorDividesWithinARound(t *testing.T) {
	got := overFloor([]row{takes(0, floorName, 10), takes(1, floorName, 20), takes(0, exactName, 30), takes(1, exactName, 30), takes(2, exactName, 30)})
	values := map[row]float64{}
	for _, r := range got {
		require.Equal(t, inFloors, r.measure)
		values[row{round: r.round, peer: r.peer}] = r.value
	}
	require.Equal(t, map[row]float64{
		{round: 0, peer: floorName}: 1, {round: 1, peer: floorName}: 1,
		{round: 0, peer: exactName}: 3, {round: 1, peer: exactName}: 1.5,
	}, values)
}

func TestLossesAreNamed(t *testing.T) {
	rows := []row{takes(0, floorName, 1), takes(0, exactName, 30), takes(0, coarseName, 3), takes(0, jujuPeer.name, 20), takes(0, ululePeer.name, 40)}
	lost := losses(rows)
	require.Len(t, lost, 1)
	require.Equal(t, jujuPeer.name, lost[0].peer)
	require.InDelta(t, 1.5, lost[0].factor, 1e-9)
	require.Equal(t, "ns/decision, 1e3 keys, admitted, uniform, 1 goroutines", lost[0].what.String())
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0004: "0", 0.0609: "0.0609", 2: "2", 12.34: "12.3", 123.4: "123", 439131: "439131"} {
		require.Equal(t, want, short(v))
	}
	for n, want := range map[int]string{1: "1", 64: "64", 100: "100", 1000: "1e3", 5_000_000: "5e6", 1200: "1200", 120000: "12e4"} {
		require.Equal(t, want, si(n))
	}
}

// The whole command on a small plan: every peer has a figure in every row that
// it should, and the report names them.
func TestRunWritesAReport(t *testing.T) {
	dir := t.TempDir()
	var progress strings.Builder
	require.NoError(t, run(strings.Fields("-keys 1,1000 -goroutines 1,2 -rounds 1 -trial 1ms -flood 1000 -out "+dir), &progress))
	require.Contains(t, progress.String(), "round 1 of 1: 1000 keys, mixed")
	report, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	figures, err := os.ReadFile(filepath.Join(dir, "figures.csv"))
	require.NoError(t, err)
	for _, p := range peers {
		require.Contains(t, string(report), "\n| "+p.name+" |")
		// 1 key: 2 outcomes, 1 distribution; 1,000 keys: 3 and 2; 2 goroutines each.
		require.Equal(t, 2*(2*1+3*2), strings.Count(string(figures), p.csvName()+","+nsPerOp+","), p.name)
	}
	for _, title := range []string{"Where limit64 loses", "go1.", "x/time", "commit ", "The same in floors"} {
		require.Contains(t, string(report), title)
	}
	for _, c := range []string{"keys.svg", "hot.svg", "flood.svg"} {
		svg, err := os.ReadFile(filepath.Join(dir, c))
		require.NoError(t, err)
		require.Contains(t, string(svg), "<svg")
		require.Contains(t, string(report), "("+c+")")
	}
}

// csvName is the peer's name as encoding/csv quotes it.
func (p Peer) csvName() string {
	if strings.Contains(p.name, ",") {
		return `"` + p.name + `"`
	}
	return p.name
}

func TestRunRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"-keys 0":        `-keys: "0" is not a positive number`,
		"-keys 1,x":      `-keys: "x" is not a positive number`,
		"-goroutines -1": `-goroutines: "-1" is not a positive number`,
		"-rounds 0":      "-rounds 0",
		"-trial -1s":     "-trial -1s",
	} {
		require.ErrorContains(t, run(strings.Fields(args), &strings.Builder{}), want)
	}
}
