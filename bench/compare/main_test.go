package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What benchstat wrote about: a slower time with a first allocation, no change, and
// a faster time with one allocation more.
const text = `,base,,now,,,
,sec/op,CI,sec/op,CI,vs base,P
A-2,1.035e-08,2%,1.235e-08,2%,+19.32%,p=0.002 n=6
B-2,1.035e-08,2%,1.075e-08,2%,+3.86%,p=0.002 n=6
C-2,1.035e-08,2%,1.235e-08,60%,~,p=0.394 n=6
D-2,1.035e-08,2%,9.35e-09,3%,-9.66%,p=0.002 n=6
New-2,,,9.35e-09,3%,,
geomean,1.035e-08,,1.061e-08,,+9.53%,

,base,,now,,,
,allocs/op,CI,allocs/op,CI,vs base,P
A-2,0,0%,1,0%,?,p=0.002 n=6
B-2,2,0%,2,0%,~,p=1.000 n=6
C-2,3,0%,2,0%,-33.33%,p=0.002 n=6
D-2,50,0%,51,0%,+2.00%,p=0.002 n=6
geomean,,,1.81,,?,F11: all samples are equal
B13: summaries must be >0 to compute geomean
`

func TestVerdict(t *testing.T) {
	worse, err := verdict(text)
	require.NoError(t, err)
	require.Equal(t, []string{
		"A-2, sec/op: 1.035e-08 to 1.235e-08, +19.32% (p=0.002 n=6)",
		"A-2, allocs/op: 0 to 1, ? (p=0.002 n=6)",
		"D-2, allocs/op: 50 to 51, +2.00% (p=0.002 n=6)",
	}, worse)
	_, err = verdict("")
	require.ErrorContains(t, err, "compared nothing")
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, "say base or run"},
		{[]string{"both"}, `"both"`},
		{[]string{"run", "-count", "0"}, "-count 0"},
		{[]string{"run", "-dir", dir}, "make bench-base"},
		{[]string{"base", "-dir", dir, "-root", "../..", "-ref", "no-such-commit"}, "no-such-commit"},
	} {
		require.ErrorContains(t, run(row.args, new(bytes.Buffer)), row.want)
	}
}

// Both commits are compiled and run, and a slow one is found: of a module whose
// benchmark waits, and then waits longer.
func TestPlantedSlowdown(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two commits")
	}
	root, dir := t.TempDir(), t.TempDir()
	write := func(file, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o644))
	}
	bench := func(work string) {
		for _, p := range packages {
			write(p+"/bench_test.go", `package `+p+`
import "testing"
var sink []byte
func BenchmarkPaths(b *testing.B) {
	for b.Loop() {
		`+work+`
	}
}
`)
		}
	}
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	write("go.mod", "module planted\n\ngo 1.26\n")
	tools, err := filepath.Abs("../../internal/tools")
	require.NoError(t, err)
	for _, file := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(tools, file))
		require.NoError(t, err)
		write("internal/tools/"+file, string(data))
	}
	bench("for i := range 2000 { _ = i }")
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "base")
	var out bytes.Buffer
	require.NoError(t, run([]string{"base", "-root", root, "-dir", dir}, &out), out.String())
	again := []string{"run", "-root", root, "-dir", dir, "-count", "6", "-benchtime", "1ms"}
	bench("sink = make([]byte, 1); for i := range 20000 { _ = i }")
	err = run(again, &out)
	require.ErrorContains(t, err, "Paths-")
	require.ErrorContains(t, err, "sec/op")
	require.ErrorContains(t, err, "allocs/op: 0 to 1")
}
