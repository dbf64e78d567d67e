package fuzz

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every kind of fault in README.md names tests that there are.
func TestKindsAreTested(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+)\(`)
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
		return err
	}))
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	kinds := 0
	for _, line := range strings.Split(string(text), "\n") {
		for _, name := range regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`).FindAllString(line, -1) {
			require.True(t, there[name], "%s: %s", name, line)
			if strings.HasSuffix(line, name+" |") {
				kinds++
			}
		}
	}
	require.GreaterOrEqual(t, kinds, 45)
}
