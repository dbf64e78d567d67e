package engine_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// told is an event that outlives its handler.
type told struct {
	engine.Event
	key string
}

// recorder keeps what it is told.
type recorder struct{ events []told }

func (r *recorder) handle(ev engine.Event) {
	key := string(ev.Key)
	ev.Key = nil
	r.events = append(r.events, told{ev, key})
}

func newEvents(tb testing.TB, c engine.EventsConfig) *engine.Events {
	tb.Helper()
	v, err := engine.NewEvents(c)
	require.NoError(tb, err)
	return v
}

func TestDenialsAreTold(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		synctest.Test(t, func(t *testing.T) {
			var r recorder
			v := newEvents(t, engine.EventsConfig{Handle: r.handle})
			clock := engine.Manual()
			clock.Set(time.Hour)
			e := newEngine(t, engine.Config{Limit: l, Clock: clock, Events: v, Name: "logins", NoStats: true})
			e.Take("k", 9)
			d := e.Take("k", 2)
			e.Peek("k", 2)
			e.TakeAt("k", 11, time.Hour+1)
			e.Allow("k")
			e.AllowBytes([]byte("k"))
			require.Equal(t, engine.EventStats{Waiting: 3}, v.Stats())
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			hash := xxhash.Sum64String("k")
			require.Equal(t, []told{
				{engine.Event{Kind: engine.DenialEvent, Reason: engine.Denied, Engine: "logins", Hash: hash, N: 2, At: time.Hour, RetryAfter: d.RetryAfter}, "k"},
				{engine.Event{Kind: engine.DenialEvent, Reason: engine.TooLarge, Engine: "logins", Hash: hash, N: 11, At: time.Hour + 1, RetryAfter: engine.Never}, "k"},
				{engine.Event{Kind: engine.DenialEvent, Reason: engine.Denied, Engine: "logins", Hash: hash, N: 1, At: time.Hour, RetryAfter: e.Peek("k", 1).RetryAfter}, "k"},
			}, r.events)
			e.Take("k", 0)
			v.Close()
			require.Len(t, r.events, 4, "Close handles what waits")
			e.Take("k", 0)
			require.Equal(t, engine.EventStats{Handled: 4, Dropped: 1}, v.Stats())
		})
	})
}

func TestSaturationIsTold(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		for _, row := range []struct {
			policy engine.Overflow
			want   engine.Reason
			n      int64
		}{{engine.DenyNew, engine.Saturated, 3}, {engine.AdmitNew, engine.Untracked, 3}, {engine.ShareNew, engine.Admitted, 0}} {
			var r recorder
			v := newEvents(t, engine.EventsConfig{Handle: r.handle})
			e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual(), Events: v, MaxKeys: 1, Overflow: row.policy})
			e.Take("resident", 1)
			e.Take("new", 3)
			p := newPolicy(t, engine.Part{Name: "p", Engine: e})
			p.Take("newer", 3)
			v.Close()
			require.Len(t, r.events, 2)
			for i, key := range []string{"new", "newer"} {
				require.Equal(t, engine.SaturationEvent, r.events[i].Kind)
				require.Equal(t, row.want, r.events[i].Reason)
				require.Equal(t, row.n, r.events[i].N)
				require.Equal(t, key, r.events[i].key)
			}
		}
	})
}

func TestPolicyEvents(t *testing.T) {
	var r recorder
	v := newEvents(t, engine.EventsConfig{Handle: r.handle})
	clock := engine.Manual()
	part := func(name string, tokens int64, percent float64) engine.Part {
		e := newEngine(t, engine.Config{Limit: engine.FixedWindow(tokens, time.Hour), Clock: clock, Events: v, Name: name})
		return engine.Part{Name: name, Engine: e, Rollout: newRollout(t, percent)}
	}
	p := newPolicy(t, part("shadow", 1, 0), part("user", 3, 100), part("all", 2, 100))
	for range 3 {
		p.TakeKeys(1, "s", "u", "a")
	}
	p.TakeKeys(4, "s", "u", "a")
	v.Close()
	var got []string
	for _, ev := range r.events {
		got = append(got, fmt.Sprint(ev.Kind, " ", ev.Engine, " ", ev.key, " ", ev.Reason))
	}
	require.Equal(t, []string{"shadow shadow s denied", "denial all a denied", "denial user u too large"}, got)
}

