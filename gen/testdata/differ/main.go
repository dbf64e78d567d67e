// Differ compares what gen wrote with package engine. TestManyLimits adds the
// generated files, and one that lists them as subjects, and runs it.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/limit64/limit64/gen/internal/differ"
)

func main() {
	steps, err := strconv.Atoi(os.Args[1])
	check(err)
	seed, err := strconv.ParseUint(os.Args[2], 10, 64)
	check(err)
	for _, s := range subjects() {
		admitted, err := differ.Check(s, steps, seed)
		check(err)
		fmt.Printf("%s: %d of %d admitted\n", s.Limit, admitted, 2*steps)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// made exits on the error of a constructor.
func made[L differ.Limiter](l L, err error) differ.Limiter {
	check(err)
	return l
}
