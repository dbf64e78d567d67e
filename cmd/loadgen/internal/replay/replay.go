package replay

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
	"github.com/limit64/limit64/engine"
)

type replayCmd struct {
	File    string        `arg:"" help:"Access log in Combined Log Format or nginx JSON lines, plain or gzip; - reads standard input."`
	Limit   engine.Limit  `name:"limit" help:"What each key may do, such as token:60/m,burst=20." required:"" placeholder:"LIMIT"`
	Key     string        `name:"key" help:"What a client is: ip, path or ip+path." enum:"ip,path,ip+path" default:"ip"`
	Window  time.Duration `name:"window" help:"Sort lines that are out of order by up to this much." default:"1m"`
	Top     int           `name:"top" help:"Show this many refused keys; 0 shows all." default:"20"`
	Broken  int           `name:"broken" help:"Show this many broken lines." default:"5"`
	MaxKeys int           `name:"max-keys" help:"Most keys the engine holds at once." default:"4194304"`
}

// Help is what the command line's help says beyond the flags.
func (*replayCmd) Help() string {
	return `Instants are the log's own times since its earliest one: windows of fixed and counter limits are aligned to that, and all requests of one second of a log that has whole seconds come at the same instant.

For each refused key the report says how many of its requests would have been refused, when the first and the last, the span between these two, and the longest wait that a refusal would have named. Addresses are compared in canonical form; paths are compared without their query.`
}

// Run replays the log and prints the report.
func (c *replayCmd) Run(a *app) error {
	if err := c.validate(); err != nil {
		return err
	}
	in, closeFile, err := a.open(c.File)
	if err != nil {
		return err
	}
	defer closeFile()
	l, err := a.newLimiter(engine.Config{Limit: c.Limit, Clock: engine.Manual(), MaxKeys: c.MaxKeys, MaxLogBytes: logBytes})
	if err != nil {
		return usagef("%v; write another -limit", err)
	}
	defer l.Close()
	r := newReplay(l, keyFuncs[c.Key], c.Window, c.Broken)
	if err := r.read(in); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return c.report(a.stdout, r)
}

func (c *replayCmd) validate() error {
	switch {
	case c.Window < 0:
		return usagef("-window %v must not be negative; write for example -window 1m", c.Window)
	case c.Top < 0:
		return usagef("-top %d must not be negative; write 0 to show all", c.Top)
	case c.Broken < 0:
		return usagef("-broken %d must not be negative; write 0 to show none", c.Broken)
	case c.MaxKeys <= 0:
		return usagef("-max-keys %d must be positive; write for example -max-keys 1000000", c.MaxKeys)
	}
	return nil
}

// open opens the log; "-" is standard input.
func (a *app) open(name string) (in *accesslog.Reader, closeFile func(), err error) {
	file, closeFile := a.stdin, func() {}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, usagef("%w; write the path of an access log, or - for standard input", err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, nil, usagef("%s is a directory; write the path of an access log in it", name)
		}
		file, closeFile = f, func() { f.Close() }
	}
	if in, err = accesslog.NewReader(file); err != nil {
		closeFile()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return in, closeFile, nil
}

// replay is one pass over a log. The instants that the decider sees are log
// times since the earliest one, so windows are aligned to the start of the log.
type replay struct {
	decide  decider
	keyOf   func(accesslog.Entry) string
	clients map[string]*client
	sorted  *reorder
	show    int // how many broken lines to keep

	lines, broken     int
	brokenLines       []*accesslog.LineError
	admitted, refused int64
	saturated         int64 // refused only because the engine held its most keys
	first, last       int64 // the earliest and the latest log time decided
}

func newReplay(d decider, keyOf func(accesslog.Entry) string, window time.Duration, show int) *replay {
	r := &replay{decide: d, keyOf: keyOf, clients: map[string]*client{}, show: show}
	r.sorted = newReorder(window, maxHeld, r.one)
	return r
}

// read replays the whole log. Broken lines are counted; they are an error only
// when there is nothing else.
func (r *replay) read(in *accesslog.Reader) error {
	for {
		e, err := in.Next()
		r.lines = in.Line()
		var bad *accesslog.LineError
		switch {
		case errors.As(err, &bad):
			r.addBroken(bad)
		case err == io.EOF:
			r.sorted.flush()
			return r.allBroken()
		case err != nil:
			return fmt.Errorf("after line %d: %w", r.lines, err)
		default:
			r.sorted.add(e.Time.UnixNano(), r.client(r.keyOf(e)))
		}
	}
}

func (r *replay) addBroken(bad *accesslog.LineError) {
	if r.broken++; len(r.brokenLines) < max(r.show, 1) {
		r.brokenLines = append(r.brokenLines, bad)
	}
}

func (r *replay) allBroken() error {
	if r.broken == 0 || len(r.clients) > 0 {
		return nil
	}
	return fmt.Errorf("none of %s lines is in Combined Log Format or a JSON line of nginx; the first: %w", count(int64(r.broken)), r.brokenLines[0])
}

func (r *replay) client(key string) *client {
	c := r.clients[key]
	if c == nil {
		c = &client{key: key}
		r.clients[key] = c
	}
	return c
}

// one decides one request; the reorder buffer calls it in the order of time.
func (r *replay) one(q request) {
	if r.admitted+r.refused == 0 {
		r.first = q.at
	}
	r.last = q.at
	d := r.decide.TakeAt(q.client.key, 1, time.Duration(q.at-r.first))
	q.client.add(q.at, d)
	if d.OK {
		r.admitted++
		return
	}
	r.refused++
	if d.Reason == engine.Saturated {
		r.saturated++
	}
}

// client is what the report says of one key.
type client struct {
	key                       string
	requests, refused         int64
	firstRefused, lastRefused int64 // nanoseconds since 1970
	longestWait               time.Duration
}

func (c *client) add(at int64, d engine.Decision) {
	c.requests++
	if d.OK {
		return
	}
	if c.refused++; c.refused == 1 {
		c.firstRefused = at
	}
	c.lastRefused = at
	c.longestWait = max(c.longestWait, d.RetryAfter)
}