// Keys of any length and content arrive up to EventKeyBytes, and longer ones can
// be told apart by their hash.
func TestEventKeys(t *testing.T) {
	var r recorder
	v := newEvents(t, engine.EventsConfig{Handle: r.handle})
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: engine.Manual(), Events: v})
	keys := []string{"", "\x00", "\xff\xfe", strings.Repeat("x", 60), strings.Repeat("x", 61), strings.Repeat("x", 64<<10)}
	for _, key := range keys {
		e.Take(key, 2)
	}
	v.Close()
	require.Len(t, r.events, len(keys))
	for i, key := range keys {
		require.Equal(t, key[:min(len(key), engine.EventKeyBytes)], r.events[i].key)
		require.Equal(t, len(key) > engine.EventKeyBytes, r.events[i].Truncated)
		require.Equal(t, xxhash.Sum64String(key), r.events[i].Hash)
	}
}

// A handler that hangs stops no decision: the ring fills, then events are
// dropped and counted; once it goes on, it gets what fitted, in order.
func TestEventsNeverBlock(t *testing.T) {
	var r recorder
	release, once := make(chan struct{}), sync.Once{}
	v := newEvents(t, engine.EventsConfig{Capacity: 8, Every: time.Microsecond, Handle: func(ev engine.Event) {
		once.Do(func() { <-release })
		r.handle(ev)
	}})
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: engine.Manual(), Events: v})
	for i := range 100 {
		require.False(t, e.Take("k", int64(2+i)).OK)
	}
	require.GreaterOrEqual(t, v.Stats().Dropped, uint64(100-8))
	close(release)
	v.Close()
	s := v.Stats()
	require.EqualValues(t, len(r.events), s.Handled)
	require.EqualValues(t, 100, s.Handled+s.Dropped+s.Waiting)
	for i, ev := range r.events {
		require.EqualValues(t, 2+i, ev.N)
	}
}

// Many goroutines, a small ring: what arrives is whole, what one goroutine emits
// arrives in its order, and handled and dropped add up.
func TestEventsUnderContention(t *testing.T) {
	const goroutines, each = 8, 5_000
	var last [goroutines]int64
	handled := uint64(0)
	v := newEvents(t, engine.EventsConfig{Capacity: 16, Every: time.Microsecond, Handle: func(ev engine.Event) {
		var g int
		var n int64
		_, err := fmt.Sscanf(string(ev.Key), "goroutine %d asks for %d", &g, &n)
		if err != nil || ev.N != n || n <= last[g] || ev.Hash != xxhash.Sum64(ev.Key) {
			panic(fmt.Sprintf("torn or out of order: %+v", ev))
		}
		last[g] = n
		handled++
	}})
	e := newEngine(t, engine.Config{Limit: engine.PerSecond(1), Clock: engine.Manual(), Events: v})
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for n := int64(2); n < each+2; n++ {
				e.Take(fmt.Sprintf("goroutine %d asks for %d", g, n), n)
			}
		})
	}
	all.Wait()
	v.Close()
	s := v.Stats()
	require.Equal(t, handled, s.Handled)
	require.Zero(t, s.Waiting)
	require.EqualValues(t, goroutines*each, s.Handled+s.Dropped)
	require.NotZero(t, handled)
}

func TestEventsErrorsNameTheValue(t *testing.T) {
	handle := func(engine.Event) {}
	for _, row := range []struct {
		c    engine.EventsConfig
		want string
	}{
		{engine.EventsConfig{}, "Handle is nil"},
		{engine.EventsConfig{Handle: handle, Capacity: -4}, "Capacity -4"},
		{engine.EventsConfig{Handle: handle, Capacity: 1}, "Capacity 1 "},
		{engine.EventsConfig{Handle: handle, Capacity: 100}, "Capacity 100"},
		{engine.EventsConfig{Handle: handle, Capacity: 1 << 25}, "Capacity 33554432"},
		{engine.EventsConfig{Handle: handle, Every: -time.Second}, "Every -1s"},
	} {
		v, err := engine.NewEvents(row.c)
		require.ErrorContains(t, err, "limit64: events: "+row.want)
		require.Nil(t, v)
	}
}

func TestEmittingDoesNotAllocate(t *testing.T) {
	forEach(t, func(t *testing.T, l engine.Limit) {
		stop := make(chan struct{})
		v := newEvents(t, engine.EventsConfig{Capacity: 1024, Handle: func(engine.Event) { <-stop }})
		e := newEngine(t, engine.Config{Limit: l, Clock: engine.Manual(), Events: v})
		e.Take("k", 10)
		long := strings.Repeat("long", 20)
		require.Zero(t, testing.AllocsPerRun(1000, func() { // half of it into the ring, half dropped
			e.Take("k", 1)
			e.Take(long, 11)
		}))
		require.NotZero(t, v.Stats().Dropped)
		close(stop)
		v.Close()
	})
}
