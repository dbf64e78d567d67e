package engine

import (
	"fmt"
	"time"

	"github.com/limit64/limit64/bucket"
)

// Defaults of Config.
const (
	DefaultMaxKeys     = 1 << 22
	DefaultMaxLogBytes = 64 << 10
)

// Overflow says what happens to a new key when the table holds MaxKeys keys that
// are not idle. Keys that are not idle are never dropped to make room: that
// would give them a fresh burst.
type Overflow uint8

const (
	// DenyNew denies the new key with reason Saturated.
	DenyNew Overflow = iota
	// AdmitNew admits it with reason Untracked, without remembering it: it is
	// not limited until there is room.
	AdmitNew
	// ShareNew decides it on one bucket that all such keys of its shard (of the
	// engine, for a sliding window log) share.
	ShareNew
)

// answer turns the state d of a key never seen into the decision on a new key for
// which there is no room. RetryAfter is a guess at when another key may have
// become idle, one emission interval or window: nothing is known that is exact.
func (o Overflow) answer(d bucket.Outcome, l Limit) bucket.Outcome {
	if o == AdmitNew {
		d.Reason = Untracked
		return d
	}
	d.Reason, d.Remaining, d.RetryAfter = Saturated, 0, l.Period
	if l.Algorithm == bucket.TokenBucketAlgorithm || l.Algorithm == bucket.LeakyBucketAlgorithm {
		d.RetryAfter = max(1, l.Period/time.Duration(l.Tokens))
	}
	return d
}

// Config configures an engine. Only Limit is required.
type Config struct {
	// Limit is what each key may do that has no plan.
	Limit Limit
	// Plans are limits by name, for keys that Plan or SetKeyPlan gives the name.
	// The name "" means Limit. Sliding window logs mix with nothing else.
	Plans map[string]Limit
	// Plan names the plan of a key that is new to the engine; nil, or a name
	// that is not in Plans, means Limit. It is not asked again while the key is
	// held: see Engine.Replan. It must not keep key, nor call the engine.
	Plan func(key string) string
	// IPv4Prefix and IPv6Prefix are how many bits of an address make the key in
	// TakeAddr and its like, such as 64 for an IPv6 customer; 0 means all.
	IPv4Prefix, IPv6Prefix int
	// Clock tells the time; nil means a Monotonic one that all such engines
	// share, so that a Policy can join them.
	Clock Clock
	// MaxKeys bounds the keys held at once; 0 means DefaultMaxKeys. A key takes
	// 40 to 80 bytes, and its length beyond 16 bytes; a sliding window log up
	// to 8 bytes per token more.
	MaxKeys int
	// Overflow is the policy for new keys at the bound.
	Overflow Overflow
	// SweepEvery is how often a background goroutine sweeps the whole table
	// for idle keys; 0 means never: then only inserts pay for sweeps, and a
	// table that no new key enters keeps its memory.
	SweepEvery time.Duration
	// MaxLogBytes bounds what one key of a sliding window log may take, 8 bytes
	// per token and bucket.LogOverhead; 0 means DefaultMaxLogBytes.
	MaxLogBytes int64
	// NoStats turns the counting of decisions off.
	NoStats bool
	// Events is told of denials, saturation and changed limits; nil means
	// nobody. Close it after the engine.
	Events *Events
	// Name is what Events calls the engine.
	Name string

	depth int // logarithm of the shards to start with: for tests
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = defaultClock
	}
	if c.MaxKeys == 0 {
		c.MaxKeys = DefaultMaxKeys
	}
	if c.MaxLogBytes == 0 {
		c.MaxLogBytes = DefaultMaxLogBytes
	}
	return c
}

func (c Config) validate() error {
	if err := c.accepts(c.Limit); err != nil {
		return err
	}
	for name, l := range c.Plans {
		if err := c.accepts(l); err != nil {
			return fmt.Errorf("plan %q: %w", name, err)
		}
		if name == "" {
			return fmt.Errorf("limit64: plan %q: the plan without a name is Limit", name)
		}
	}
	switch {
	case c.IPv4Prefix < 0 || c.IPv4Prefix > 32:
		return fmt.Errorf("limit64: IPv4Prefix %d is not a number of bits from 0 to 32", c.IPv4Prefix)
	case c.IPv6Prefix < 0 || c.IPv6Prefix > 128:
		return fmt.Errorf("limit64: IPv6Prefix %d is not a number of bits from 0 to 128", c.IPv6Prefix)
	case c.MaxKeys < 0:
		return fmt.Errorf("limit64: MaxKeys %d must not be negative", c.MaxKeys)
	case c.Overflow > ShareNew:
		return fmt.Errorf("limit64: unknown Overflow %d", c.Overflow)
	case c.SweepEvery < 0:
		return fmt.Errorf("limit64: SweepEvery %v must not be negative", c.SweepEvery)
	case c.MaxLogBytes < 0:
		return fmt.Errorf("limit64: MaxLogBytes %d must not be negative", c.MaxLogBytes)
	}
	return nil
}

// accepts reports whether keys of the engine can have a limit.
func (c Config) accepts(l Limit) error {
	if err := l.Validate(); err != nil {
		return err
	}
	isLog := l.Algorithm == bucket.SlidingLogAlgorithm
	if isLog != (c.Limit.Algorithm == bucket.SlidingLogAlgorithm) {
		return fmt.Errorf("limit64: limit %v cannot share an engine with %v: sliding window logs mix with nothing else", l, c.Limit)
	}
	if need := bucket.LogBytes(l); isLog && need > c.MaxLogBytes {
		return fmt.Errorf("limit64: limit %v: a log of %d tokens takes %d bytes a key, MaxLogBytes is %d", l, l.Tokens, need, c.MaxLogBytes)
	}
	return nil
}
