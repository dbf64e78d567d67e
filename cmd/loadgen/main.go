// Command loadgen drives the engine with made-up traffic (demo) or with a
// recorded access log (replay), and reports what the limit did.
//
//	loadgen demo -duration 5s -limit token:100/s,burst=200 -keys 100000
//	loadgen replay access.log -limit token:60/m,burst=20 -key ip
//
// Exit status: 0 done, 1 failed or admitted more than the limit allows, 2 wrong
// arguments.
//
// It is a module of its own, so that users of the engine never download what it
// depends on.
package main

import (
	"io"
	"os"
	"time"

	"github.com/limit64/limit64/engine"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole command, so that tests can call it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, newLimiter: newEngine}
	return a.run(args)
}

// app is what the commands work with.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// newLimiter is newEngine, but in tests that need a limiter that cheats, a
	// clock that stands still, or an exact model.
	newLimiter func(engine.Config) (limiter, error)
}

// limiter is what the commands need of an engine.
type limiter interface {
	decider
	Take(key string, n int64) engine.Decision
	Now() time.Duration
	Close()
}

// decider answers at instants that the caller knows.
type decider interface {
	TakeAt(key string, n int64, now time.Duration) engine.Decision
}

func newEngine(c engine.Config) (limiter, error) { return engine.New(c) }
