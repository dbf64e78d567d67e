package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/require"
)

var snapshotLimits = []Limit{
	TokenBucket(10, time.Minute), LeakyBucket(7, time.Second, Burst(100)), FixedWindow(10, time.Minute),
	SlidingCounter(10, time.Minute), SlidingLog(10, time.Minute),
	TokenBucket(999_999_937, time.Second, Burst(1<<20)), // its base moves every 73 minutes
}

func open(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := New(c)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

// at is a wall clock that stands still.
func at(d time.Duration) func() time.Time {
	return func() time.Time { return time.Unix(1_700_000_000, 0).Add(d) }
}

// A restored engine answers like the old one would have after the time away.
func TestRestoreForgivesNobody(t *testing.T) {
	for _, l := range snapshotLimits {
		t.Run(l.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 3))
			for _, away := range []time.Duration{0, time.Nanosecond, time.Second / 3, 20 * time.Second, 59 * time.Second} {
				clock := Manual()
				old := open(t, Config{Limit: l, Clock: clock})
				key := func(i int) string { return strings.Repeat("x", i%40) + fmt.Sprint(i) }
				clock.Add(5 * time.Hour)
				for i := range 3000 {
					clock.Add(time.Duration(rng.IntN(1 << 24)))
					old.Take(key(i/2), 1+rng.Int64N(l.Capacity()))
				}
				var file bytes.Buffer
				require.NoError(t, old.snapshot(&file, at(0)))

				later := Manual()
				later.Add(time.Duration(rng.Int64N(int64(10 * time.Minute))))
				e := open(t, Config{Limit: l, Clock: later})
				require.NoError(t, e.restore(&file, at(away)))
				clock.Add(away)
				for range 3 {
					for i := range 1600 {
						n := 1 + rng.Int64N(l.Capacity())
						require.Equal(t, old.Take(key(i), n), e.Take(key(i), n), "key %d, away %v", i, away)
					}
					step := time.Duration(rng.Int64N(int64(l.Period)))
					clock.Add(step)
					later.Add(step)
				}
			}
		})
	}
}

// The wall clock may jump: back counts as no time, forward as MaxDowntime.
func TestRestoreBoundsTheWallClock(t *testing.T) {
	l := TokenBucket(48, 48*time.Hour)
	for jump, regained := range map[time.Duration]int64{-time.Hour: 0, time.Hour: 1, 1000 * time.Hour: 24} {
		old := open(t, Config{Limit: l, Clock: Manual()})
		old.Take("k", 48)
		var file bytes.Buffer
		require.NoError(t, old.snapshot(&file, at(0)))
		e := open(t, Config{Limit: l, Clock: Manual()})
		require.NoError(t, e.restore(&file, at(jump)))
		require.Equal(t, regained, e.Peek("k", 1).Remaining, "%v", jump)
	}
}

// A restored key has the limit that the new engine gives it.
func TestRestoreUnderOtherLimits(t *testing.T) {
	for _, row := range []struct {
		from, to Limit
		left     int64
	}{
		{TokenBucket(10, time.Minute), TokenBucket(20, time.Minute), 2},
		{FixedWindow(10, time.Minute), FixedWindow(100, time.Minute), 92},
		{FixedWindow(10, time.Minute), SlidingCounter(9, time.Minute), 1},
		{SlidingLog(10, time.Minute), SlidingLog(5, time.Minute), 0},
	} {
		old := open(t, Config{Limit: row.from, Clock: Manual()})
		old.Take("k", 8)
		var file bytes.Buffer
		require.NoError(t, old.Snapshot(&file))
		e := open(t, Config{Limit: row.to, Clock: Manual()})
		require.NoError(t, e.restore(&file, time.Now))
		require.Equal(t, row.left, e.Peek("k", 1).Remaining, "%v to %v", row.from, row.to)
	}
}

func taken(t testing.TB, l Limit) []byte {
	old := open(t, Config{Limit: l, Clock: Manual()})
	for i := range 5 {
		old.Take(fmt.Sprint("key", i), int64(i+1))
	}
	var file bytes.Buffer
	require.NoError(t, old.Snapshot(&file))
	return file.Bytes()
}

