package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/report"
	"github.com/limit64/limit64/cmd/loadgen/internal/text"
	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
	"github.com/limit64/limit64/cmd/loadgen/scenarios"
	"github.com/limit64/limit64/engine"
)

// logBytes lets a sliding window log have as many tokens as a limit can say;
// the engine's own default is for servers.
const logBytes = 1 << 31

// runCmd's flags are zero where they were not given: traffic and scenarios know
// the defaults.
type runCmd struct {
	Scenario string `name:"scenario" short:"f" help:"Traffic in phases: a YAML file, or one of ${scenarios}." placeholder:"FILE"`

	Limit      engine.Limit  `name:"limit" help:"What each key may do. Default: token:100/s,burst=200." placeholder:"LIMIT"`
	Clock      string        `name:"clock" help:"The engine's clock: exact, coarse, coarse:RESOLUTION, or virtual, where open-loop traffic is decided at its intended instants and nobody waits. Default: exact." placeholder:"CLOCK"`
	Keys       int           `name:"keys" help:"How many keys there are, up to 50 million. Default: 100000." placeholder:"N"`
	MaxKeys    int           `name:"max-keys" help:"Most keys that the engine holds." placeholder:"N"`
	SweepEvery time.Duration `name:"sweep-every" help:"Let the engine sweep in the background. Default: it does not." placeholder:"TIME"`
	Goroutines int           `name:"goroutines" help:"How many goroutines ask. Default: 4." placeholder:"N"`
	Procs      int           `name:"procs" help:"GOMAXPROCS during the run. Default: as it is." placeholder:"N"`
	Seed       uint64        `name:"seed" help:"Seed of the traffic; without it one is drawn, and printed." placeholder:"N"`

	Duration time.Duration `name:"duration" help:"How long to run. Default: 5s, or until -requests are made." placeholder:"TIME"`
	Requests int64         `name:"requests" help:"Stop after this many requests." placeholder:"N"`
	Rate     float64       `name:"rate" help:"Open loop: requests a second, whether or not answers keep up. Default: a closed loop, as fast as it goes." placeholder:"N"`
	Arrivals string        `name:"arrivals" help:"How the open loop's requests are spread: poisson, even or bursts. Default: poisson." placeholder:"HOW"`
	Burst    int           `name:"burst" help:"Requests at the same instant, for -arrivals bursts. Default: 100." placeholder:"N"`
	Dist     string        `name:"dist" help:"How keys are chosen: zipf, uniform or hot. Default: zipf." placeholder:"HOW"`
	Skew     float64       `name:"skew" help:"Exponent of zipf, above 1. Default: 1.1." placeholder:"X"`
	HotShare float64       `name:"hot-share" help:"Share of requests that go to the one hot key; 1 leaves the others out. Default: 0.5." placeholder:"X"`
	NewKeys  float64       `name:"new-keys" help:"Share of requests with keys never seen before: a flood." placeholder:"X"`
	N        string        `name:"n" help:"Tokens a request takes, such as 1 or 1-10. Default: 1." placeholder:"N"`

	Top      int  `name:"top" help:"Show this many refused keys." default:"10"`
	Benchfmt bool `name:"benchfmt" help:"Print lines for benchstat instead."`
	output
}

// Help is what the command line's help says beyond the flags.
func (*runCmd) Help() string {
	return `Examples:

` + indent(runExamples) + `

A closed loop asks again as soon as it has an answer. In an open loop each request has an intended instant and its latency counts from there, so that a stall makes all that was due meanwhile late.

A scenario is YAML: limit, clock, keys, max-keys, sweep-every, goroutines, procs and seed as the flags of these names, and phases, a list of: name, duration, requests, rate, arrivals, burst, dist, skew, hot-share, new-keys, n and set-limit (a new limit from then on). With -scenario the flags of the first group override it, and those of a phase are refused.

Exit status: 0 done, 1 more was admitted than the limit allows, 2 wrong arguments. Ctrl-C ends with the report so far.`
}

// runExamples are run by the tests, with less of everything.
var runExamples = []string{
	"loadgen run -duration 10s -limit fixed:1000/m -goroutines 8",
	"loadgen run -rate 50000 -arrivals bursts -burst 500 -clock coarse -html report.html",
	"loadgen run -keys 5000000 -dist uniform -requests 20000000 -benchfmt",
	"loadgen run -dist hot -hot-share 1 -limit log:100/s -n 1-5",
	"loadgen run -rate 1000000 -clock virtual -goroutines 1 -seed 7 -duration 1m -json",
	"loadgen run -scenario flood",
}

func indent(lines []string) string { return "  " + strings.Join(lines, "\n  ") }

