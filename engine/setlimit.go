package engine

import (
	"fmt"

	"github.com/limit64/limit64/bucket"
)

// SetLimit changes the limit of all keys that have no plan, while requests go
// on. What a key has used stays used: see bucket.Convert. The error names the
// limit or plan that is refused; then nothing has changed.
//
// This and the methods below block one shard of the table after the other for
// some ten microseconds each, and return when all have the new limit. No decision
// waits for longer than that.
func (e *Engine) SetLimit(l Limit) error { return e.SetPlanLimit("", l) }

// SetPlanLimit is SetLimit for the keys of one plan.
func (e *Engine) SetPlanLimit(name string, l Limit) error {
	p := e.plans
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := p.names[name]
	if !known {
		return fmt.Errorf("limit64: there is no plan %q", name)
	}
	if err := e.accepts(l); err != nil {
		return err
	}
	if err := e.replace(p.list[at], l); err != nil {
		return err
	}
	e.events.limited(PlanEvent, name, e.Now(), l)
	return nil
}

// SetKeyLimit gives one key a limit of its own, until Replan or another call for
// the key. The engine remembers it also while the key is not held.
func (e *Engine) SetKeyLimit(key string, l Limit) error {
	p := e.plans
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := e.accepts(l); err != nil {
		return err
	}
	q, known := p.single[l]
	if !known {
		q = newPlan("", l)
		if e.words != nil {
			number, err := p.add(l, p.room(l))
			if err != nil {
				return err
			}
			q.rule.Store(uint32(number))
			e.widen(l)
		}
		p.single[l] = q
	}
	e.setOwn(key, q)
	return nil
}

// SetKeyPlan gives one key a plan by name, whatever Config.Plan says, until Replan
// or another call for the key. The name "" means the limit of keys without a plan.
func (e *Engine) SetKeyPlan(key, name string) error {
	p := e.plans
	p.mu.Lock()
	defer p.mu.Unlock()
	at, known := p.names[name]
	if !known {
		return fmt.Errorf("limit64: there is no plan %q", name)
	}
	e.setOwn(key, p.list[at])
	return nil
}

// Replan drops what SetKeyLimit or SetKeyPlan gave a key and asks Config.Plan for
// its plan again. Call it when the answer for a key has changed.
func (e *Engine) Replan(key string) {
	e.plans.mu.Lock()
	defer e.plans.mu.Unlock()
	e.setOwn(key, nil)
}

// LimitOf returns the limit that a key has.
func (e *Engine) LimitOf(key string) Limit {
	return *e.plans.assign(key, e.plans.of(key)).limit.Load()
}

// setOwn changes what one key has; the caller holds plans.mu. A limit that no key
// has any more gives its rule back.
func (e *Engine) setOwn(key string, q *plan) {
	p, now := e.plans, e.Now()
	had := p.setOwn(key, q)
	p.asked.Add(1)
	if e.words == nil {
		e.logs.relimitKey(key, now)
	} else {
		e.words.table.Reassign(e.words.table.Hash(key), key, p.of(key), now)
	}
	e.events.limited(LimitEvent, key, now, e.LimitOf(key))
	if had == nil || had.keys > 0 || p.single[*had.limit.Load()] != had {
		return
	}
	delete(p.single, *had.limit.Load())
	if e.words != nil {
		p.remove(uint16(had.rule.Load()))
	}
}

// replace gives a plan another limit; the caller holds plans.mu.
func (e *Engine) replace(q *plan, l Limit) error {
	if e.words == nil {
		q.limit.Store(&l)
		e.logs.relimit(e.Now())
		return nil
	}
	if err := e.exchange(q, l, e.plans.room(l)); err != nil {
		return err
	}
	e.widen(l)
	return nil
}

// exchange replaces the rule of a plan.
func (e *Engine) exchange(q *plan, l Limit, most int64) error {
	number, err := e.plans.add(l, most)
	if err != nil {
		return err
	}
	old := q.rule.Swap(uint32(number)) // from here on new keys get the new rule
	q.limit.Store(&l)
	e.words.table.Replace(uint16(old), number, e.Now())
	e.plans.remove(uint16(old))
	return nil
}

// room returns the count that the values of a limit need room for: that of the
// largest of its kind. Buckets have room for any.
func (p *plans) room(l Limit) int64 {
	if l.Algorithm == bucket.TokenBucketAlgorithm || l.Algorithm == bucket.LeakyBucketAlgorithm {
		return 0
	}
	return max(p.set.Load().most(l.Algorithm), l.Tokens)
}

// widen makes the rules of smaller limits anew that have no room for the counts
// of l, which a key may bring along.
func (e *Engine) widen(l Limit) {
	room := e.plans.room(l)
	for _, q := range e.plans.all() {
		r := e.plans.rule(uint16(q.rule.Load()))
		if r.Limit().Algorithm == l.Algorithm && r.most < room {
			// It was accepted before, and only its room changes.
			_ = e.exchange(q, r.Limit(), room)
		}
	}
}
