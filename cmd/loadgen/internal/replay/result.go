package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/limit64/limit64/engine"
)

// Result is what a replay found. It says nothing of how long the replay took, so
// that the same log always gives the same result. Instants are nanoseconds since
// 1970, durations nanoseconds.
type Result struct {
	Lines       int           `json:"lines"`
	Broken      int           `json:"broken_lines"`
	Requests    int64         `json:"requests"`
	First       int64         `json:"first_ns"`
	Last        int64         `json:"last_ns"`
	Late        int64         `json:"late"` // too late to be sorted
	Clients     int           `json:"clients"`
	Untracked   int64         `json:"untracked"` // requests of clients beyond MaxClients
	Interrupted bool          `json:"interrupted"`
	Limits      []LimitResult `json:"limits"`
	// Refused are the clients that were refused something by any limit, the most
	// refused under the first one first.
	Refused  []Client `json:"refused_clients"`
	Timeline []Point  `json:"timeline"`
	// Step is the length of each point of the timeline.
	Step time.Duration `json:"step_ns"`
}

// LimitResult is what one limit did.
type LimitResult struct {
	Limit       engine.Limit  `json:"limit"`
	Refused     int64         `json:"refused"`
	Saturated   int64         `json:"saturated"` // only because the engine held its most keys
	Clients     int           `json:"refused_clients"`
	LongestWait time.Duration `json:"longest_wait_ns"`
}

func (l *LimitResult) add(d engine.Decision) {
	l.Refused++
	if d.Reason == engine.Saturated {
		l.Saturated++
	}
	l.LongestWait = max(l.LongestWait, d.RetryAfter)
}

// Client is what one key asked for, and what each limit refused it.
type Client struct {
	Key      string    `json:"key"`
	Requests int64     `json:"requests"`
	By       []Refusal `json:"by_limit"`
}

// Refusal is what one limit refused one key.
type Refusal struct {
	Refused     int64         `json:"refused"`
	First       int64         `json:"first_ns"`
	Last        int64         `json:"last_ns"`
	LongestWait time.Duration `json:"longest_wait_ns"`
}

// Spread is by how much the limits differ about a client.
func (c Client) Spread() int64 {
	low, high := c.By[0].Refused, c.By[0].Refused
	for _, r := range c.By {
		low, high = min(low, r.Refused), max(high, r.Refused)
	}
	return high - low
}

// client is Client while the replay runs: most are never refused anything, and
// then they are small.
type client struct {
	key      string
	requests int64
	by       []Refusal
}

// newClient keeps a copy of the key: the original is a part of its whole line.
func newClient(key string) *client { return &client{key: strings.Clone(key)} }

func (c *client) refuse(i, limits int, at int64, d engine.Decision) {
	if c.by == nil {
		c.by = make([]Refusal, limits)
	}
	r := &c.by[i]
	if r.Refused++; r.Refused == 1 {
		r.First = at
	}
	r.Last = at
	r.LongestWait = max(r.LongestWait, d.RetryAfter)
}

func (r *replay) finish(s *Source) {
	o := r.out
	o.Lines, o.Broken, o.First, o.Late, o.Clients = s.Lines, s.Broken, r.first, r.sorted.late, len(r.clients)
	o.Timeline, o.Step = r.line.points, r.line.step
	for _, c := range r.clients {
		if c.by == nil {
			continue
		}
		o.Refused = append(o.Refused, Client{c.key, c.requests, c.by})
		for i, by := range c.by {
			if by.Refused > 0 {
				o.Limits[i].Clients++
			}
		}
	}
	slices.SortFunc(o.Refused, func(a, b Client) int {
		return cmp.Or(cmp.Compare(b.By[0].Refused, a.By[0].Refused), cmp.Compare(a.Key, b.Key))
	})
}

// Point is one step of the log's time.
type Point struct {
	Requests int64   `json:"requests"`
	Refused  []int64 `json:"refused"` // by limit
}

// maxPoints bounds a timeline: a longer log has longer steps.
const maxPoints = 360

// timeline counts in steps of the log's time, from its start.
type timeline struct {
	step   time.Duration
	limits int
	points []Point
}

func newTimeline(limits int) timeline { return timeline{step: time.Second, limits: limits} }

func (t *timeline) at(since time.Duration) *Point {
	for int64(since/t.step) >= maxPoints {
		t.double()
	}
	for int64(len(t.points)) <= int64(since/t.step) {
		t.points = append(t.points, Point{Refused: make([]int64, t.limits)})
	}
	return &t.points[since/t.step]
}

func (t *timeline) double() {
	t.step *= 2
	half := t.points[:0]
	for i := 0; i < len(t.points); i += 2 {
		p := t.points[i]
		if i+1 < len(t.points) {
			q := t.points[i+1]
			p.Requests += q.Requests
			for j := range p.Refused {
				p.Refused[j] += q.Refused[j]
			}
		}
		half = append(half, p)
	}
	t.points = half
}