// Run drives the engine, prints the report, and fails when more was admitted
// than the limit allows.
func (c *runCmd) Run(a *app) error {
	if c.Top < 0 {
		return usagef("-top %d must not be negative; write 0 to show none", c.Top)
	}
	if c.JSON && c.Benchfmt {
		return usagef("-json and -benchfmt exclude each other; write one of them")
	}
	plan, err := c.plan()
	if err != nil {
		return err
	}
	r, err := a.drive(plan, c.Top)
	if err != nil {
		return err
	}
	table := func(w io.Writer) error { return report.Table(w, r) }
	if c.Benchfmt {
		table = func(w io.Writer) error { return report.Benchfmt(w, r) }
	}
	if err := c.write(a, forms{r, table, func() report.Page { return report.RunPage(r) }}); err != nil {
		return err
	}
	return failure(r)
}

// plan joins the scenario, the flags and the defaults.
func (c *runCmd) plan() (p traffic.Plan, err error) {
	phase := traffic.Phase{Name: "run", Duration: c.Duration, Requests: c.Requests, Rate: c.Rate, Arrivals: c.Arrivals, Burst: c.Burst,
		Dist: c.Dist, Skew: c.Skew, HotShare: c.HotShare, NewKeys: c.NewKeys}
	if c.N != "" {
		if err := phase.Cost.UnmarshalText([]byte(c.N)); err != nil {
			return p, usagef("-n: %w", err)
		}
	}
	if c.Scenario == "" {
		p.Phases = []traffic.Phase{phase}
	} else if phase != (traffic.Phase{Name: "run"}) {
		return p, usagef("the phases of a scenario say what the traffic is; leave -duration, -requests, -rate, -arrivals, -burst, -dist, -skew, -hot-share, -new-keys and -n out, or leave -scenario out")
	} else if p, err = readScenario(c.Scenario); err != nil {
		return p, err
	}
	if c.Clock != "" {
		if err := p.Clock.UnmarshalText([]byte(c.Clock)); err != nil {
			return p, usagef("-%w", err)
		}
	}
	override(&p.Limit, c.Limit)
	override(&p.Keys, c.Keys)
	override(&p.MaxKeys, c.MaxKeys)
	override(&p.SweepEvery, c.SweepEvery)
	override(&p.Goroutines, c.Goroutines)
	override(&p.Procs, c.Procs)
	override(&p.Seed, c.Seed)
	return finish(p)
}

// finish fills in the defaults and a seed, and checks the plan.
func finish(p traffic.Plan) (traffic.Plan, error) {
	p = p.WithDefaults()
	for p.Seed == 0 {
		p.Seed = rand.Uint64()
	}
	if err := p.Validate(); err != nil {
		return p, usageError{err}
	}
	return p, nil
}

func override[T comparable](p *T, value T) {
	var zero T
	if value != zero {
		*p = value
	}
}

func readScenario(name string) (p traffic.Plan, err error) {
	b, err := scenarios.Files.ReadFile(name + ".yaml")
	if err != nil {
		if b, err = os.ReadFile(name); err != nil {
			return p, usagef("-scenario: %w; write the path of a YAML file, or one of %s", err, strings.Join(scenarios.Names(), ", "))
		}
	}
	if p, err = traffic.ParseScenario(b); err != nil {
		return p, usagef("-scenario %s: %w; loadgen help run lists what a scenario may say", name, err)
	}
	return p, nil
}

// drive runs a plan on a new engine.
func (a *app) drive(p traffic.Plan, top int) (*traffic.Result, error) {
	l, err := a.newLimiter(engine.Config{Limit: p.Limit, Clock: p.Clock.Engine(), MaxKeys: p.MaxKeys, SweepEvery: p.SweepEvery, MaxLogBytes: logBytes})
	if err != nil {
		return nil, usagef("%w; write another -limit", err)
	}
	defer l.Close()
	onTick, end := startProgress(a.stderr)
	defer end()
	return traffic.Run(a.ctx, l, p, top, onTick)
}

// failure is the error of a run that admitted too much: exit status 1.
func failure(r *traffic.Result) error {
	c := r.Check
	if c.OK() {
		return nil
	}
	if len(c.Worst) == 0 {
		return fmt.Errorf("%s new keys were admitted more than the limit's capacity", text.Count(c.Cheats))
	}
	worst := c.Worst[0]
	return errors.New(text.Count(c.Cheats) + " keys were admitted more than the limit allows, the worst of them " + worst.Name + ": " +
		text.Count(worst.Admitted) + " tokens instead of at most " + text.Count(worst.Allowed))
}