// Whatever is cut off, added or changed gives an error, and no key.
func TestRestoreRefusesWhatIsNotWhole(t *testing.T) {
	for _, l := range []Limit{TokenBucket(10, time.Minute), SlidingLog(10, time.Minute)} {
		whole := taken(t, l)
		e := open(t, Config{Limit: l, Clock: Manual()})
		refuse := func(data []byte) {
			require.ErrorIs(t, e.Restore(bytes.NewReader(data)), ErrSnapshot)
			require.Zero(t, e.Len())
		}
		for i := range whole {
			refuse(whole[:i])
			changed := bytes.Clone(whole)
			changed[i] ^= 0x10
			refuse(changed)
		}
		refuse(append(bytes.Clone(whole), 0))
		refuse([]byte("GIF89a and so on, long enough to have a checksum"))
		reader := errors.New("cable")
		require.ErrorIs(t, e.Restore(iotest.ErrReader(reader)), reader)

		require.NoError(t, e.Restore(bytes.NewReader(whole)))
		require.Equal(t, 5, e.Len())
		require.ErrorContains(t, e.Restore(bytes.NewReader(whole)), "5 keys")
	}
	words := open(t, Config{Limit: PerSecond(1)})
	require.ErrorIs(t, words.Restore(bytes.NewReader(taken(t, SlidingLog(10, time.Minute)))), ErrSnapshot)
	small := open(t, Config{Limit: TokenBucket(10, time.Minute), MaxKeys: 4})
	require.ErrorContains(t, small.Restore(bytes.NewReader(taken(t, TokenBucket(10, time.Minute)))), "MaxKeys is 4")
	require.Zero(t, small.Len())
}

type brokenDisk struct{ left int }

func (d *brokenDisk) Write(b []byte) (int, error) {
	if d.left -= len(b); d.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func TestSnapshotReportsTheWritersError(t *testing.T) {
	e := open(t, Config{Limit: PerMinute(10)})
	for i := range 10_000 {
		e.Allow(fmt.Sprint(i))
	}
	for _, room := range []int{0, 70_000} {
		require.ErrorContains(t, e.Snapshot(&brokenDisk{room}), "disk full")
	}
}

// A snapshot under traffic holds for each key something between what was used
// before it began and what was used when it ended.
func TestSnapshotUnderTraffic(t *testing.T) {
	for _, l := range []Limit{FixedWindow(1000, time.Hour), TokenBucket(1000, time.Hour), SlidingLog(1000, time.Hour)} {
		const keys = 2000
		clock := Manual()
		e := open(t, Config{Limit: l, Clock: clock})
		var used [keys]atomic.Int64
		var wg sync.WaitGroup
		var done atomic.Bool
		for range 2 {
			wg.Go(func() {
				for i := 0; !done.Load(); i++ {
					if e.Allow(fmt.Sprint(i % keys)) {
						used[i%keys].Add(1)
					}
					if i%500 == 0 {
						e.Allow(fmt.Sprint("new", i)) // shards split
					}
				}
			})
		}
		for range 5 {
			var before [keys]int64
			for i := range before {
				before[i] = used[i].Load()
			}
			var file bytes.Buffer
			require.NoError(t, e.snapshot(&file, at(0)))
			copied := open(t, Config{Limit: l, Clock: Manual()})
			require.NoError(t, copied.restore(&file, at(0)))
			for i := range before {
				got := 1000 - copied.Peek(fmt.Sprint(i), 1).Remaining
				require.GreaterOrEqual(t, got, before[i])
				require.LessOrEqual(t, got, used[i].Load()+2) // taken, not yet counted
			}
		}
		done.Store(true)
		wg.Wait()
	}
}

// Whatever bytes there are, Restore gives an error or an engine that works.
func FuzzRestore(f *testing.F) {
	for _, l := range snapshotLimits {
		whole := taken(f, l)
		f.Add(whole[:len(whole)-8], true)
		f.Add(whole, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, sum bool) {
		if sum { // get past the checksum
			data = binary.LittleEndian.AppendUint64(bytes.Clone(data), xxhash.Sum64(data))
		}
		for _, l := range []Limit{TokenBucket(10, time.Minute), SlidingCounter(5, time.Second), SlidingLog(10, time.Minute)} {
			e := open(t, Config{Limit: l, Clock: Manual()})
			if e.Restore(bytes.NewReader(data)) != nil {
				require.Zero(t, e.Len())
			}
			for key := range e.All() {
				d := e.Take(key, 1)
				require.True(t, d.Remaining >= 0 && d.Remaining <= d.Limit && d.RetryAfter >= 0)
			}
		}
	})
}

// BenchmarkSnapshot reports nanoseconds per key of 1e6 keys, and bytes.
func BenchmarkSnapshot(b *testing.B) {
	const keys = 1_000_000
	e := open(b, Config{Limit: PerMinute(10), Clock: Manual()})
	for i := range keys {
		e.Allow(fmt.Sprintf("client-%09d", i))
	}
	var file bytes.Buffer
	for b.Loop() {
		file.Reset()
		require.NoError(b, e.Snapshot(&file))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/keys, "ns/key")
	b.ReportMetric(float64(file.Len())/keys, "B/key")
	start := time.Now()
	restored := open(b, Config{Limit: PerMinute(10), Clock: Manual()})
	require.NoError(b, restored.Restore(bytes.NewReader(file.Bytes())))
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/keys, "restore-ns/key")
	require.Equal(b, keys, restored.Len())
}
