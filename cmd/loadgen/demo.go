package main

import (
	"io"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/report"
	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
	"github.com/limit64/limit64/engine"
)

// demoCmd is run with fewer flags.
type demoCmd struct {
	Duration   time.Duration `name:"duration" help:"How long to run." default:"5s"`
	Limit      engine.Limit  `name:"limit" help:"What each key may do; without it ${default}." default:"token:100/s,burst=200" placeholder:"LIMIT"`
	Keys       int           `name:"keys" help:"How many keys there are; few of them are busy (Zipf)." default:"100000"`
	Goroutines int           `name:"goroutines" help:"How many goroutines ask." default:"4"`
	Seed       uint64        `name:"seed" help:"Seed of the traffic; 0 draws one. It is printed."`
	output
}

// Run drives the engine as fast as it goes.
func (c *demoCmd) Run(a *app) error {
	if c.Duration <= 0 {
		return usagef("-duration %v must be positive; write for example -duration 5s", c.Duration)
	}
	if c.Keys == 0 || c.Goroutines == 0 {
		return usagef("-keys and -goroutines must be positive; write for example -keys 100000 -goroutines 4")
	}
	p, err := finish(traffic.Plan{Limit: c.Limit, Keys: c.Keys, Goroutines: c.Goroutines, Seed: c.Seed,
		Phases: []traffic.Phase{{Name: "demo", Duration: c.Duration}}})
	if err != nil {
		return err
	}
	r, err := a.drive(p, 10)
	if err != nil {
		return err
	}
	err = c.write(a, forms{r, func(w io.Writer) error { return report.Table(w, r) }, func() report.Page { return report.RunPage(r) }})
	if err != nil {
		return err
	}
	return failure(r)
}
