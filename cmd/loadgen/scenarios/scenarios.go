// Package scenarios holds the traffic that ships with loadgen.
package scenarios

import (
	"embed"
	"io/fs"
	"strings"
)

// Files are the scenarios, NAME.yaml each.
//
//go:embed *.yaml
var Files embed.FS

// Names returns their names, sorted.
func Names() (names []string) {
	files, err := fs.Glob(Files, "*.yaml")
	if err != nil {
		panic(err) // the pattern is bad
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".yaml"))
	}
	return names
}
