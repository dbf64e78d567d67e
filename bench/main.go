// Command bench compares limit64 with the limiters that a Go engineer would
// otherwise pick, and with the floor, on the same work in one run, and writes
// tables, charts and every single figure.
//
//	bench -out results
//
// Peers take turns within a round and rounds repeat, so that a noisy machine
// disturbs all of them; tables show the median of the rounds and their range.
// Compare figures of one run only.
//
// It is a module of its own, so that users of the engine never download what it
// compares with.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, progress io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	keys := flags.String("keys", "1,1000,100000,1000000,5000000", "numbers of keys")
	goroutines := flags.String("goroutines", "1,2,8,64", "numbers of goroutines")
	rounds := flags.Int("rounds", 2, "how often everything is measured")
	trial := flags.Duration("trial", 40*time.Millisecond, "how long one trial runs")
	flood := flags.Int("flood", 1_000_000, "keys that flood in, or are swept, while decisions are timed")
	out := flags.String("out", "results", "directory for tables, charts and figures")
	if err := flags.Parse(args); err != nil {
		return err
	}
	p := plan{rounds: *rounds, trial: *trial, flood: *flood, progress: progress}
	var err error
	if p.keys, err = counts(*keys); err != nil {
		return fmt.Errorf("-keys: %w", err)
	}
	if p.goroutines, err = counts(*goroutines); err != nil {
		return fmt.Errorf("-goroutines: %w", err)
	}
	if p.rounds < 1 || p.trial <= 0 || p.flood < 1 {
		return fmt.Errorf("-rounds %d, -trial %v and -flood %d must be positive", p.rounds, p.trial, p.flood)
	}
	return write(*out, p.run(), describe(args))
}

func counts(list string) (ns []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a positive number", text)
		}
		ns = append(ns, n)
	}
	return ns, nil
}
