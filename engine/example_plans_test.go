package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/limit64/limit64/engine"
)

// Plans: a limit per key, chosen by a function, and changed while it is used.
func ExampleEngine_SetPlanLimit() {
	limiter, err := engine.New(engine.Config{
		Limit: engine.FixedWindow(10, time.Minute),
		Plans: map[string]engine.Limit{"pro": engine.FixedWindow(100, time.Minute)},
		Plan:  func(key string) string { return strings.Split(key, ":")[0] },
		Clock: engine.Manual(),
	})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	fmt.Println(limiter.Take("free:ann", 1).Remaining, limiter.Take("pro:bob", 60).Remaining)

	err = limiter.SetPlanLimit("pro", engine.FixedWindow(80, time.Minute))
	fmt.Println(err, limiter.Peek("pro:bob", 1).Remaining) // what was used stays used

	err = limiter.SetKeyLimit("free:ann", engine.FixedWindow(500, time.Minute))
	fmt.Println(err, limiter.Peek("free:ann", 1).Remaining)
	// Output:
	// 9 40
	// <nil> 20
	// <nil> 499
}

// A restart forgives nobody.
func ExampleEngine_Snapshot() {
	config := engine.Config{Limit: engine.PerHour(10), Clock: engine.Manual()}
	before, _ := engine.New(config)
	before.Take("ann", 7)
	var file bytes.Buffer
	fmt.Println(before.Snapshot(&file))
	before.Close()

	after, _ := engine.New(config)
	defer after.Close()
	fmt.Println(after.Restore(&file), after.Peek("ann", 1).Remaining)
	// Output:
	// <nil>
	// <nil> 3
}

// A worker that has many requests at hand asks for all of them at once.
func ExampleEngine_TakeBatch() {
	limiter, _ := engine.New(engine.Config{Limit: engine.PerSecond(2), Clock: engine.Manual()})
	defer limiter.Close()
	batch := []engine.Request{{Key: "ann", N: 1}, {Key: "bob", N: 2}, {Key: "ann", N: 2}}
	limiter.TakeBatch(batch)
	for _, r := range batch {
		fmt.Println(r.Key, r.Decision.Reason, r.Decision.RetryAfter)
	}
	// Output:
	// ann admitted 0s
	// bob admitted 0s
	// ann denied 500ms
}
