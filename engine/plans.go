package engine

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/limit64/limit64/bucket"
	"github.com/puzpuzpuz/xsync/v3"
)

// plan is a limit that keys have by name or, without a name, one by one.
type plan struct {
	name  string
	limit atomic.Pointer[Limit]
	rule  atomic.Uint32 // its number in the rule set; unused for logs
	keys  int           // keys that have it by SetKeyLimit; a plan without a name ends with the last
}

// plans says which limit a key has. Requests read it without a lock; changes hold
// mu from the first step to the last.
type plans struct {
	mu     sync.Mutex
	choose func(key string) string
	names  map[string]int // position in list; immutable
	list   []*plan        // the default first; immutable
	single map[Limit]*plan
	own    *xsync.MapOf[string, *plan] // keys that were given a plan or a limit of their own
	set    atomic.Pointer[ruleSet]     // empty for logs
	only   atomic.Pointer[compiled]    // the rule of all keys, while the set has no other
	asked  atomic.Uint64               // counts Replan: an older answer of choose may be out of date
}

func newPlans(c Config) (*plans, error) {
	p := &plans{choose: c.Plan, names: map[string]int{"": 0}, single: map[Limit]*plan{}, own: xsync.NewMapOf[string, *plan]()}
	p.set.Store(&ruleSet{})
	p.list = append(p.list, newPlan("", c.Limit))
	for _, name := range slices.Sorted(maps.Keys(c.Plans)) {
		p.names[name] = len(p.list)
		p.list = append(p.list, newPlan(name, c.Plans[name]))
	}
	if c.Limit.Algorithm == bucket.SlidingLogAlgorithm {
		return p, nil
	}
	most := map[Algorithm]int64{}
	for _, q := range p.list {
		l := q.limit.Load()
		most[l.Algorithm] = max(most[l.Algorithm], l.Tokens)
	}
	for _, q := range p.list {
		number, err := p.add(*q.limit.Load(), most[q.limit.Load().Algorithm])
		if err != nil {
			return nil, err
		}
		q.rule.Store(uint32(number))
	}
	return p, nil
}

func newPlan(name string, l Limit) *plan {
	q := &plan{name: name}
	q.limit.Store(&l)
	return q
}

// add adds a rule to the set. The caller holds mu.
func (p *plans) add(l Limit, most int64) (number uint16, err error) {
	r, err := compile(l, most)
	if err != nil {
		return 0, err
	}
	next, number, err := p.set.Load().with(r)
	if err == nil {
		p.only.Store(next.only())
		p.set.Store(next)
	}
	return number, err
}

// remove frees a rule that no slot has any more. The caller holds mu.
//
// Who finds a slot first, then loads only, then the slot's word, may take only for
// the word's rule unless the word is sealed: a slot of another rule is published
// after add took only away, and is sealed before remove puts it back.
func (p *plans) remove(number uint16) {
	next := p.set.Load().without(number)
	p.set.Store(next)
	p.only.Store(next.only())
}

// of returns the position of the plan that Config.Plan names for a key. It calls
// the user's function: hold no lock.
func (p *plans) of(key string) int {
	if p.choose == nil {
		return 0
	}
	return p.names[p.choose(key)] // 0, the default, for a name that is not known
}

// assign returns the plan that a key has: its own, or the one at the position.
func (p *plans) assign(key string, position int) *plan {
	if own, has := p.own.Load(key); has {
		return own
	}
	return p.list[position]
}

// rule returns a rule by number.
func (p *plans) rule(number uint16) *compiled { return &p.set.Load().rules[number] }

// The methods below make plans the shard.Rules of the table.

// Assign returns the number of the rule that a new key has.
func (p *plans) Assign(key string, position int) uint16 {
	return uint16(p.assign(key, position).rule.Load())
}

// Shared returns that of keys without a plan.
func (p *plans) Shared() uint16 { return uint16(p.list[0].rule.Load()) }

func (p *plans) Span() uint64                           { return p.set.Load().span }
func (p *plans) Advance(dt uint64) uint64               { return p.set.Load().advance(dt) }
func (p *plans) Idle(rule uint16, v, dt uint64) bool    { return p.rule(rule).Idle(v, dt) }
func (p *plans) Fresh(rule uint16, dt uint64) uint64    { return p.rule(rule).Fresh(dt) }
func (p *plans) Rebase(rule uint16, v, d uint64) uint64 { return p.rule(rule).Rebase(v, d) }
func (p *plans) Convert(from, to uint16, v, dt uint64) uint64 {
	return bucket.Convert(p.rule(from).Rule, p.rule(to).Rule, v, dt)
}

// setOwn gives a key a plan of its own, or takes it away when q is nil, and
// returns the one it had. The caller holds mu.
func (p *plans) setOwn(key string, q *plan) (had *plan) {
	had, _ = p.own.Load(key)
	if q == nil {
		p.own.Delete(key)
	} else {
		q.keys++
		p.own.Store(strings.Clone(key), q)
	}
	if had != nil {
		had.keys--
	}
	return had
}

// all returns the plans with and without a name. The caller holds mu.
func (p *plans) all() []*plan {
	return slices.AppendSeq(slices.Clone(p.list), maps.Values(p.single))
}
