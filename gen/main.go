// Gen writes a limiter whose limit is fixed when the program is built: a set of
// constants, so that the compiler folds what package engine looks up. Decisions
// are those of an engine with that limit.
//
//	go run github.com/limit64/limit64/gen -limit token:100/s,burst=20 -name Login -package limits -o login_limit.go
//
// or, with "tool github.com/limit64/limit64/gen" in go.mod, which "go get -tool
// github.com/limit64/limit64/gen" writes, in a file of the package:
//
//	//go:generate go tool gen -limit token:100/s,burst=20 -name Login -package limits -o login_limit.go
//
// It writes a LoginLimiter for keys and a LoginCell for none, unless -only says
// which of the two. A name that is not exported makes types that are not.
//
// # Variants
//
//	limit          template  variant by                       the step
//	token, leaky   spent     units exact (Den = 1), rate      one multiplication, none where
//	                         divides the period (Num = 1)     a nanosecond earns one unit
//	token, leaky   spent     units rounded (Den > 1)          two 128-bit multiplications
//	fixed          window                                     one division by a constant
//	counter        counter   tokens · period below 2^64       divisions by constants
//	counter        counter   above                            one 128-bit division
//	log            refused: a log does not fit a word; use package engine
//
// Each step stands in both types, by keyed.go.tmpl and cell.go.tmpl. Their Allow
// computes the next value and nothing else.
//
// # Paths of the engine
//
// With -paths gen writes the fast paths of package engine: paths.go.tmpl, once for
// each kind of key in paths.go. One function is the whole way of a request, with a
// step for each algorithm; the rule of the slot that was found says which one.
//
//	key                 found by                    Engine's methods
//	string, []byte      xxhash, its bytes           Take, Allow and their twins
//	the same, hashed    its bytes                   TakeBatch
//	uint64              its one word                TakeUint64, AllowUint64
//	netip.Addr          its two words, masked       TakeAddr, AllowAddr
//
//	limit               the step, without a call    what calls the rule's own step
//	token, leaky        units exact                 units rounded; stale instants
//	fixed               all                         stale instants
//	counter             admissions                  denials; stale instants
//
// # Span
//
// Values count from a base. A limiter moves the bases of its shards as an engine
// does. A cell has nowhere to keep a base: it counts from 0 for ever, with all 64
// bits since it needs no seal, and a limit that it could not count for as long as
// an instant can grow, 292 years, is refused. Rates that divide a second, such as
// 100/s or 1000/m, all have one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes what the arguments ask for to the file they name, or to out. On error
// it leaves the file alone.
func run(args []string, out io.Writer) error {
	var s spec
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.StringVar(&s.Limit, "limit", "", `the limit, such as "token:100/s,burst=20"`)
	flags.StringVar(&s.Name, "name", "", "what the types begin with: Login makes LoginLimiter and LoginCell")
	flags.StringVar(&s.Package, "package", "", "the package of the file")
	flags.StringVar(&s.Only, "only", "", `"keyed" for the limiter only, "cell" for the cell only (default both)`)
	paths := flags.Bool("paths", false, "write the fast paths of package engine instead")
	file := flags.String("o", "", "the file to write (default standard output)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	write := func() ([]byte, error) { return generate(s) }
	if *paths {
		if s != (spec{}) {
			return errors.New("-paths takes no other flag but -o")
		}
		write = generatePaths
	}
	source, err := write()
	if err != nil {
		return err
	}
	if *file == "" {
		_, err = out.Write(source)
		return err
	}
	return os.WriteFile(*file, source, 0o644)
}
