package engine_test

import (
	"fmt"
	"time"

	"github.com/limit64/limit64/engine"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Two limits on one key: a burst of three, and five an hour.
func ExamplePolicy_Take() {
	clock := engine.Manual() // leave out for the real one
	burst := must(engine.New(engine.Config{Limit: engine.PerSecond(1, engine.Burst(3)), Clock: clock}))
	hourly := must(engine.New(engine.Config{Limit: engine.SlidingLog(5, time.Hour), Clock: clock}))
	defer burst.Close()
	defer hourly.Close()
	policy := must(engine.NewPolicy(engine.Part{Name: "burst", Engine: burst}, engine.Part{Name: "hourly", Engine: hourly}))

	for range 2 {
		for range 4 {
			d := policy.Take("user-42", 1)
			fmt.Println(d.OK, d.Name, d.Remaining, d.RetryAfter)
		}
		clock.Add(time.Minute)
	}
	// Output:
	// true burst 2 0s
	// true burst 1 0s
	// true burst 0 0s
	// false burst 0 1s
	// true hourly 1 0s
	// true hourly 0 0s
	// false hourly 0 59m0s
	// false hourly 0 59m0s
}

// A limit each on a user, a tenant and everyone; a request without a tenant asks
// a policy without that limit.
func ExamplePolicy_TakeKeys() {
	part := func(name string, perHour int64) engine.Part {
		return engine.Part{Name: name, Engine: must(engine.New(engine.Config{Limit: engine.FixedWindow(perHour, time.Hour)}))}
	}
	user, tenant, everyone := part("user", 2), part("tenant", 3), part("everyone", 4)
	business := must(engine.NewPolicy(user, tenant, everyone))
	private := must(engine.NewPolicy(user, everyone))

	fmt.Println(business.TakeKeys(2, "ann", "acme", "all").OK)
	d := business.TakeKeys(2, "bob", "acme", "all")
	fmt.Println(d.OK, d.Name, d.Remaining)
	fmt.Println(private.TakeKeys(2, "bob", "all").OK)
	d = private.TakeKeys(1, "eve", "all")
	fmt.Println(d.OK, d.Name)
	// Output:
	// true
	// false tenant 1
	// true
	// false everyone
}

// A new limit first only reports, then enforces for some of the keys, then for
// all.
func ExampleRollout() {
	strict := must(engine.New(engine.Config{Limit: engine.FixedWindow(1, time.Hour)}))
	defer strict.Close()
	rollout := must(engine.NewRollout(0))
	policy := must(engine.NewPolicy(engine.Part{Name: "strict", Engine: strict, Rollout: rollout}))

	policy.Take("user-42", 1)
	d := policy.Take("user-42", 1)
	fmt.Println(d.OK, d.Reason, strict.Stats().Shadowed)
	if err := rollout.Set(100); err != nil { // 10, 50 … in between
		panic(err)
	}
	d = policy.Take("user-42", 1)
	fmt.Println(d.OK, d.Reason, strict.Stats().Shadowed)
	// Output:
	// true shadowed 1
	// false denied 1
}

// Whoever is refused most, in constant memory, and a handler of one's own.
func ExampleEvents() {
	top := must(engine.NewTop(100))
	saturated := 0
	events := must(engine.NewEvents(engine.EventsConfig{Handle: func(ev engine.Event) {
		top.Observe(ev)
		if ev.Kind == engine.SaturationEvent {
			saturated++
		}
	}}))
	limiter := must(engine.New(engine.Config{Limit: engine.PerMinute(2), MaxKeys: 2, Events: events, Name: "logins", Clock: engine.Manual()}))
	for range 10 {
		limiter.Take("mallory", 1)
		limiter.Take("ann", 1)
	}
	limiter.Take("ann", 1)
	limiter.Take("a third key", 1)
	limiter.Close()
	events.Close() // has handled all of them

	for _, k := range top.Keys() {
		fmt.Println(k.Key, k.Count, k.Error)
	}
	fmt.Println(saturated, events.Stats().Dropped)
	// Output:
	// ann 9 0
	// mallory 8 0
	// a third key 1 0
	// 1 0
}
