package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var directive = regexp.MustCompile(`(?m)^//go:generate go run github\.com/limit64/limit64/gen (.*)$`)

// generated returns what the go:generate lines of a package write now, by file.
func generated(t *testing.T, dir string) map[string][]byte {
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, line := range directive.FindAllSubmatch(text, -1) {
			args := strings.Fields(string(line[1]))
			at := slices.Index(args, "-o")
			require.GreaterOrEqual(t, at, 0, "%s", line[0])
			var b bytes.Buffer
			require.NoError(t, run(slices.Delete(slices.Clone(args), at, at+2), &b))
			files[filepath.Join(dir, args[at+1])] = b.Bytes()
		}
	}
	return files
}

// stale is an error when a file is not what its go:generate line writes.
func stale(file string, on, want []byte) error {
	if bytes.Equal(on, want) {
		return nil
	}
	return fmt.Errorf("%s is out of date: run go generate ./...", file)
}

func TestGeneratedFilesAreCurrent(t *testing.T) {
	count := 0
	for _, dir := range []string{"../engine", "example"} {
		for file, want := range generated(t, dir) {
			on, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, stale(file, on, want))
			require.Equal(t, want, generated(t, dir)[file], "the same again")
			count++

			on[len(on)/2] ^= 1
			require.ErrorContains(t, stale(file, on, want), "go generate", "one changed byte is seen")
		}
	}
	require.Equal(t, 3, count)
}

// What one cannot ask for is refused with its name, and no file is touched.
func TestRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.go")
	require.NoError(t, os.WriteFile(file, []byte("kept"), 0o600))
	for _, row := range []struct{ args, want string }{
		{"-limit token:100/s -package p", `-name "" is not a Go identifier`},
		{"-limit token:100/s -name 1st -package p", `-name "1st" is not`},
		{"-limit token:100/s -name A -package a/b", `-package "a/b" is not`},
		{"-limit token:100/s -name A -package p -only none", `-only "none"`},
		{"-limit token:0/s -name A -package p", "0"},
		{"-limit bucket:1/s -name A -package p", "bucket"},
		{"-limit log:5/m -name A -package p", "does not fit a word"},
		{"-limit token:999999937/s,burst=3 -name A -package p", "add -only keyed"},
		{"-limit token:1/s -name A -package p more", `"more"`},
		{"-paths -name A", "-paths takes no other flag"},
		{"-unknown", "unknown"},
	} {
		err := run(append(strings.Fields(row.args), "-o", file), new(bytes.Buffer))
		if strings.HasSuffix(row.args, "more") {
			err = run(append([]string{"-o", file}, strings.Fields(row.args)...), new(bytes.Buffer))
		}
		require.ErrorContains(t, err, row.want, row.args)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "kept", string(text))
	}
}
