package linear

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/limit64/limit64/engine"
)

// scene is a limit and what the table does while goroutines use it.
type scene struct {
	name  string
	limit engine.Limit
	// at is the instant of the concurrent calls; what was spent at 0 is idle then.
	at time.Duration
	// fill is how many other keys in use lie in the table; one shard splits when
	// it holds 817.
	fill int
	// fresh is how many keys the disturber makes.
	fresh int
}

// recorder orders calls by a counter: a call that returned before another began
// has the smaller numbers.
type recorder struct {
	e     *engine.Engine
	clock atomic.Int64
}

func (r *recorder) run(client int, c call) porcupine.Operation {
	op := porcupine.Operation{ClientId: client, Input: c, Call: r.clock.Add(1)}
	switch c.kind {
	case take:
		op.Output = r.e.TakeAt(c.key, c.n, c.now)
	case peek:
		op.Output = r.e.PeekAt(c.key, c.n, c.now)
	case giveBack:
		r.e.ReturnAt(c.key, c.n, c.now)
	case forget:
		op.Output = r.e.Forget(c.key)
	}
	op.Return = r.clock.Add(1)
	return op
}

const (
	clients = 3
	calls   = 5
)

// record plays one history: some keys are used up at 0 or shortly before s.at,
// then clients and a disturber meet.
func (s scene) record(seed uint64) ([]porcupine.Operation, error) {
	clock := engine.Manual()
	e, err := engine.New(engine.Config{Limit: s.limit, Clock: clock})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	for i := range s.fill {
		e.TakeAt(fmt.Sprint("fill", i), 1, s.at)
	}
	r := &recorder{e: e}
	rng := rand.New(rand.NewPCG(seed, 64))
	var history []porcupine.Operation
	for _, key := range keys {
		if rng.IntN(3) > 0 {
			when := []time.Duration{0, s.at - s.limit.Period/3}[rng.IntN(2)]
			history = append(history, r.run(0, call{take, key, 1 + rng.Int64N(s.limit.Capacity()), max(0, when)}))
		}
	}
	clock.Set(s.at)

	parts := make([][]porcupine.Operation, clients)
	var wg sync.WaitGroup
	var ready atomic.Int32
	for i := range clients {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		wg.Go(func() {
			meet(&ready)
			for range calls {
				parts[i] = append(parts[i], r.run(i+1, s.draw(rng)))
			}
		})
	}
	wg.Go(func() {
		meet(&ready)
		s.disturb(e)
	})
	wg.Wait()
	for _, p := range parts {
		history = append(history, p...)
	}
	return history, nil
}

// meet lets all begin together.
func meet(ready *atomic.Int32) {
	ready.Add(1)
	for ready.Load() <= clients {
		runtime.Gosched()
	}
}

var keys = []string{"a", "a key that is longer than a slot"}

func (s scene) draw(rng *rand.Rand) call {
	c := call{take, keys[rng.IntN(len(keys))], 1 + rng.Int64N(s.limit.Capacity()), s.at}
	switch rng.IntN(16) {
	case 0:
		c.kind = forget
		c.n = 0
	case 1, 2:
		c.kind = giveBack
	case 3, 4, 5:
		c.kind = peek
	case 6:
		c.n = s.limit.Capacity() + 1
	case 7, 8:
		// Later, so that the others are stale. Not where many inserts pay for a
		// sweep at that instant: a key made after it is not yet full at s.at.
		if s.fill == 0 {
			c.now += time.Duration(1+rng.IntN(2)) * s.limit.Period / 3
		}
	}
	return c
}

// disturb makes new epochs: sweeps find a key that is idle, splits find no slot.
func (s scene) disturb(e *engine.Engine) {
	for i := range 2 {
		key := fmt.Sprint("idle", i)
		e.TakeAt(key, 1, s.at)
		e.ReturnAt(key, 1, s.at)
		e.SweepAt(s.at)
		e.Forget(key)
	}
	for i := range s.fresh {
		e.TakeAt(fmt.Sprint("new", i), 1, s.at)
	}
}
