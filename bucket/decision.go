package bucket

import (
	"math"
	"time"
)

// Never is the wait for something that no wait brings about.
const Never = time.Duration(math.MaxInt64)

// Reason says why a request was admitted or denied.
type Reason uint8

const (
	// Admitted: the tokens were taken.
	Admitted Reason = iota
	// Denied: not enough tokens now; RetryAfter says when.
	Denied
	// TooLarge: n is above the capacity, no wait helps.
	TooLarge
	// InvalidN: n is zero or negative.
	InvalidN
	// Saturated: the key is new and the table holds as many keys as it may.
	Saturated
	// Untracked: the key is new, the table is full, and the configuration
	// admits such keys without remembering them.
	Untracked
)

var reasonNames = [...]string{"admitted", "denied", "too large", "invalid n", "saturated", "untracked"}

// String returns the reason in words.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return "unknown reason"
}

// Decision answers one request. It is a plain value and is not updated.
type Decision struct {
	// Remaining is the whole number of tokens that could be taken right after
	// this decision; from 0 to Limit.
	Remaining int64
	// RetryAfter is the least wait after which the same request would be
	// admitted if nobody else asks: 0 when admitted, Never when no wait helps.
	RetryAfter time.Duration
	// ResetAfter is the wait until the key is as if never seen: 0 when it is.
	ResetAfter time.Duration
	// Limit is the capacity: the burst, or the tokens of a window.
	Limit int64
	// OK says whether the request may pass.
	OK bool
	// Reason says why.
	Reason Reason
}

// refused turns the state d of a key into the refusal of a cost that no state
// could admit.
func refused(d Decision, n int64) Decision {
	d.OK, d.RetryAfter, d.Reason = false, Never, TooLarge
	if n <= 0 {
		d.Reason = InvalidN
	}
	return d
}
