package bucket_test

import (
	"math/rand/v2"
	"testing"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

// Moving the base changes no answer, however often it happens.
func TestRebaseKeepsAnswers(t *testing.T) {
	for _, l := range everyLimit() {
		rule, err := bucket.NewRule(l)
		if err != nil {
			continue
		}
		rng := rand.New(rand.NewPCG(5, 5))
		s := newScript(l, 11)
		v := uint64(0)
		for range 200 {
			s.advance()
			dt := uint64(s.now)
			if dt > rule.Span() {
				break
			}
			next, o := rule.Take(v, dt, s.cost())
			v, s.last = next, o.Decision(0)
			delta := rule.Advance(min(dt+rng.Uint64N(rule.Span()), rule.Span()))
			if delta > dt {
				continue
			}
			moved := rule.Rebase(v, delta)
			for _, later := range []uint64{0, 1, uint64(l.Period) / 2, uint64(l.Period)} {
				if dt+later > rule.Span() {
					break
				}
				require.Equal(t, rule.Peek(v, dt+later, 1), rule.Peek(moved, dt+later-delta, 1), "%v", l)
				require.Equal(t, rule.Idle(v, dt+later), rule.Idle(moved, dt+later-delta), "%v", l)
			}
		}
	}
}

// An idle value answers like a fresh one, now and later.
func TestIdleAnswersLikeFresh(t *testing.T) {
	for _, l := range everyLimit() {
		rule, err := bucket.NewRule(l)
		if err != nil {
			continue
		}
		s, v := newScript(l, 12), uint64(0)
		for range 300 {
			s.advance()
			dt := uint64(s.now)
			if dt+uint64(l.Period) > rule.Span() {
				break
			}
			fresh := rule.Fresh(dt)
			require.Equal(t, rule.Peek(v, dt, 1).ResetAfter == 0, rule.Idle(v, dt), "%v", l)
			require.True(t, rule.Idle(fresh, dt))
			if rule.Idle(v, dt) {
				for _, later := range []uint64{0, 1, uint64(l.Period)} {
					_, a := rule.Take(v, dt+later, l.Capacity())
					_, b := rule.Take(fresh, dt+later, l.Capacity())
					require.Equal(t, a, b, "%v", l)
				}
			}
			next, o := rule.Take(v, dt, s.cost())
			v, s.last = next, o.Decision(0)
		}
	}
}
