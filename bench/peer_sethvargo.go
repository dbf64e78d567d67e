package main

import (
	"context"
	"time"

	limiter "github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"
)

// github.com/sethvargo/go-limiter with its own store in memory.
//
// Differs: all tokens come back at once, in windows that start with the key's
// first request; one map under a read-write lock and a mutex a key; a sweep holds
// the map's lock and drops keys by age, in use or not.
var sethvargoPeer = Peer{name: "sethvargo/go-limiter", sweeps: true, open: func(l Limit, _ int) Limiter {
	return sethvargo{must(memorystore.New(&memorystore.Config{
		Tokens: uint64(l.burst), Interval: l.per,
		SweepInterval: l.sweep, SweepMinTTL: max(l.per, 12*time.Hour),
	}))}
}}

type sethvargo struct{ store limiter.Store }

func (s sethvargo) Allow(key string) bool {
	_, _, _, ok, _ := s.store.Take(context.Background(), key)
	return ok
}

func (s sethvargo) Close() { must(0, s.store.Close(context.Background())) }
