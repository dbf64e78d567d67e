package engine

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// MaxParts is the most limits that one policy joins.
const MaxParts = 8

// Part is one limit of a policy.
type Part struct {
	// Name is what decisions call the limit; required, and the policy's only one.
	Name string
	// Engine enforces it. The caller makes and closes it, and may use it in
	// other policies and by itself.
	Engine *Engine
	// Rollout says for which keys the limit enforces; for the others it only
	// reports. nil means all keys.
	Rollout *Rollout
}

// Policy joins several limits, all or nothing: 10 a second and 1,000 an hour on
// one key, or a limit each on a user, a tenant and everyone. A request is
// admitted when every limit admits it, and charges all of them; a denied one
// charges none. To leave a limit out for some requests, ask a policy without it
// on the same engines.
//
// A Policy is safe for concurrent use; make one with NewPolicy and do not copy
// it. Its methods do not allocate.
//
// # Order, and what concurrent callers may see
//
// Order the limits from the narrowest to the broadest: the word of a broad one
// is shared by more callers. A request first looks at all limits but the first,
// and writes nothing if one of them denies. Then it takes from one after the
// other. Where somebody else has spent the tokens in between, or a new key finds
// its table full, a later limit may still deny; what was taken is then taken
// back, in reverse. Between the two another caller may be denied who would have
// been admitted a moment earlier or later. No caller is ever admitted beyond a
// limit: what is counted is counted before the next word is touched, and what is
// given back is never more than was taken (TestPolicyNeverOverAdmits).
//
// Taking back is exact, except that a token or leaky bucket from which others
// took in between keeps what it earned from the request's instant until then:
// the bucket may have overflowed.
//
// Each engine counts in its Stats what the policy admitted, and the denials that
// were told in its name.
//
// Progress: as that of the engines, once for each limit; lock-free on resident keys.
type Policy struct {
	parts     []Part
	clock     *Engine       // any of them
	takenBack atomic.Uint64 // written where it happens, which is seldom
	hook      func()        // tests only: called before each limit is taken from
}

// NewPolicy joins limits, from the narrowest to the broadest. The engines must
// be distinct and share one clock; engines made without a clock do.
func NewPolicy(parts ...Part) (*Policy, error) {
	if len(parts) == 0 || len(parts) > MaxParts {
		return nil, fmt.Errorf("limit64: policy of %d limits: must have 1 to %d", len(parts), MaxParts)
	}
	for i, p := range parts {
		switch {
		case p.Name == "":
			return nil, fmt.Errorf("limit64: policy: limit %d has no name", i)
		case p.Engine == nil:
			return nil, fmt.Errorf("limit64: policy: limit %q has no engine", p.Name)
		case i > 0 && !sameClock(p.Engine.clock, parts[0].Engine.clock):
			return nil, fmt.Errorf("limit64: policy: limits %q and %q have different clocks", parts[0].Name, p.Name)
		}
		for _, q := range parts[:i] {
			switch {
			case p.Name == q.Name:
				return nil, fmt.Errorf("limit64: policy: two limits are called %q", p.Name)
			case p.Engine == q.Engine:
				return nil, fmt.Errorf("limit64: policy: limits %q and %q are one engine", q.Name, p.Name)
			}
		}
	}
	return &Policy{parts: append([]Part(nil), parts...), clock: parts[0].Engine}, nil
}

func sameClock(a, b Clock) bool { return reflect.TypeOf(a).Comparable() && a == b }

// PolicyDecision is the decision of one limit of a policy.
//
// Denied: of the one that denies for the longest; RetryAfter is when all would
// admit, if nobody else asks. Admitted: of the one with the fewest tokens left,
// or, with reason Shadowed, of one that would have denied and only reports.
type PolicyDecision struct {
	Decision
	// Name and Index say which limit: "" and -1 with reason WrongKeys.
	Name  string
	Index int
}

// Take takes n tokens of one key under every limit, or none.
func (p *Policy) Take(key string, n int64) (d PolicyDecision) {
	// Not TakeAt, whose decision would be copied on its way: see Outcome.Fill.
	var keys [MaxParts]string
	p.take(p.sameKeys(key, &keys), n, p.clock.Now(), &d)
	return d
}

// TakeBytes is Take for a key in bytes, which the engines do not keep.
func (p *Policy) TakeBytes(key []byte, n int64) PolicyDecision { return p.Take(shard.Bytes(key), n) }

// TakeAt is Take at an instant of the engines' clock.
func (p *Policy) TakeAt(key string, n int64, now time.Duration) (d PolicyDecision) {
	var keys [MaxParts]string
	p.take(p.sameKeys(key, &keys), n, now, &d)
	return d
}

// TakeKeys takes n tokens of one key for each limit, in the policy's order, or
// none of any. More or fewer keys than limits are denied with reason WrongKeys.
func (p *Policy) TakeKeys(n int64, keys ...string) (d PolicyDecision) {
	if p.fits(keys, &d) {
		p.take(keys, n, p.clock.Now(), &d)
	}
	return d
}

// TakeKeysAt is TakeKeys at an instant of the engines' clock.
func (p *Policy) TakeKeysAt(now time.Duration, n int64, keys ...string) (d PolicyDecision) {
	if p.fits(keys, &d) {
		p.take(keys, n, now, &d)
	}
	return d
}

// Peek returns what Take would answer, but takes nothing; Remaining and
// ResetAfter describe the limit as it is.
func (p *Policy) Peek(key string, n int64) PolicyDecision { return p.PeekAt(key, n, p.clock.Now()) }

// PeekAt is Peek at an instant of the engines' clock.
func (p *Policy) PeekAt(key string, n int64, now time.Duration) (d PolicyDecision) {
	var keys [MaxParts]string
	p.peek(p.sameKeys(key, &keys), n, now, &d)
	return d
}

// PeekKeys is Peek with one key for each limit.
func (p *Policy) PeekKeys(n int64, keys ...string) PolicyDecision {
	return p.PeekKeysAt(p.clock.Now(), n, keys...)
}

// PeekKeysAt is PeekKeys at an instant of the engines' clock.
func (p *Policy) PeekKeysAt(now time.Duration, n int64, keys ...string) (d PolicyDecision) {
	if p.fits(keys, &d) {
		p.peek(keys, n, now, &d)
	}
	return d
}

// sameKeys are the keys of a request that has one key for all limits.
func (p *Policy) sameKeys(key string, keys *[MaxParts]string) []string {
	for i := range p.parts {
		keys[i] = key
	}
	return keys[:len(p.parts)]
}

// TakenBack returns how many requests were denied after a limit had admitted
// them, because of other callers or a full table: what it admitted was taken back.
func (p *Policy) TakenBack() uint64 { return p.takenBack.Load() }

func (p *Policy) fits(keys []string, d *PolicyDecision) bool {
	if len(keys) == len(p.parts) {
		return true
	}
	d.Index, d.Reason, d.RetryAfter = -1, WrongKeys, bucket.Never
	return false
}

func (p *Policy) fill(d *PolicyDecision, v *verdict) {
	v.told.Fill(&d.Decision, v.limit)
	d.Name, d.Index = p.parts[v.index].Name, v.index
}
