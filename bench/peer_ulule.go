package main

import (
	"context"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// github.com/ulule/limiter/v3 with its own store in memory.
//
// Differs: windows that start with the key's first request, on the wall clock;
// refusals are counted too, so a decision always writes; the prefixed key is
// allocated for each decision; sync.Map and a read-write lock a key.
var ululePeer = Peer{name: "ulule/limiter", sweeps: true, open: func(l Limit, _ int) Limiter {
	store := memory.NewStoreWithOptions(limiter.StoreOptions{Prefix: "p", CleanUpInterval: l.sweep})
	return ulule{limiter.New(store, limiter.Rate{Period: l.per, Limit: int64(l.burst)})}
}}

type ulule struct{ *limiter.Limiter }

func (u ulule) Allow(key string) bool {
	state, err := u.Get(context.Background(), key)
	return err == nil && !state.Reached
}
