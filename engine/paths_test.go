package engine_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/limit64/limit64/engine"
	"github.com/stretchr/testify/require"
)

// pathLimits are limits of every kind that the generated paths treat differently,
// and of the extremes of each.
var pathLimits = []engine.Limit{
	engine.TokenBucket(100, time.Second, engine.Burst(20)),        // a nanosecond earns a unit
	engine.TokenBucket(3, time.Second),                            // three units
	engine.LeakyBucket(7_777, time.Second, engine.Burst(50)),      // thousands
	engine.TokenBucket(999_983, time.Second, engine.Burst(4)),     // the base moves every hour or so
	engine.TokenBucket(999_999_937, time.Second, engine.Burst(3)), // rounded: no path
	engine.TokenBucket(1, 366*24*time.Hour),
	engine.TokenBucket(1, 1, engine.Burst(1<<60)),
	engine.FixedWindow(5, time.Minute),
	engine.FixedWindow(1, 1),
	engine.FixedWindow(1_000_000_000, time.Second),
	engine.SlidingCounter(10, time.Minute),
	engine.SlidingCounter(10, 1_000_000_007),
	engine.SlidingCounter(33_000_000, time.Second),             // the base moves
	engine.SlidingCounter(3_000_000_000_000, time.Hour),        // previous in steps
	engine.SlidingCounter(4_398_046_511_103, 365*24*time.Hour), // products of 128 bits
	engine.SlidingLog(7, time.Minute),
}

// The generated paths decide as the path that is written by hand, for keys of every
// kind, whatever else happens: returns, sweeps, other limits, hours without a
// request, instants out of order, costs that no state could admit.
func TestGeneratedPathsEqualTheGenericOne(t *testing.T) {
	const seed = 11
	steps := 20_000
	if testing.Short() {
		steps = 3_000
	}
	for _, l := range pathLimits {
		t.Run(l.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, seed))
			clock := engine.Manual()
			c := engine.Config{Limit: l, IPv6Prefix: 120, Clock: clock}
			fast, slow := newEngine(t, c), newEngine(t, c)
			now, limit, admitted := time.Duration(0), l, 0
			for i := range steps {
				switch rng.IntN(400) {
				case 0:
					now += time.Duration(rng.Int64N(int64(2 * time.Hour)))
				case 1:
					now += time.Duration(min(l.Period, math.MaxInt64/1000))
				default:
					now += time.Duration(rng.Int64N(int64(l.Period)/4 + 2))
				}
				clock.Set(now)
				at := now
				if rng.IntN(8) == 0 {
					at -= time.Duration(rng.Int64N(int64(l.Period)))
				}
				n := rng.Int64N(max(2, limit.Capacity()))/(1<<rng.IntN(8)) + 1
				if rng.IntN(60) == 0 {
					n = []int64{0, -1, math.MinInt64, math.MaxInt64, limit.Capacity(), limit.Capacity() + 1}[rng.IntN(6)]
				}
				x := rng.Uint64N(4 + uint64(i/100))
				addr := netip.AddrFrom16([16]byte{0: 0x20, 13: byte(x >> 8), 14: byte(x), 15: byte(i)})
				key := string(binary.BigEndian.AppendUint64(nil, x))
				var got engine.Decision
				switch kind := rng.IntN(5); kind {
				case 0:
					got = fast.TakeUint64At(x, n, at)
				case 1:
					got = fast.TakeAddrAt(addr, n, at)
					b := addr.As16()
					b[15] = 0
					key = string(b[:])
				case 2:
					got = fast.TakeBytesAt([]byte(key), n, at)
				case 3:
					batch := []engine.Request{{Key: key, N: n}, {Key: key, N: n}}
					fast.TakeBatchAt(batch, at)
					require.Equal(t, engine.TakeGeneric(slow, key, n, at), batch[0].Decision, "seed %d step %d", seed, i)
					got = batch[1].Decision
				case 4:
					key = string(binary.AppendUvarint(nil, x+1)) // one byte or two
					if x%3 == 0 {
						key += "a key that lies in the arena"
					}
					got = fast.TakeAt(key, n, at)
				}
				require.Equal(t, engine.TakeGeneric(slow, key, n, at), got, "seed %d step %d", seed, i)
				if got.OK {
					admitted++
				}
				both := func(do func(e *engine.Engine)) { do(fast); do(slow) }
				switch rng.IntN(300) {
				case 0:
					both(func(e *engine.Engine) { e.SweepAt(now) })
				case 1, 2, 3:
					both(func(e *engine.Engine) { e.ReturnAt(key, n, at) })
				case 4:
					both(func(e *engine.Engine) { e.Forget(key) })
				case 5:
					limit.Tokens = max(1, l.Tokens-rng.Int64N(l.Tokens/2+1))
					both(func(e *engine.Engine) { require.NoError(t, e.SetLimit(limit)) })
				case 6:
					both(func(e *engine.Engine) { require.NoError(t, e.SetKeyLimit(key, l)) })
				case 7:
					both(func(e *engine.Engine) { e.Replan(key) })
				}
			}
			require.Greater(t, admitted, steps/100)
			require.Equal(t, slow.Stats(), fast.Stats())
		})
	}
}

