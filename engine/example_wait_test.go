package engine_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limit64/limit64/engine"
)

func ExampleEngine_Reserve() {
	limiter, err := engine.New(engine.Config{Limit: engine.PerSecond(10, engine.Burst(1)), Clock: engine.Manual()})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	for range 3 {
		r := limiter.Reserve("printer", 1, 150*time.Millisecond)
		fmt.Println(r.OK(), r.Delay, r.RetryAfter)
	}
	// Output:
	// true 0s 0s
	// true 100ms 0s
	// false 200ms 50ms
}

func ExampleReservation_Cancel() {
	limiter, err := engine.New(engine.Config{Limit: engine.PerSecond(10, engine.Burst(1)), Clock: engine.Manual()})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	limiter.Take("printer", 1)
	first := limiter.Reserve("printer", 1, engine.Never)
	second := limiter.Reserve("printer", 1, engine.Never)
	fmt.Println(first.Cancel(), second.Cancel(), second.Cancel())
	fmt.Println(limiter.Reserve("printer", 1, engine.Never).Delay)
	// Output:
	// true true false
	// 100ms
}

func ExampleEngine_Wait() {
	limiter, err := engine.New(engine.Config{Limit: engine.PerMinute(1)})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	fmt.Println(limiter.Wait(ctx, "report", 1))
	err = limiter.Wait(ctx, "report", 1) // the next turn is in a minute: it says so at once
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	var refused *engine.RefusedError
	fmt.Println(errors.As(err, &refused), refused.Delay.Round(time.Minute))
	// Output:
	// <nil>
	// true
	// true 1m0s
}

func ExamplePace() {
	limiter, err := engine.New(engine.Config{Limit: engine.TokenBucket(1000, time.Second, engine.Burst(100))})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	uploads := make(chan []byte, 3)
	for _, size := range []int{60, 500, 40} {
		uploads <- make([]byte, size)
	}
	close(uploads)
	bytes := func(upload []byte) (key string, n int64) { return "uplink", int64(len(upload)) }
	for upload, err := range engine.Pace(context.Background(), limiter, uploads, bytes) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("sent", len(upload))
	}
	// Output:
	// sent 60
	// limit64: 500 tokens of "uplink": too large
	// sent 40
}
