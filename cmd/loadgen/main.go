// Command loadgen drives the engine with made-up traffic (run, demo) or with a
// recorded access log (replay, suggest), and reports what a limit did.
//
//	loadgen run -limit token:100/s,burst=200 -rate 50000 -duration 10s
//	loadgen replay access.log -limit token:60/m,burst=20 -key ip
//	loadgen suggest access.log
//	loadgen demo boundary
//
// Exit status: 0 done, 1 failed or admitted more than the limit allows, 2 wrong
// arguments.
//
// It is a module of its own, so that users of the engine never download what it
// depends on.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
	"github.com/limit64/limit64/engine"
)

func main() {
	// The first Ctrl-C ends with the report so far; a second one ends at once.
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, cancel)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command, so that tests can call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, newLimiter: newEngine}
	return a.run(args)
}

// app is what the commands work with.
type app struct {
	ctx            context.Context // done when interrupted
	stdin          io.Reader
	stdout, stderr io.Writer
	// newLimiter is newEngine, but in tests that need a limiter that cheats, a
	// clock that stands still, or an exact model.
	newLimiter func(engine.Config) (limiter, error)
}

// limiter is what the commands need of an engine.
type limiter interface {
	traffic.Limiter
	Take(key string, n int64) engine.Decision
	TakeAt(key string, n int64, now time.Duration) engine.Decision
	Close()
}

func newEngine(c engine.Config) (limiter, error) { return engine.New(c) }
