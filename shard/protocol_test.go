package shard

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A request holds what it looked up while the shard is rebuilt: its swap fails,
// and the key has one balance.
func TestDropRacesALookup(t *testing.T) {
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			tb := New(countRules{lifetime: 100}, Options{HashBits: m.bits})
			touch(tb, "k", 1)
			_, held := tb.Find(tb.Hash("k"), "k")
			seen := held.Load()
			tb.SweepAll(1000)
			require.EqualValues(t, 1, touch(tb, "k", 1000), "forgotten and made anew")
			require.False(t, held.CompareAndSwap(seen, seen+1), "the old word is sealed")
			require.True(t, Sealed(held.Load()))
			require.EqualValues(t, 1, count(tb, "k"))
		})
	}
}

// A key that is idle when the sweep looks and spent before it is dropped stays.
func TestSpentBetweenMarkAndSweep(t *testing.T) {
	tb := New(countRules{lifetime: 100}, Options{})
	touch(tb, "k", 1)
	_, slot := tb.Find(tb.Hash("k"), "k")
	tb.rules = spender{countRules{lifetime: 100}, slot, new(atomic.Bool)}
	tb.SweepAll(1000)
	require.EqualValues(t, 2, count(tb, "k"))
	require.Equal(t, 1, tb.Len())
}

// spender takes a token of a slot in the moment between the judgement that it is
// idle and the drop, once, as another goroutine might.
type spender struct {
	countRules
	slot *Slot
	done *atomic.Bool
}

func (s spender) Idle(rule uint16, v, dt uint64) bool {
	idle := s.countRules.Idle(rule, v, dt)
	if pc := caller(); idle && pc == sealName && s.done.CompareAndSwap(false, true) {
		s.slot.CompareAndSwap(v, dt<<countBits|(countOf(v)+1))
	}
	return idle
}

const sealName = "github.com/limit64/limit64/shard.(*mover).sealIdle"

// caller names the function that asked the mover whether a value is idle.
func caller() string {
	pcs := make([]uintptr, 1)
	runtime.Callers(4, pcs)
	f, _ := runtime.CallersFrames(pcs).Next()
	return f.Function
}

// While all words are sealed and the directory is still the old one, requests
// wait; they neither spend from the old word nor make a new one.
func TestRequestsWaitBetweenSealAndPublish(t *testing.T) {
	tb := New(countRules{lifetime: forever}, Options{})
	for i := range 100 {
		touch(tb, fmt.Sprint(i), 1)
	}
	var waiters sync.WaitGroup
	locked := make(chan struct{}, 200)
	tb.hook = func(p point) {
		switch p {
		case beforeLock:
			locked <- struct{}{}
		case beforePublish:
			for i := range 100 {
				waiters.Go(func() { touch(tb, fmt.Sprint(i), 2) })
				<-locked // it has met the seal
			}
		}
	}
	require.True(t, tb.Forget(tb.Hash("50"), "50", 2))
	waiters.Wait()
	for i := range 100 {
		want := uint64(2)
		if i == 50 {
			want = 1
		}
		require.Equal(t, want, count(tb, fmt.Sprint(i)), "%d", i)
	}
}

// A slot can only be found once its word is written: at 100 a new key is full at
// 100, and a word of 0 would be full at any instant.
func TestWordIsWrittenBeforeTheSlotIsFound(t *testing.T) {
	for _, key := range []string{"inline", "a key that lies in the arena"} {
		tb := New(countRules{lifetime: 10}, Options{})
		touch(tb, "idle by then", 1)
		tb.SweepAll(100)
		hash, windows := tb.Hash(key), 0
		tb.hook = func(p point) {
			if p == beforeMeta {
				windows++
				_, slot := tb.Find(hash, key)
				require.True(t, slot == nil || slot.Load() == 100<<countBits)
			}
		}
		tb.Acquire(hash, key, 0, 100)
		require.Equal(t, 1, windows)
		_, slot := tb.Find(hash, key)
		require.EqualValues(t, 100<<countBits, slot.Load())
	}
}

// Every touch is counted exactly once, whatever sweeps, splits, merges, moves of
// the base and insertions happen meanwhile.
func TestNoLostAndNoDoubleWord(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			keys := 4000
			if m.bits != 0 {
				keys = 300
			}
			tb := New(countRules{lifetime: forever, span: 500}, Options{HashBits: m.bits})
			tb.hook = func(point) { runtime.Gosched() }
			var wg sync.WaitGroup
			var clock atomic.Int64
			stop := make(chan struct{})
			var sweeper sync.WaitGroup
			sweeper.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						tb.SweepAll(time.Duration(clock.Load()))
						runtime.Gosched()
					}
				}
			})
			for range 4 {
				wg.Go(func() {
					for r := range rounds {
						for i := range keys {
							now := clock.Add(1)
							touch(tb, fmt.Sprint(i*(r+1)%keys), time.Duration(now))
						}
					}
				})
			}
			wg.Wait()
			close(stop)
			sweeper.Wait()
			total := uint64(0)
			for e := range tb.All() {
				total += countOf(e.Value)
			}
			require.EqualValues(t, 4*rounds*keys, total)
		})
	}
}

// Idle keys are dropped under full traffic; the count that a key has is never
// more than the touches since it was last idle, and never lost while in use.
func TestForgetUnderTraffic(t *testing.T) {
	tb := New(countRules{lifetime: 50}, Options{})
	tb.hook = func(point) { runtime.Gosched() }
	var wg sync.WaitGroup
	var clock, hot atomic.Int64
	for range 4 {
		wg.Go(func() {
			for i := range 30_000 {
				now := time.Duration(clock.Add(1))
				touch(tb, fmt.Sprint(i%8000), now)
				touch(tb, "hot", now)
				hot.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, hot.Load(), count(tb, "hot"))
	require.NotZero(t, tb.Stats().Forgotten)
	require.Less(t, tb.Len(), 8001)
}
