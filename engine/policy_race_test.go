package engine_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// ticking is a clock that moves on with each look.
type ticking struct {
	now  atomic.Int64
	step int64
}

func (c *ticking) Now() time.Duration { return time.Duration(c.now.Add(c.step)) }

// rivals are goroutines with random numbers of their own, which one policy's
// hook interrupts: it lets others run, or makes a request of its own right there.
type rivals struct {
	request func(rng *rand.Rand)
	depth   atomic.Int64
	seed    atomic.Uint64
	random  sync.Pool
}

func newRivals(request func(rng *rand.Rand)) *rivals {
	r := &rivals{request: request}
	r.random.New = func() any { return rand.New(rand.NewPCG(31, r.seed.Add(1))) }
	return r
}

func (r *rivals) interrupt() {
	rng := r.random.Get().(*rand.Rand)
	defer r.random.Put(rng)
	switch rng.IntN(4) {
	case 0:
		runtime.Gosched()
	case 1:
		if r.depth.Add(1) < 20 {
			r.request(rng)
		}
		r.depth.Add(-1)
	}
}

func (r *rivals) run(goroutines, requests int) {
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(32, uint64(g)))
			for range requests {
				r.request(rng)
			}
		})
	}
	all.Wait()
}

// Callers that interrupt each other between any two limits, in both orders, while
// the clock moves on with every look and others take from one limit alone: nobody
// is ever admitted beyond a limit, however often something is taken back.
func TestPolicyNeverOverAdmits(t *testing.T) {
	const users = 3
	requests := 20_000
	if testing.Short() {
		requests = 3_000
	}
	for _, l := range []engine.Limit{
		engine.PerSecond(1000, engine.Burst(20)), engine.LeakyBucket(1000, time.Second, engine.Burst(20)),
		engine.TokenBucket(999_983, time.Second, engine.Burst(30)),
		engine.FixedWindow(20, 10*time.Millisecond), engine.SlidingLog(20, 10*time.Millisecond), engine.SlidingCounter(20, 10*time.Millisecond),
	} {
		t.Run(l.String(), func(t *testing.T) {
			clock := &ticking{step: int64(l.Period) / l.Tokens / 3}
			parts := parted(t, clock, l, l)
			p, reversed := newPolicy(t, parts...), newPolicy(t, parts[1], parts[0])
			var user [users]atomic.Int64
			var everyone atomic.Int64
			r := newRivals(func(rng *rand.Rand) {
				u, n, took := rng.IntN(users), 1+rng.Int64N(3), false
				name := fmt.Sprint("user", u)
				switch rng.IntN(5) {
				case 0:
					took = reversed.TakeKeys(n, "all", name).OK
				case 1:
					if parts[1].Engine.Take("all", n).OK {
						everyone.Add(n)
					}
				default:
					took = p.TakeKeys(n, name, "all").OK
				}
				if took {
					user[u].Add(n)
					everyone.Add(n)
				}
			})
			engine.BetweenLimits(p, r.interrupt)
			engine.BetweenLimits(reversed, r.interrupt)
			r.run(4, requests)
			most := mostAdmitted(l, clock.now.Load())
			require.LessOrEqual(t, everyone.Load(), most)
			require.Greater(t, everyone.Load(), most/3, "and it does not starve")
			for u := range users {
				require.LessOrEqual(t, user[u].Load(), most)
			}
			require.Greater(t, p.TakenBack()+reversed.TakenBack(), uint64(requests/20))
		})
	}
}

// mostAdmitted is what a limit allows from instant 0 on.
func mostAdmitted(l engine.Limit, elapsed int64) int64 {
	if l.Algorithm > engine.LeakyBucket(1, 1).Algorithm {
		windows := elapsed/int64(l.Period) + 1
		return l.Tokens * windows
	}
	return l.Capacity() + int64(float64(elapsed)*float64(l.Tokens)/float64(l.Period)) + 1
}

// At a frozen instant taking back is exact: in the end every limit has been
// charged for what was admitted and for nothing else, although shards split and
// are swept meanwhile.
func TestPolicyDenialsChargeNobody(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		backs, rounds := uint64(0), 100
		if testing.Short() {
			rounds = 20
		}
		for range rounds {
			clock := engine.Manual()
			clock.Set(time.Minute)
			wide := l
			wide.Tokens, wide.Period = 1000, 10*time.Hour
			l.Tokens, l.Period = 100, time.Hour
			parts := parted(t, clock, wide, l, wide)
			p := newPolicy(t, parts...)
			var users [2]atomic.Int64
			var others atomic.Int64
			r := newRivals(func(rng *rand.Rand) {
				u, n := rng.IntN(2), 1+rng.Int64N(3)
				if p.TakeKeys(n, fmt.Sprint("user", u), "all", "all").OK {
					users[u].Add(n)
				}
				parts[0].Engine.Take(fmt.Sprint("other", others.Add(1)), 1)
				if rng.IntN(20) == 0 {
					parts[1].Engine.Sweep()
				}
			})
			engine.BetweenLimits(p, r.interrupt)
			r.run(4, 150)
			total := users[0].Load() + users[1].Load()
			require.Equal(t, 100-total, parts[1].Engine.Peek("all", 1).Remaining)
			require.Equal(t, 1000-total, parts[2].Engine.Peek("all", 1).Remaining)
			for u := range users {
				require.Equal(t, 1000-users[u].Load(), parts[0].Engine.Peek(fmt.Sprint("user", u), 1).Remaining)
			}
			require.Greater(t, total, int64(97), "the last tokens find a taker")
			backs += p.TakenBack()
		}
		require.Greater(t, backs, uint64(rounds))
	})
}
