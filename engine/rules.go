package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// compiled is a rule with what the hot path needs of it beside its steps.
type compiled struct {
	bucket.Rule
	span     uint64
	capacity int64
	most     int64 // the count that its values have room for
	step
}

// path names the step of the generated fast paths that understands a rule's values.
type path uint8

const (
	noPath      path = iota // takeGeneric
	spentPath               // token and leaky bucket, with units that need no rounding
	windowPath              // fixed window
	counterPath             // sliding window counter
)

// step is what the fast paths compute with: bucket.Params in the form in which they
// cost least.
type step struct {
	path path

	size uint64         // of a bucket: its capacity in units
	unit bucket.Divisor // units of a token
	rate bucket.Divisor // units earned in a nanosecond

	period           bucket.Divisor // of a window
	curBits, curMask uint64

	prevBits, prevMask uint64 // of a sliding window counter
	shift              uint64
}

func newStep(rule bucket.Rule) step {
	p, l := bucket.ParamsOf(rule), rule.Limit()
	mask := func(bits int) uint64 { return 1<<bits - 1 }
	s := step{curBits: uint64(p.CurBits), curMask: mask(p.CurBits), period: bucket.NewDivisor(uint64(l.Period))}
	switch {
	case l.Algorithm == bucket.FixedWindowAlgorithm:
		s.path = windowPath
	case l.Algorithm == bucket.SlidingCounterAlgorithm:
		s.path = counterPath
		s.prevBits, s.prevMask, s.shift = uint64(p.PrevBits), mask(p.PrevBits), uint64(p.Shift)
	case p.Den == 1:
		s.path = spentPath
		s.size, s.unit, s.rate = uint64(p.Capacity)*p.Unit, bucket.NewDivisor(p.Unit), bucket.NewDivisor(p.Num)
	}
	return s
}

// ruleSet is the rules of an engine by their number. It is immutable. An entry
// that is free keeps its last rule until the number is given to another, since a
// request may still be looking at a sealed word with that number.
type ruleSet struct {
	rules  []compiled
	live   []bool
	span   uint64 // of the narrowest rule
	narrow int    // its number
	grain  uint64 // bases move by multiples of it, so that windows stay aligned
}

// compile makes the rule of a limit whose values have room for most tokens.
func compile(l Limit, most int64) (compiled, error) {
	if l.Algorithm == bucket.TokenBucketAlgorithm || l.Algorithm == bucket.LeakyBucketAlgorithm {
		most = 0 // they have room for any
	}
	rule, err := bucket.NewRuleFrom(l, most)
	if err != nil {
		return compiled{}, err
	}
	return compiled{rule, rule.Span(), l.Capacity(), most, newStep(rule)}, nil
}

// only returns the set's one live rule, or nil when it has more.
func (s *ruleSet) only() (only *compiled) {
	for i := range s.rules {
		switch {
		case !s.live[i]:
		case only != nil:
			return nil
		default:
			only = &s.rules[i]
		}
	}
	return only
}

// most returns the largest count that a live rule of an algorithm has room for.
func (s *ruleSet) most(a Algorithm) (most int64) {
	for i, r := range s.rules {
		if s.live[i] && r.Limit().Algorithm == a {
			most = max(most, r.most)
		}
	}
	return most
}

// with returns the set with one more rule, and its number.
func (s *ruleSet) with(r compiled) (*ruleSet, uint16, error) {
	next := &ruleSet{rules: slices.Clone(s.rules), live: slices.Clone(s.live)}
	number := slices.Index(next.live, false)
	switch {
	case number >= 0:
		next.rules[number], next.live[number] = r, true
	case len(next.rules) == shard.MaxRules:
		return nil, 0, fmt.Errorf("limit64: limit %v: an engine has at most %d different limits", r.Limit(), shard.MaxRules)
	default:
		number = len(next.rules)
		next.rules, next.live = append(next.rules, r), append(next.live, true)
	}
	if !next.measure() {
		return nil, 0, fmt.Errorf("limit64: limit %v cannot share an engine with the others: their windows have too large a common multiple", r.Limit())
	}
	return next, uint16(number), nil
}

// without returns the set with a number free again.
func (s *ruleSet) without(number uint16) *ruleSet {
	next := &ruleSet{rules: s.rules, live: slices.Clone(s.live)}
	next.live[number] = false
	next.measure() // fewer rules demand less
	return next
}

// measure finds what the rules have in common, since a shard has one base for all,
// and reports whether they can have one.
func (s *ruleSet) measure() bool {
	s.span, s.grain = math.MaxUint64, 1
	for i, r := range s.rules {
		if s.live[i] && r.span < s.span {
			s.span, s.narrow = r.span, i
		}
	}
	if s.only() != nil || s.span >= math.MaxInt64 {
		return true // it moves by its own measure, or never
	}
	for i, r := range s.rules {
		if !s.live[i] || !r.windowed() {
			continue
		}
		period := r.period.Value()
		factor := period / gcd(s.grain, period)
		if factor > math.MaxInt64/s.grain {
			return false
		}
		s.grain *= factor
	}
	if narrow := s.rules[s.narrow]; narrow.windowed() && s.grain == narrow.period.Value() {
		return true // it moves by whole windows of all
	}
	return s.grain <= s.span/4
}

// pathOf returns the path for n tokens: none where no state could admit them.
func (c *compiled) pathOf(n int64) path {
	if uint64(n)-1 >= uint64(c.capacity) {
		return noPath
	}
	return c.path
}

// windowed reports whether a base must move by whole windows.
func (c *compiled) windowed() bool { return c.path == windowPath || c.path == counterPath }

// advance leaves at least a quarter of the span ahead.
func (s *ruleSet) advance(dt uint64) uint64 {
	delta := s.rules[s.narrow].Advance(dt)
	return delta - delta%s.grain
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
