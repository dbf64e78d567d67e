package engine

import (
	"time"

	"github.com/limit64/limit64/bucket"
)

// What users need of package bucket, so that they import this one only.
type (
	// Limit is what a key may do.
	Limit = bucket.Limit
	// Option refines a limit.
	Option = bucket.Option
	// Decision answers one request.
	Decision = bucket.Decision
	// Reason says why a request was admitted or denied.
	Reason = bucket.Reason
	// Algorithm is one of the five ways to count.
	Algorithm = bucket.Algorithm
)

// The reasons of a decision.
const (
	Admitted  = bucket.Admitted
	Denied    = bucket.Denied
	TooLarge  = bucket.TooLarge
	InvalidN  = bucket.InvalidN
	Saturated = bucket.Saturated
	Untracked = bucket.Untracked
	Shadowed  = bucket.Shadowed
	WrongKeys = bucket.WrongKeys
)

// Never is the wait for something that no wait brings about.
const Never = bucket.Never

// TokenBucket earns tokens per period and banks at most the burst.
func TokenBucket(tokens int64, period time.Duration, opts ...Option) Limit {
	return bucket.TokenBucket(tokens, period, opts...)
}

// LeakyBucket drains tokens per period from a level of at most the burst.
func LeakyBucket(tokens int64, period time.Duration, opts ...Option) Limit {
	return bucket.LeakyBucket(tokens, period, opts...)
}

// FixedWindow allows tokens in each aligned window.
func FixedWindow(tokens int64, window time.Duration) Limit {
	return bucket.FixedWindow(tokens, window)
}

// SlidingCounter allows an estimate of tokens in any window.
func SlidingCounter(tokens int64, window time.Duration) Limit {
	return bucket.SlidingCounter(tokens, window)
}

// SlidingLog allows tokens in any window, exactly.
func SlidingLog(tokens int64, window time.Duration) Limit { return bucket.SlidingLog(tokens, window) }

// PerSecond is a token bucket of tokens a second.
func PerSecond(tokens int64, opts ...Option) Limit { return bucket.PerSecond(tokens, opts...) }

// PerMinute is a token bucket of tokens a minute.
func PerMinute(tokens int64, opts ...Option) Limit { return bucket.PerMinute(tokens, opts...) }

// PerHour is a token bucket of tokens an hour.
func PerHour(tokens int64, opts ...Option) Limit { return bucket.PerHour(tokens, opts...) }

// Every is a token bucket that earns one token each interval.
func Every(interval time.Duration, opts ...Option) Limit { return bucket.Every(interval, opts...) }

// Burst sets the capacity of a token or leaky bucket.
func Burst(n int64) Option { return bucket.Burst(n) }

// ParseLimit reads the text form of a limit, such as "token:100/s,burst=20".
func ParseLimit(text string) (Limit, error) { return bucket.Parse(text) }