// Keys that are integers or addresses are the keys of their bytes.
func TestKeysOfAllKinds(t *testing.T) {
	for _, l := range oneOfEach {
		e := newEngine(t, engine.Config{Limit: l, IPv4Prefix: 24, IPv6Prefix: 64})
		left := func(d engine.Decision) int64 { return d.Remaining }
		require.EqualValues(t, 9, left(e.TakeUint64At(0x6162636465666768, 1, 0)))
		require.EqualValues(t, 8, left(e.TakeAt("abcdefgh", 1, 0)))
		require.EqualValues(t, 7, left(e.TakeUint64At(0x6162636465666768, 1, 0)))

		v4, mapped := netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("::ffff:1.2.3.99")
		require.EqualValues(t, 9, left(e.TakeAddrAt(v4, 1, 0)))
		require.EqualValues(t, 8, left(e.TakeAddrAt(mapped, 1, 0)), "the same /24")
		require.EqualValues(t, 7, left(e.TakeAddrAt(mapped.WithZone("eth0"), 1, 0)))
		require.EqualValues(t, 9, left(e.TakeAddrAt(netip.MustParseAddr("1.2.4.4"), 1, 0)))
		require.EqualValues(t, 7, left(e.PeekBytesAt(e.AppendAddr(nil, v4), 1, 0)))

		v6 := netip.MustParseAddr("2001:db8:1:2:3::4")
		require.EqualValues(t, 9, left(e.TakeAddrAt(v6, 1, 0)))
		require.EqualValues(t, 8, left(e.TakeAddrAt(netip.MustParseAddr("2001:db8:1:2::%en1"), 1, 0)))
		require.EqualValues(t, 9, left(e.TakeAddrAt(netip.MustParseAddr("2001:db8:1:3::"), 1, 0)))
		require.EqualValues(t, 9, left(e.TakeAddrAt(netip.Addr{}, 1, 0)))
		require.EqualValues(t, 8, left(e.TakeAddrAt(netip.IPv6Unspecified(), 1, 0)))
		require.Equal(t, 6, e.Len())
		require.Equal(t, "\x20\x01\x0d\xb8\x00\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00", string(e.AppendAddr(nil, v6)))

		require.True(t, e.AllowUint64(1))
		require.True(t, e.AllowAddr(v4))
		require.True(t, e.TakeUint64(1, 1).OK)
		require.True(t, e.TakeAddr(v4, 1).OK)
	}
}

func TestPrefixesOutOfRange(t *testing.T) {
	for _, row := range []struct {
		v4, v6 int
		want   string
	}{
		{33, 0, "IPv4Prefix 33"}, {-1, 0, "IPv4Prefix -1"}, {0, 129, "IPv6Prefix 129"}, {0, -64, "IPv6Prefix -64"},
	} {
		_, err := engine.New(engine.Config{Limit: generous, IPv4Prefix: row.v4, IPv6Prefix: row.v6})
		require.ErrorContains(t, err, row.want)
	}
}

// No kind of key costs an allocation, admitted or denied.
func TestPathsDoNotAllocate(t *testing.T) {
	addrs := []netip.Addr{netip.MustParseAddr("1.2.3.4"), netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("fe80::1%eth0")}
	require.Contains(t, oneOfEach[len(oneOfEach)-1].String(), "log")
	for _, l := range oneOfEach {
		e := newEngine(t, engine.Config{Limit: l, IPv6Prefix: 64, NoStats: raceDetector}) // under it, its pools allocate
		take := func() {
			e.Take("a key", 1)
			e.Allow("a key of more than sixteen bytes")
			if l.Algorithm == oneOfEach[len(oneOfEach)-1].Algorithm {
				return // a log makes strings of the others
			}
			e.TakeUint64(7, 1)
			e.TakeUint64(7, 1_000)
			e.TakeUint64At(7, 1, 0)
			for _, a := range addrs {
				e.TakeAddr(a, 1)
			}
		}
		take()
		require.Zero(t, testing.AllocsPerRun(100, take), l)
	}
}
