package bucket

import (
	"fmt"
	"math/bits"
	"time"
)

// Algorithm is one of the five ways to count.
type Algorithm uint8

const (
	// TokenBucketAlgorithm refills continuously up to the burst.
	TokenBucketAlgorithm Algorithm = iota + 1
	// LeakyBucketAlgorithm is the same meter read backwards: a level that
	// leaks, with the burst as its capacity.
	LeakyBucketAlgorithm
	// FixedWindowAlgorithm counts per window aligned to the clock's start. Up
	// to twice the limit can pass around a boundary.
	FixedWindowAlgorithm
	// SlidingCounterAlgorithm weighs the previous window's count by the share
	// of it that is still in sight.
	SlidingCounterAlgorithm
	// SlidingLogAlgorithm remembers the instant of every admitted token: exact.
	SlidingLogAlgorithm
)

// Bounds of what a limit can say. Within them nothing overflows.
const (
	// MaxRate is the highest rate: tokens per second.
	MaxRate = 1_000_000_000
	// MaxInterval is the longest emission interval: one token in a leap year.
	MaxInterval = 366 * 24 * time.Hour
	// MaxPeriod is the longest period, about 73 years.
	MaxPeriod = time.Duration(1 << 61)
	// MaxCapacity is the largest burst, or number of tokens of a fixed window.
	MaxCapacity = 1 << 60
	// MaxRefill is the longest time a token or leaky bucket may take to fill,
	// about 146 years.
	MaxRefill = time.Duration(1 << 62)
	// MaxCounterTokens is the most tokens of a sliding window counter.
	MaxCounterTokens = 1 << 42
	// MaxLogTokens is the most tokens of a sliding window log, 8 bytes each.
	MaxLogTokens = 1 << 27
)

// Limit is what a key may do. It is a plain value; the zero Limit is invalid.
type Limit struct {
	// Algorithm says how it is counted.
	Algorithm Algorithm
	// Tokens is how many are earned per Period, or allowed per window.
	Tokens int64
	// Period is the time in which Tokens are earned, or the window's length.
	Period time.Duration
	// Burst is the capacity of a token or leaky bucket; 0 means Tokens. Windows
	// have none.
	Burst int64
}

// Option refines a limit.
type Option func(*Limit)

// Burst sets the capacity of a token or leaky bucket.
func Burst(n int64) Option { return func(l *Limit) { l.Burst = n } }

// TokenBucket earns tokens per period and banks at most the burst.
func TokenBucket(tokens int64, period time.Duration, opts ...Option) Limit {
	return newLimit(TokenBucketAlgorithm, tokens, period, opts)
}

// LeakyBucket drains tokens per period from a level of at most the burst.
func LeakyBucket(tokens int64, period time.Duration, opts ...Option) Limit {
	return newLimit(LeakyBucketAlgorithm, tokens, period, opts)
}

// FixedWindow allows tokens in each aligned window.
func FixedWindow(tokens int64, window time.Duration) Limit {
	return newLimit(FixedWindowAlgorithm, tokens, window, nil)
}

// SlidingCounter allows an estimate of tokens in any window.
func SlidingCounter(tokens int64, window time.Duration) Limit {
	return newLimit(SlidingCounterAlgorithm, tokens, window, nil)
}

// SlidingLog allows tokens in any window, exactly.
func SlidingLog(tokens int64, window time.Duration) Limit {
	return newLimit(SlidingLogAlgorithm, tokens, window, nil)
}

// PerSecond is a token bucket of tokens a second.
func PerSecond(tokens int64, opts ...Option) Limit { return TokenBucket(tokens, time.Second, opts...) }

// PerMinute is a token bucket of tokens a minute.
func PerMinute(tokens int64, opts ...Option) Limit { return TokenBucket(tokens, time.Minute, opts...) }

// PerHour is a token bucket of tokens an hour.
func PerHour(tokens int64, opts ...Option) Limit { return TokenBucket(tokens, time.Hour, opts...) }

// Every is a token bucket that earns one token each interval.
func Every(interval time.Duration, opts ...Option) Limit { return TokenBucket(1, interval, opts...) }

func newLimit(a Algorithm, tokens int64, period time.Duration, opts []Option) Limit {
	l := Limit{Algorithm: a, Tokens: tokens, Period: period}
	for _, o := range opts {
		o(&l)
	}
	return l
}

// Capacity is the most that can be taken at once.
func (l Limit) Capacity() int64 {
	if l.Burst != 0 {
		return l.Burst
	}
	return l.Tokens
}

func (l Limit) hasBurst() bool {
	return l.Algorithm == TokenBucketAlgorithm || l.Algorithm == LeakyBucketAlgorithm
}

// Validate returns nil, or an error that names the value that no rule can hold.
func (l Limit) Validate() error {
	switch {
	case l.Algorithm < TokenBucketAlgorithm || l.Algorithm > SlidingLogAlgorithm:
		return fmt.Errorf("limit64: unknown algorithm %d", l.Algorithm)
	case l.Tokens <= 0:
		return l.errorf("tokens must be positive")
	case l.Period <= 0:
		return l.errorf("period must be positive")
	case l.Period > MaxPeriod:
		return l.errorf("period is longer than %v", MaxPeriod)
	case l.Tokens > int64(l.Period):
		return l.errorf("rate is above %d tokens a second", MaxRate)
	case l.Period/time.Duration(l.Tokens) > MaxInterval:
		return l.errorf("rate is below one token in %v", MaxInterval)
	}
	if l.hasBurst() {
		return l.validateBurst()
	}
	return l.validateWindow()
}

func (l Limit) validateBurst() error {
	if l.Burst < 0 {
		return l.errorf("burst %d must not be negative", l.Burst)
	}
	if l.Capacity() > MaxCapacity {
		return l.errorf("burst %d is above %d", l.Capacity(), int64(MaxCapacity))
	}
	hi, lo := bits.Mul64(uint64(l.Capacity()), uint64(l.Period))
	tokens := uint64(l.Tokens)
	if refill := uint64(MaxRefill); hi >= tokens || first(bits.Div64(hi, lo, tokens)) > refill {
		return l.errorf("burst %d takes longer than %v to refill", l.Capacity(), MaxRefill)
	}
	return nil
}

func (l Limit) validateWindow() error {
	most := int64(MaxCapacity)
	switch l.Algorithm {
	case SlidingCounterAlgorithm:
		most = MaxCounterTokens
	case SlidingLogAlgorithm:
		most = MaxLogTokens
	}
	if l.Burst != 0 {
		return l.errorf("burst %d: a window has no burst", l.Burst)
	}
	if l.Tokens > most {
		return l.errorf("more than %d tokens in one window", most)
	}
	return nil
}

func (l Limit) errorf(format string, args ...any) error {
	return fmt.Errorf("limit64: limit %d per %v: %s", l.Tokens, l.Period, fmt.Sprintf(format, args...))
}

func first(q, _ uint64) uint64 { return q }
