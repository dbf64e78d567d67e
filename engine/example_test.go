package engine_test

import (
	"fmt"

	"github.com/limit64/limit64/engine"
)

func Example() {
	limiter, err := engine.New(engine.Config{
		Limit: engine.PerSecond(100, engine.Burst(3)), // or engine.ParseLimit("token:100/s,burst=3")
		Clock: engine.Manual(),                        // leave out for the real one
	})
	if err != nil {
		panic(err)
	}
	defer limiter.Close()
	for range 4 {
		d := limiter.Take("user-42", 1)
		fmt.Println(d.OK, d.Remaining, d.RetryAfter, d.Reason)
	}
	// Output:
	// true 2 0s admitted
	// true 1 0s admitted
	// true 0 0s admitted
	// false 0 10ms denied
}

func ExampleEngine_Return() {
	limiter, _ := engine.New(engine.Config{Limit: engine.FixedWindow(10, 1e9), Clock: engine.Manual()})
	defer limiter.Close()
	d := limiter.Take("upload", 8)
	fmt.Println(d.OK, d.Remaining)
	limiter.Return("upload", 3) // only 5 were used after all
	fmt.Println(limiter.Peek("upload", 1).Remaining)
	// Output:
	// true 2
	// 5
}
