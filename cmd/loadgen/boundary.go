package main

import (
	"io"

	"github.com/limit64/limit64/cmd/loadgen/internal/boundary"
	"github.com/limit64/limit64/cmd/loadgen/internal/report"
	"github.com/limit64/limit64/engine"
)

type boundaryCmd struct{ output }

// Help is what the command line's help says beyond the flags.
func (*boundaryCmd) Help() string {
	return `Examples:

` + indent(boundaryExamples) + `

Token bucket, leaky bucket, fixed window, sliding counter and sliding log, each with 100 tokens a second, decide about a hundred requests at the end of one window and a hundred at the start of the next, about steady, and about bursty traffic.`
}

var boundaryExamples = []string{"loadgen demo boundary", "loadgen demo boundary -html boundary.html"}

// Run draws the picture.
func (c *boundaryCmd) Run(a *app) error {
	p, err := boundary.Draw(func(l engine.Limit) (boundary.Decider, error) {
		return a.newLimiter(engine.Config{Limit: l, Clock: engine.Manual()}) // a manual clock: there is nothing to close
	})
	if err != nil {
		return err
	}
	return c.write(a, forms{p, func(w io.Writer) error { return report.Boundary(w, p) }, func() report.Page { return report.BoundaryPage(p) }})
}
