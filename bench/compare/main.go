// Command compare tells whether the working tree's engine has become slower than at
// another commit, on this machine:
//
//	compare base -ref HEAD     keep the benchmarks of a commit, compiled
//	compare run -count 8       run both, A B A B, and let benchstat decide
//
// Run fails when benchstat finds a benchmark slower by more than 5 %, significantly,
// or with an allocation more. Both are run in turns, so that a noisy machine
// disturbs both.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// packages are those whose benchmarks count.
var packages = []string{"bucket", "engine"}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("say base or run")
	}
	flags := flag.NewFlagSet("compare "+args[0], flag.ContinueOnError)
	root := flags.String("root", "..", "the repository")
	dir := flags.String("dir", ".base", "where the baseline is kept")
	switch args[0] {
	case "base":
		ref := flags.String("ref", "HEAD", "the commit")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return base(*root, *dir, *ref, out)
	case "run":
		var r runs
		flags.StringVar(&r.bench, "bench", "^Benchmark(Cell|Paths|Keys|TakeBatch|Policy|Rollout)$", "which benchmarks")
		flags.IntVar(&r.count, "count", 8, "how often each is run; benchstat needs 6 or more to be sure")
		flags.StringVar(&r.time, "benchtime", "50ms", "for how long each time")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if r.count < 1 {
			return fmt.Errorf("-count %d must be positive", r.count)
		}
		r.root = *root
		return r.compare(*dir, out)
	}
	return fmt.Errorf("unknown command %q: say base or run", args[0])
}

// base compiles the benchmarks of a commit, in a worktree of its own.
func base(root, dir, ref string, out io.Writer) error {
	commit, err := command(root, "git", "rev-parse", "--verify", ref+"^{commit}")
	if err != nil {
		return err
	}
	commit = strings.TrimSpace(commit)
	tree, err := os.MkdirTemp("", "limit64-base")
	if err != nil {
		return err
	}
	defer func() {
		_, _ = command(root, "git", "worktree", "remove", "--force", tree)
		_ = os.RemoveAll(tree)
	}()
	if _, err := command(root, "git", "worktree", "add", "--detach", tree, commit); err != nil {
		return err
	}
	if err := build(tree, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "baseline: %s\n", commit)
	return os.WriteFile(filepath.Join(dir, "commit"), []byte(commit+"\n"), 0o644)
}

// build compiles the benchmarks of a tree into a directory.
func build(tree, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range packages {
		if _, err := command(tree, "go", "test", "-c", "-o", filepath.Join(dir, p+".test"), "./"+p); err != nil {
			return err
		}
	}
	return nil
}

type runs struct {
	root, bench, time string
	count             int
}

func (r runs) compare(dir string, out io.Writer) error {
	commit, err := os.ReadFile(filepath.Join(dir, "commit"))
	if err != nil {
		return fmt.Errorf("there is no baseline yet, make bench-base: %w", err)
	}
	now, err := os.MkdirTemp("", "limit64-now")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(now) }()
	if err := build(r.root, now); err != nil {
		return err
	}
	var results [2]strings.Builder
	for i := range r.count {
		for j := range 2 {
			j = (i + j) % 2 // A B, B A, A B …
			for _, p := range packages {
				text, err := r.one([]string{dir, now}[j], p)
				if err != nil {
					return err
				}
				results[j].WriteString(text)
			}
		}
		fmt.Fprintf(out, "round %d of %d\n", i+1, r.count)
	}
	names := []string{filepath.Join(now, "base"), filepath.Join(now, "now")}
	for j, name := range names {
		if err := os.WriteFile(name, []byte(results[j].String()), 0o644); err != nil {
			return err
		}
	}
	stat := func(format string) (string, error) {
		return command(r.root, "go", "tool", "-modfile=internal/tools/go.mod", "benchstat", "-filter", ".unit:(sec/op OR allocs/op)",
			"-format", format, "base="+names[0], "now="+names[1])
	}
	table, err := stat("text")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%sbase is %s", table, commit)
	data, err := stat("csv")
	if err != nil {
		return err
	}
	worse, err := verdict(data)
	if err == nil && len(worse) > 0 {
		err = fmt.Errorf("worse than %.12s:\n  %s", commit, strings.Join(worse, "\n  "))
	}
	return err
}

// one runs the benchmarks of a package once.
func (r runs) one(dir, p string) (string, error) {
	binary, err := filepath.Abs(filepath.Join(dir, p+".test"))
	if err != nil {
		return "", err
	}
	return command(filepath.Join(r.root, p), binary, "-test.run", "^$", "-test.short",
		"-test.bench", r.bench, "-test.benchtime", r.time, "-test.benchmem")
}

const slower = 5.0 // percent

// verdict returns what benchstat's CSV calls worse: times by more than 5 %, and any
// allocation more. What it marks "~" is not significant.
func verdict(data string) (worse []string, err error) {
	in := csv.NewReader(strings.NewReader(data))
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	unit, compared := "", 0
	for _, row := range rows {
		switch {
		case len(row) > 5 && row[0] == "" && row[5] == "vs base":
			unit = row[1]
		case len(row) > 6 && row[0] != "" && row[0] != "geomean" && row[1] != "" && row[3] != "":
			compared++
			if row[5] == "~" {
				continue
			}
			change, err := strconv.ParseFloat(strings.TrimSuffix(row[5], "%"), 64)
			more := unit == "allocs/op" && row[3] != row[1] // 0 has no percentage
			if err != nil && !more {
				return nil, fmt.Errorf("benchstat: %q", row)
			}
			if change > slower || more && !(change < 0) {
				worse = append(worse, fmt.Sprintf("%s, %s: %s to %s, %s (%s)", row[0], unit, row[1], row[3], row[5], row[6]))
			}
		}
	}
	if compared == 0 {
		return nil, fmt.Errorf("benchstat compared nothing: %q", data)
	}
	return worse, nil
}

func command(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out), nil
}
