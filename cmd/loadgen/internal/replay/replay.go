// Package replay decides about the requests of a recorded log, under one limit or
// under several side by side.
package replay

import (
	"context"
	"time"

	"github.com/limit64/limit64/engine"
)

// Decider answers at instants that the caller knows. An engine is one.
type Decider interface {
	TakeAt(key string, n int64, now time.Duration) engine.Decision
	Now() time.Duration
}

// Options configure a replay.
type Options struct {
	// Limits are replayed side by side, each on the decider of the same index.
	Limits   []engine.Limit
	Deciders []Decider
	// Window sorts lines that are out of order by up to this much.
	Window time.Duration
	// Speed waits for each request's instant, so many times as fast as the log
	// was, and decides at the instants of the deciders' clocks. 0 does not wait,
	// and decides at the log's instants since its earliest one, so that windows
	// are aligned to the start of the log.
	Speed float64
	// MaxClients bounds the clients that are told apart in the report.
	MaxClients int
}

// replay is one pass over a log.
type replay struct {
	Options
	ctx     context.Context
	clients map[string]*client
	sorted  *reorder
	started time.Time // when Speed is set
	first   int64     // the earliest log time decided
	out     *Result
	tally   []LimitResult
	line    timeline
}

// Run replays the whole log, or what comes before ctx is done. tick, unless nil,
// is called now and then with the lines read.
func Run(ctx context.Context, s *Source, o Options, tick func(lines int)) (*Result, error) {
	r := &replay{Options: o, ctx: ctx, clients: map[string]*client{}, out: &Result{Limits: make([]LimitResult, len(o.Limits))}}
	r.tally = r.out.Limits
	for i, l := range o.Limits {
		r.tally[i].Limit = l
	}
	r.line = newTimeline(len(o.Limits))
	r.sorted = newReorder(o.Window, maxHeld, r.one)
	if err := s.Each(ctx, func(at int64, key string) { r.sorted.add(at, r.client(key)) }, tick); err != nil {
		return nil, err
	}
	if ctx.Err() == nil {
		r.sorted.flush()
	}
	r.out.Interrupted = ctx.Err() != nil
	r.finish(s)
	return r.out, nil
}

// client returns the record of a key; beyond MaxClients one that nobody keeps.
func (r *replay) client(key string) *client {
	c := r.clients[key]
	if c != nil {
		return c
	}
	c = newClient(key)
	if len(r.clients) < r.MaxClients {
		r.clients[c.key] = c
	} else {
		r.out.Untracked++
	}
	return c
}

// one decides one request; the reorder buffer calls it in the order of time.
func (r *replay) one(q request) {
	if r.out.Requests == 0 {
		r.first, r.started = q.at, time.Now()
	}
	since := time.Duration(q.at - r.first)
	if r.Speed > 0 && !r.wait(since) {
		return
	}
	r.out.Requests++
	r.out.Last = q.at
	q.client.requests++
	p := r.line.at(since)
	p.Requests++
	for i, d := range r.Deciders {
		now := since
		if r.Speed > 0 {
			now = d.Now()
		}
		decision := d.TakeAt(q.client.key, 1, now)
		if decision.OK {
			continue
		}
		r.tally[i].add(decision)
		q.client.refuse(i, len(r.Deciders), q.at, decision)
		p.Refused[i]++
	}
}

// wait waits until a log time and says whether to go on.
func (r *replay) wait(since time.Duration) bool {
	left := time.Until(r.started.Add(time.Duration(float64(since) / r.Speed)))
	if left <= 0 {
		return r.ctx.Err() == nil
	}
	t := time.NewTimer(left)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.ctx.Done():
		return false
	}
}
