package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// many are limits of every kind that code is written for differently, and of the
// extremes of each.
var many = []string{
	"token:100/s,burst=20",                  // a nanosecond earns a unit
	"token:1/366d",                          // so rare that no base moves for decades
	"token:1/1ns,burst=1152921504606846976", // the largest burst, units of a token
	"token:1000000000/s,burst=5",
	"token:3/s",                 // three units a nanosecond
	"leaky:7777/s,burst=50",     // thousands: the base moves every week
	"token:999983/s,burst=4",    // a million: every hour or so
	"leaky:10/13s,burst=1",      // an odd period
	"token:999999937/s,burst=3", // units of 2^-f, rounded
	"token:7/10000000019ns,burst=1000000000",
	"token:980000000/10s",
	"fixed:1000/h",
	"fixed:1/1ns",
	"fixed:1000000000/s",
	"fixed:31622400000000000/366d", // the highest count: no base ever moves
	"counter:1000/h",
	"counter:1/7ns",
	"counter:10/1000000007ns",
	"counter:33000000/s",         // the base moves
	"counter:3000000000000/h",    // previous in steps
	"counter:4398046511103/365d", // products of 128 bits
}

// The decisions of what gen writes are those of an engine, and of a cell, with the
// limit: instants, costs and keys of every kind, millions of them.
func TestManyLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	const seed, steps = 20, 100_000
	here, err := filepath.Abs("testdata/differ")
	require.NoError(t, err)
	dir := t.TempDir()
	overlay := map[string]string{}
	add := func(name string, source []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), source, 0o644))
		overlay[filepath.Join(here, name)] = filepath.Join(dir, name)
	}
	cells, list := 0, ""
	for i, limit := range many {
		s := spec{Limit: limit, Name: fmt.Sprintf("Limit%d", i), Package: "main"}
		cell := fmt.Sprintf("new(%sCell)", s.Name)
		if _, err := generate(s); err != nil {
			require.ErrorContains(t, err, "add -only keyed")
			s.Only, cell = "keyed", "nil"
		} else {
			cells++
		}
		source, err := generate(s)
		require.NoError(t, err)
		add(strings.ToLower(s.Name)+".go", source)
		list += fmt.Sprintf("{Limit: %q, Limiter: made(New%sLimiter(differ.MaxKeys)), Cell: %s},\n", limit, s.Name, cell)
	}
	require.Greater(t, cells, len(many)/2)
	add("subjects.go", []byte("package main\nimport \"github.com/limit64/limit64/gen/internal/differ\"\n"+
		"func subjects() []differ.Subject { return []differ.Subject{\n"+list+"} }\n"))
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o644))

	out, err := exec.Command("go", "vet", "-overlay", file, here).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command("go", "run", "-overlay", file, here, fmt.Sprint(steps), fmt.Sprint(seed)).CombinedOutput()
	require.NoError(t, err, "seed %d: %s", seed, out)
	t.Logf("%s", out)
	require.Equal(t, len(many), strings.Count(string(out), "admitted"))
}
