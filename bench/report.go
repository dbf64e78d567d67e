package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// describe says where, with what and how the figures came about.
func describe(args []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d processors, %s/%s, %s, commit %s, command `bench %s`.\n",
		processor(), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), commit(), strings.Join(args, " "))
	if info, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprintf(&b, "\nVersions:")
		for _, d := range info.Deps {
			if d.Replace == nil {
				fmt.Fprintf(&b, " %s %s;", d.Path, d.Version)
			}
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the architecture has to do
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// write puts the report into dir: README.md, the charts, and every figure of
// every round in figures.csv.
func write(dir string, rows []row, described string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	keys, goroutines := conditions(rows)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# limit64 and its peers\n\nWritten by `make bench-peers`; do not edit.\n\n%s\nMedians of the rounds, and their range. Compare figures of one run only.\n", described)
	fmt.Fprintf(&b, "Each adapter (`bench/peer_*.go`) states how its peer differs.\n")
	for _, c := range charts(keys, goroutines) {
		drawn, err := c.draw(dir, rows)
		if err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
		if drawn {
			fmt.Fprintf(&b, "\n![%s](%s)\n", c.title, c.file)
		}
	}
	withFloors := slices.Concat(rows, overFloor(rows))
	for _, t := range tables(keys, goroutines) {
		t.print(&b, withFloors)
	}
	printLosses(&b, losses(rows))
	if err := os.WriteFile(filepath.Join(dir, "README.md"), b.Bytes(), 0o644); err != nil {
		return err
	}
	return writeFigures(filepath.Join(dir, "figures.csv"), rows)
}

// conditions lists the numbers of keys and of goroutines that rows have.
func conditions(rows []row) (keys, goroutines []int) {
	for _, r := range rows {
		if r.measure == nsPerOp {
			keys, goroutines = append(keys, r.keys), append(goroutines, r.goroutines)
		}
	}
	slices.Sort(keys)
	slices.Sort(goroutines)
	return slices.Compact(keys), slices.Compact(goroutines)
}

func printLosses(b *bytes.Buffer, lost []loss) {
	fmt.Fprintf(b, "\n## Where limit64 loses\n\nEvery case of this run in which a peer has the better median than limit64 on its exact clock.\n\n")
	if len(lost) == 0 {
		fmt.Fprintln(b, "None.")
	}
	for _, l := range lost {
		fmt.Fprintf(b, "- %v: %s is %.2f times as good\n", l.what, l.peer, l.factor)
	}
}

func writeFigures(file string, rows []row) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"round", "peer", "measure", "keys", "distribution", "outcome", "goroutines", "quantile", "value"}) // a buffer takes all
	for _, r := range rows {
		w.Write([]string{
			fmt.Sprint(r.round), r.peer, r.measure, fmt.Sprint(r.keys), r.dist, r.outcome,
			fmt.Sprint(r.goroutines), fmt.Sprint(r.quantile), fmt.Sprintf("%.4g", r.value),
		})
	}
	w.Flush()
	return os.WriteFile(file, b.Bytes(), 0o644)
}
