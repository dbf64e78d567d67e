// Package mutants shows that the ordinary tests notice a fault of one line: each
// patch of testdata is applied to a copy of the project, whose tests must then fail.
// A comparison off by one, a rounding the wrong way, a missing clamp or seal, an
// order of stores that is turned round.
package mutants

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/limit64/limit64/fuzz/proof/variant"
	"github.com/stretchr/testify/require"
)

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (.*)`)

// The tests that are not about mutants pass without one: else all would look killed.
var ordinary = []string{".", "./bucket", "./shard", "./engine"}

func TestNoMutantSurvives(t *testing.T) {
	if os.Getenv("MUTANTS") == "" {
		t.Skip("takes minutes: make mutants")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	patches, err := filepath.Glob("testdata/*.patch")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(patches), 12)
	run := func(t *testing.T, patches ...string) (string, error) {
		v, err := variant.New(root, t.TempDir(), patches...)
		require.NoError(t, err)
		output, err := v.Go(".", append([]string{"vet"}, ordinary...)...)
		require.NoError(t, err, "it is to compile: %s", output)
		return v.Go(".", append([]string{"test", "-short", "-failfast", "-timeout", "5m"}, ordinary...)...)
	}
	output, err := run(t)
	require.NoError(t, err, "without a mutant: %s", output)
	for _, patch := range patches {
		t.Run(strings.TrimSuffix(filepath.Base(patch), ".patch"), func(t *testing.T) {
			output, err := run(t, patch)
			require.Error(t, err, "it survives")
			by := failed.FindString(output)
			require.NotEmpty(t, by, output)
			t.Log("killed: ", strings.TrimSpace(by))
		})
	}
}

// The patches still fit the code, so that make mutants does not fail for that.
func TestPatchesApply(t *testing.T) {
	patches, err := filepath.Glob("testdata/*.patch")
	require.NoError(t, err)
	for _, patch := range patches {
		_, err := variant.New("../../..", t.TempDir(), patch)
		require.NoError(t, err)
	}
}
