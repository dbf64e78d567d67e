// Package variant copies the project and changes the copy by patches, so that a
// test can show what it finds in a table that yields, or in one that is wrong.
package variant

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Variant is a patched copy of the project.
type Variant struct{ dir string }

// New copies the Go files, module files and test data below root to the empty
// directory dir and applies the patches, whose paths are relative to root. It
// needs git for that. An error names the patch that does not apply.
func New(root, dir string, patches ...string) (*Variant, error) {
	// Not os.CopyFS, which would take the repository and a user's own files along.
	if err := copyTree(root, dir); err != nil {
		return nil, fmt.Errorf("copy the project: %w", err)
	}
	for _, p := range patches {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		apply := exec.Command("git", "apply", "-C1", "--whitespace=nowarn", abs)
		apply.Dir = dir
		// A copy inside some repository is none of git's business.
		apply.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := apply.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("patch %s does not apply: %w: %s", p, err, out)
		}
	}
	return &Variant{dir}, nil
}

func copyTree(root, dir string) error {
	return filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case rel != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(to, 0o755)
		case !entry.Type().IsRegular() || !wanted(rel):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}

func wanted(rel string) bool {
	return strings.HasSuffix(rel, ".go") || strings.HasPrefix(filepath.Base(rel), "go.") ||
		strings.Contains(filepath.ToSlash(rel), "/testdata/")
}

// Go runs the go command in a directory of the variant and returns what it
// printed.
func (v *Variant) Go(in string, args ...string) (output string, err error) {
	c := exec.Command("go", args...)
	c.Dir = filepath.Join(v.dir, in)
	c.Env = append(os.Environ(), "VARIANT=1", "GOFLAGS=")
	out, err := c.CombinedOutput()
	return string(out), err
}
