package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/replay"
	"github.com/limit64/limit64/cmd/loadgen/internal/report"
	"github.com/limit64/limit64/cmd/loadgen/internal/suggest"
)

type suggestCmd struct {
	File   string          `arg:"" help:"Access log in Combined Log Format or nginx JSON lines, plain or gzip; - reads standard input."`
	Key    string          `name:"key" help:"What a client is: ip, path or ip+path." enum:"ip,path,ip+path" default:"ip"`
	Refuse string          `name:"refuse" help:"Largest share that may be refused something, such as 0.1% or 0.001." default:"0.1%" placeholder:"SHARE"`
	Of     string          `name:"of" help:"What that is a share of: clients or requests." enum:"clients,requests" default:"clients"`
	Period []time.Duration `name:"period" help:"Period of the limits; more than one are tried in turn." default:"1m" placeholder:"TIME"`
	output
}

// Help is what the command line's help says beyond the flags.
func (*suggestCmd) Help() string {
	return `Examples:

` + indent(suggestExamples) + `

For each algorithm it finds the smallest number of tokens a period under which no more than the given share would have been refused; the burst of a token or leaky bucket is its tokens. It decides about every request with the engine's own arithmetic, at the log's own times. The curve says what a smaller or a larger limit would have refused. It holds 12 bytes a request in memory.`
}

var suggestExamples = []string{
	"loadgen suggest access.log",
	"loadgen suggest access.log.gz -key ip+path -refuse 1% -of requests -period 1s -period 1h -html report.html",
}

// Run reads the log and prints what it suggests.
func (c *suggestCmd) Run(a *app) error {
	share, err := parseShare(c.Refuse)
	if err != nil {
		return err
	}
	for _, p := range c.Period {
		if p <= 0 {
			return usagef("-period %v must be positive; write for example -period 1m", p)
		}
	}
	trace := suggest.NewTrace()
	s, err := a.readLog(logFlags{File: c.File, Key: c.Key}, 0, func(s *replay.Source, tick func(int)) error {
		return s.Each(a.ctx, trace.Add, tick)
	})
	if err != nil {
		return err
	}
	log := trace.ByClient()
	if log.Requests == 0 {
		return fmt.Errorf("%s: no requests; there is nothing to suggest a limit from", c.File)
	}
	tick, end := plainProgress(a.stderr, "trying limits")
	defer end()
	r, err := suggest.Find(a.ctx, log, c.Period, suggest.Target{Share: share, Requests: c.Of == "requests"}, tick)
	if err != nil {
		return usagef("%w; write another -period", err)
	}
	end()
	about := report.Log{File: c.File, Key: c.Key}
	return c.write(a, forms{r, func(w io.Writer) error { return report.Suggest(w, about, s.Broken, r) }, func() report.Page { return report.SuggestPage(about, s.Broken, r) }})
}

// parseShare reads 0.1% or 0.001.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, usagef("-refuse %q must be a share from 0%% to 100%%; write for example -refuse 0.1%% or -refuse 0.001", s)
	}
	return share, nil
}
