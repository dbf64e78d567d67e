package engine

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// Rollout says for which keys a limit of a [Policy] enforces; for the others it
// only reports: its words are charged as if it enforced, and what it would deny
// passes with reason Shadowed, is counted, and makes a ShadowEvent. Only an n of
// zero or less is denied all the same.
//
// The same key is always on the same side; raising the percentage only adds keys
// to those that are limited, lowering it only takes some away. A nil *Rollout
// enforces for all.
//
// A Rollout is safe for concurrent use, and one may serve several limits, whose
// keys are then chosen alike. Its methods are lock-free.
type Rollout struct {
	below atomic.Uint64 // keys enforced: their point is below; everyone at most
}

// everyone is above every key's point.
const everyone = 1 << 32

// NewRollout enforces for a percentage of all keys, 0 to 100; 0 means that the
// limit only reports, 100 that it enforces as if there were no rollout.
func NewRollout(percent float64) (*Rollout, error) {
	r := new(Rollout)
	if err := r.Set(percent); err != nil {
		return nil, err
	}
	return r, nil
}

// Set changes the percentage from the next request on. Another one than 0 to
// 100 is refused and changes nothing.
func (r *Rollout) Set(percent float64) error {
	if !(percent >= 0 && percent <= 100) { // NaN is not
		return fmt.Errorf("limit64: rollout of %v percent: must be from 0 to 100", percent)
	}
	r.below.Store(uint64(math.Round(percent / 100 * everyone)))
	return nil
}

// Enforces reports whether the limit enforces for a key.
func (r *Rollout) Enforces(key string) bool {
	if r == nil {
		return true
	}
	below := r.below.Load()
	return below == everyone || point(key) < below
}

// point places a key between 0 and everyone. The table orders its keys by bits of
// the same xxhash, so the seed keeps the two apart.
func point(key string) uint64 {
	var d xxhash.Digest
	d.ResetWithSeed(0x6c696d6974363421)
	_, _ = d.WriteString(key)
	return d.Sum64() >> 32
}
