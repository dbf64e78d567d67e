package engine

import (
	"time"

	"github.com/limit64/limit64/bucket"
)

// verdict is the outcome that a policy tells, of the limit that it names.
type verdict struct {
	told  bucket.Outcome
	limit int64
	index int
	any   bool // there is one
}

func (v *verdict) denied() bool { return v.any && !v.told.OK() }

// add keeps the outcome that says more: the longest denial, else a limit that
// only reports, else the fewest tokens left.
func (v *verdict) add(i int, o bucket.Outcome, limit int64) {
	if !v.any || v.outranked(i, o) {
		v.told, v.limit, v.index, v.any = o, limit, i, true
	}
}

func (v *verdict) outranked(i int, o bucket.Outcome) bool {
	switch was := &v.told; {
	case !o.OK():
		return was.OK() || o.RetryAfter > was.RetryAfter || o.RetryAfter == was.RetryAfter && i < v.index
	case !was.OK() || was.Reason == Shadowed:
		return false
	default:
		return o.Reason == Shadowed || o.Remaining < was.Remaining
	}
}

// take looks at all limits but the first, which needs no look since its own
// denial writes nothing, and then takes from all in order.
func (p *Policy) take(keys []string, n int64, now time.Duration, d *PolicyDecision) {
	var v verdict
	if p.look(1, len(p.parts), keys, n, now, &v); v.denied() {
		p.look(0, 1, keys, n, now, &v)
		p.deny(keys, n, now, &v, d)
		return
	}
	v = verdict{}
	if !p.takeFrom(0, keys, n, now, &v) {
		if v.index > 0 {
			p.takenBack.Add(1)
		}
		p.deny(keys, n, now, &v, d)
		return
	}
	p.fill(d, &v)
}

// takeFrom takes from limit i and all that follow, or from none of them.
func (p *Policy) takeFrom(i int, keys []string, n int64, now time.Duration, v *verdict) bool {
	if i == len(p.parts) {
		return true
	}
	if p.hook != nil {
		p.hook()
	}
	part, key := &p.parts[i], keys[i]
	var h hold
	o, limit := part.Engine.hold(key, n, now, &h)
	v.add(i, part.told(key, o), limit)
	if v.denied() {
		return false
	}
	if !p.takeFrom(i+1, keys, n, now, v) {
		part.Engine.release(key, n, &h)
		return false
	}
	part.admitted(key, n, now, o)
	return true
}

// look adds what limits from i on, up to another, say.
func (p *Policy) look(i, end int, keys []string, n int64, now time.Duration, v *verdict) {
	for ; i < end; i++ {
		part := &p.parts[i]
		o, limit := part.Engine.look(keys[i], n, now)
		v.add(i, part.told(keys[i], o), limit)
	}
}

// deny tells a denial and counts it where it comes from.
func (p *Policy) deny(keys []string, n int64, now time.Duration, v *verdict, d *PolicyDecision) {
	v.told.RetryAfter = p.agreed(keys, n, now, v.told.RetryAfter)
	p.fill(d, v)
	e := p.parts[v.index].Engine
	e.counts.count(v.told.Reason)
	e.events.decided(keys[v.index], n, now, &d.Decision)
}

func (p *Policy) peek(keys []string, n int64, now time.Duration, d *PolicyDecision) {
	var v verdict
	if p.look(0, len(p.parts), keys, n, now, &v); v.denied() {
		v.told.RetryAfter = p.agreed(keys, n, now, v.told.RetryAfter)
	}
	p.fill(d, &v)
}

// agreed returns the least wait after which all limits admit, given the longest
// of their own waits. A limit that admits goes on admitting while nobody asks,
// and then that is it; only a sliding counter that keeps the previous window in
// steps, rounded up, may deny again when its window rolls. So engines of words
// are asked at the instant itself. No instant before has been right, so the first
// that is, is the least.
func (p *Policy) agreed(keys []string, n int64, now, wait time.Duration) time.Duration {
	for again := true; again; {
		again = false
		for i := range p.parts {
			part := &p.parts[i]
			if part.Engine.words == nil || wait >= bucket.Never-max(now, 0) {
				continue
			}
			key := keys[i]
			if o, _ := part.Engine.look(key, n, now+wait); !part.told(key, o).OK() {
				wait += min(o.RetryAfter, bucket.Never-wait)
				again = true
			}
		}
	}
	return wait
}

// told is what a limit says of a key, or Shadowed where it denies and only
// reports. An invalid n is no matter of limits.
func (part *Part) told(key string, o bucket.Outcome) bucket.Outcome {
	if !o.OK() && o.Reason != InvalidN && !part.Rollout.Enforces(key) {
		o.Reason = Shadowed
	}
	return o
}

// admitted counts a request that the policy admitted.
func (part *Part) admitted(key string, n int64, now time.Duration, said bucket.Outcome) {
	e := part.Engine
	e.counts.count(said.Reason)
	switch {
	case !said.OK():
		e.counts.count(Shadowed)
		e.events.shadowed(key, n, now, said.Reason, said.RetryAfter)
	case said.Reason == Untracked && e.events != nil:
		e.events.refused(key, n, now, said.Reason, said.RetryAfter)
	}
}

// look is Peek before it becomes a decision.
func (e *Engine) look(key string, n int64, now time.Duration) (bucket.Outcome, int64) {
	if e.words != nil {
		return e.words.peek(key, n, now)
	}
	return e.logs.peek(key, n, now)
}
