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
	// Shadowed: the limit would deny, but for this key it only reports.
	Shadowed
	// WrongKeys: a policy was asked with more or fewer keys than it has limits.
	WrongKeys
)

// Reasons is how many reasons there are.
const Reasons = int(WrongKeys) + 1

var reasonNames = [Reasons]string{
	"admitted", "denied", "too large", "invalid n", "saturated", "untracked", "shadowed", "wrong number of keys",
}

// OK says whether a request with this reason may pass.
func (r Reason) OK() bool { return r == Admitted || r == Untracked || r == Shadowed }

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

// Outcome is a decision without its Limit, which is the same for all: what is
// left fits four registers. A struct of more than four words or fields goes
// through memory wherever it is passed on, and costs more than the arithmetic.
type Outcome struct {
	Remaining              int64
	RetryAfter, ResetAfter time.Duration
	Reason                 Reason
}

// OK says whether the request may pass.
func (o Outcome) OK() bool { return o.Reason.OK() }

// Decision adds the limit.
func (o Outcome) Decision(limit int64) (d Decision) {
	o.Fill(&d, limit)
	return d
}

// Fill writes a decision field by field: where a function returns d, a copy of
// it would stall on the narrow stores that made it (12 ns).
func (o Outcome) Fill(d *Decision, limit int64) {
	d.Remaining, d.RetryAfter, d.ResetAfter = o.Remaining, o.RetryAfter, o.ResetAfter
	d.Limit, d.OK, d.Reason = limit, o.OK(), o.Reason
}

// refused turns the state o of a key into the refusal of a cost that no state
// could admit.
func refused(o Outcome, n int64) Outcome {
	o.RetryAfter, o.Reason = Never, TooLarge
	if n <= 0 {
		o.Reason = InvalidN
	}
	return o
}
