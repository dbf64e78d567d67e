package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
	"github.com/limit64/limit64/cmd/loadgen/internal/replay"
	"github.com/limit64/limit64/cmd/loadgen/internal/report"
	"github.com/limit64/limit64/engine"
)

type replayCmd struct {
	logFlags
	Limit   []engine.Limit `name:"limit" help:"What each key may do, such as token:60/m,burst=20; more than one are replayed side by side." required:"" placeholder:"LIMIT" sep:"none"`
	Speed   float64        `name:"speed" help:"Replay in real time, so many times as fast as the log was, through the engine's real clock; 0 does not wait." default:"0"`
	Top     int            `name:"top" help:"Show this many refused keys; 0 shows all." default:"20"`
	Broken  int            `name:"broken" help:"Show this many broken lines." default:"5"`
	MaxKeys int            `name:"max-keys" help:"Most keys that each engine holds at once, and that the report tells apart." default:"4194304"`
	output
}

// logFlags are those of the commands that read a log.
type logFlags struct {
	File string `arg:"" help:"Access log in Combined Log Format or nginx JSON lines, plain or gzip; - reads standard input."`
	Key  string `name:"key" help:"What a client is: ip, path or ip+path." enum:"ip,path,ip+path" default:"ip"`
	// Window is only as long as the longest request has to be.
	Window time.Duration `name:"window" help:"Sort lines that are out of order by up to this much." default:"1m"`
}

// Help is what the command line's help says beyond the flags.
func (*replayCmd) Help() string {
	return `Examples:

` + indent(replayExamples) + `

Instants are the log's own times since its earliest one: windows of fixed and counter limits are aligned to that, and all requests of one second of a log that has whole seconds come at the same instant. With -speed they are those of the engine's clock: at -speed 60 a limit of a minute sees an hour.

For each refused key the report says how many of its requests would have been refused, when the first and the last, the span between these two, and the longest wait that a refusal would have named. Of several limits it says what each refuses, and about which clients they differ most. Addresses are compared in canonical form; paths are compared without their query.`
}

var replayExamples = []string{
	"loadgen replay access.log -limit token:60/m,burst=20 -key ip",
	"loadgen replay access.log.gz -limit token:60/m -limit fixed:60/m -limit log:60/m -html report.html",
	"loadgen replay access.log -limit 5/s -key ip+path -speed 3600",
}

// Run replays the log and prints the report.
func (c *replayCmd) Run(a *app) error {
	if err := c.validate(); err != nil {
		return err
	}
	var clock engine.Clock = engine.Manual()
	if c.Speed > 0 {
		clock = engine.Monotonic()
	}
	o := replay.Options{Limits: c.Limit, Window: c.Window, Speed: c.Speed, MaxClients: c.MaxKeys}
	for _, limit := range c.Limit {
		l, err := a.newLimiter(engine.Config{Limit: limit, Clock: clock, MaxKeys: c.MaxKeys, MaxLogBytes: logBytes})
		if err != nil {
			return usagef("%w; write another -limit", err)
		}
		defer l.Close()
		o.Deciders = append(o.Deciders, l)
	}
	var r *replay.Result
	s, err := a.readLog(c.logFlags, c.Broken, func(s *replay.Source, tick func(int)) (err error) {
		r, err = replay.Run(a.ctx, s, o, tick)
		return err
	})
	if err != nil {
		return err
	}
	about := report.Log{File: c.File, Key: c.Key, Window: c.Window, Top: c.Top, Broken: s.BrokenLines[:min(c.Broken, len(s.BrokenLines))]}
	return c.write(a, forms{r, func(w io.Writer) error { return report.Replay(w, about, r) }, func() report.Page { return report.ReplayPage(about, r) }})
}

func (c *replayCmd) validate() error {
	switch {
	case c.Window < 0:
		return usagef("-window %v must not be negative; write for example -window 1m", c.Window)
	case !(c.Speed >= 0):
		return usagef("-speed %v must not be negative; write for example -speed 60, or 0 to replay without waiting", c.Speed)
	case c.Top < 0:
		return usagef("-top %d must not be negative; write 0 to show all", c.Top)
	case c.Broken < 0:
		return usagef("-broken %d must not be negative; write 0 to show none", c.Broken)
	case c.MaxKeys <= 0:
		return usagef("-max-keys %d must be positive; write for example -max-keys 1000000", c.MaxKeys)
	}
	return nil
}

// readLog opens the log, "-" is standard input, and shows how far do has come.
func (a *app) readLog(f logFlags, broken int, do func(s *replay.Source, tick func(lines int)) error) (*replay.Source, error) {
	file, size := a.stdin, int64(0)
	if f.File != "-" {
		opened, err := os.Open(f.File)
		if err != nil {
			return nil, usagef("%w; write the path of an access log, or - for standard input", err)
		}
		defer opened.Close()
		if info, err := opened.Stat(); err == nil && info.IsDir() {
			return nil, usagef("%s is a directory; write the path of an access log in it", f.File)
		} else if err == nil {
			size = info.Size()
		}
		file = opened
	}
	counted := &countedReader{in: file}
	log, err := accesslog.NewReader(counted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.File, err)
	}
	at, end := fileProgress(a.stderr, size)
	defer end()
	s := replay.NewSource(log, f.Key, broken)
	if err := do(s, func(lines int) { at(counted.read.Load(), lines) }); err != nil {
		return nil, fmt.Errorf("%s: %w", f.File, err)
	}
	return s, nil
}

// countedReader counts what was read, for the progress of compressed files too.
type countedReader struct {
	in   io.Reader
	read atomic.Int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.read.Add(int64(n))
	return n, err
}
