// Package bucket decides about tokens and time, without keys, clocks or locks.
//
// # Terminology
//
//   - limit: tokens per period and, for the token and the leaky bucket, a burst.
//   - token: the unit taken; one request costs n of them.
//   - capacity: the most that can be taken at once (burst, or the tokens of a window).
//   - emission interval: period / tokens.
//   - value: the 63 bits that say all that an algorithm remembers of one key.
//     Zero means "never used" in every algorithm. The 64th bit of a word, the
//     seal, belongs to whoever stores the value.
//   - base: the instant that a value counts from; dt is now - base in nanoseconds.
//   - idle: the value says nothing that could change a future answer.
//   - instant: a [time.Duration] since the clock's start, never wall-clock time.
//
// # Shape
//
// A [Limit] is what a user writes. [NewRule] compiles one to a [Rule], whose
// methods are pure steps on (value, dt, n). The sliding window log needs the
// instant of every admitted token, which no word can hold: it is a [Log],
// guarded by a mutex in [LogCell]. [Cell] is one bucket of any algorithm, safe
// for concurrent use, for callers that have no keys.
//
// # Invariants
//
//   - I1: a step that denies returns the value it was given, bit for bit.
//   - I2: a value never exceeds MaxValue while dt is at most the rule's Span. A
//     caller that meets a larger dt first moves the base (Advance, Rebase).
//   - I3: the step is a function of (value, dt, n) alone, so a compare-and-swap of
//     the value makes it atomic.
//   - I4: every rounding is against the caller and none adds up: the tokens
//     earned are computed from the absolute dt, never accumulated.
package bucket
