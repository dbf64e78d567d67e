package limits

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/gen/internal/differ"
	"github.com/stretchr/testify/require"
)

func login(t testing.TB, maxKeys int) *LoginLimiter {
	l, err := NewLoginLimiter(maxKeys)
	require.NoError(t, err)
	return l
}

func search(t testing.TB, maxKeys int) *SearchLimiter {
	l, err := NewSearchLimiter(maxKeys)
	require.NoError(t, err)
	return l
}

// The decisions are those of an engine and of a cell with the limit.
func TestDecisionsEqualTheEngines(t *testing.T) {
	const seed = 4
	steps := 100_000
	if testing.Short() {
		steps = 10_000
	}
	for _, s := range []differ.Subject{
		{Limit: loginLimit, Limiter: login(t, differ.MaxKeys), Cell: new(LoginCell)},
		{Limit: searchLimit, Limiter: search(t, differ.MaxKeys), Cell: new(SearchCell)},
	} {
		admitted, err := differ.Check(s, steps, seed)
		require.NoError(t, err, "seed %d", seed)
		require.Greater(t, admitted, steps/100)
	}
}

// A comparison with another limit finds a difference: it can fail.
func TestOtherLimitsDiffer(t *testing.T) {
	_, err := differ.Check(differ.Subject{Limit: "token:100/s,burst=21", Limiter: login(t, differ.MaxKeys)}, 10_000, 4)
	require.ErrorContains(t, err, "step 0")
	_, err = differ.Check(differ.Subject{Limit: loginLimit, Limiter: login(t, differ.MaxKeys), Cell: new(SearchCell)}, 10_000, 4)
	require.ErrorContains(t, err, "cell peek, step 0")
}

func TestKeysOfAllKinds(t *testing.T) {
	l, v4 := login(t, 0), netip.MustParseAddr("1.2.3.4")
	mapped := netip.MustParseAddr("::ffff:1.2.3.4")
	require.EqualValues(t, 19, l.TakeAddr(v4, 1, 0).Remaining)
	require.EqualValues(t, 18, l.TakeAddr(mapped, 1, 0).Remaining)
	require.EqualValues(t, 17, l.TakeAddr(mapped.WithZone("eth0"), 1, 0).Remaining)
	b := v4.As16()
	require.EqualValues(t, 16, l.TakeBytes(b[:], 1, 0).Remaining)
	require.EqualValues(t, 16, l.Peek(string(b[:]), 1, 0).Remaining)
	require.EqualValues(t, 19, l.TakeUint64(0x6162636465666768, 1, 0).Remaining)
	require.EqualValues(t, 18, l.Take("abcdefgh", 1, 0).Remaining)
	require.Equal(t, 2, l.Len())
	l.Sweep(time.Second)
	require.Zero(t, l.Len())
}

// A new key that finds no room is denied, and the bound evicts nobody.
func TestSaturation(t *testing.T) {
	l := login(t, 2)
	for _, key := range []string{"a", "b"} {
		require.True(t, l.Take(key, 20, 0).OK)
	}
	want := bucket.Decision{RetryAfter: 10 * time.Millisecond, Limit: 20, Reason: bucket.Saturated}
	require.Equal(t, want, l.Take("c", 1, 0))
	require.Equal(t, want, l.TakeUint64(1, 1, 0))
	require.Equal(t, bucket.TooLarge, l.Take("c", 21, 0).Reason)
	require.False(t, l.Take("a", 1, 0).OK)
	require.True(t, l.Take("c", 1, time.Second).OK, "a and b are idle")
}

func TestConstructorsRefuse(t *testing.T) {
	_, err := NewLoginLimiter(-1)
	require.EqualError(t, err, "limit64: maxKeys -1 must not be negative")
	was := loginParams
	defer func() { loginParams = was }()
	loginParams.Unit++
	_, err = NewLoginLimiter(1)
	require.ErrorContains(t, err, "run go generate again")
}

// Decisions on resident keys, and those that refuse a cost, do not allocate.
func TestDecisionsDoNotAllocate(t *testing.T) {
	l, bytes, addr := login(t, 0), []byte("some bytes"), netip.MustParseAddr("2001:db8::1")
	var cell LoginCell
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for _, n := range []int64{1, 20, 0, 21} {
			l.Take("a key longer than sixteen bytes", n, 0)
			l.TakeBytes(bytes, n, 0)
			l.TakeUint64(7, n, 0)
			l.TakeAddr(addr, n, 0)
			l.Peek("nobody", n, 0)
			cell.Take(n, 0)
		}
	}))
}

// However many ask at once, exactly the burst is admitted, by key and by cell.
func TestContention(t *testing.T) {
	l, keyed, lone := login(t, 0), atomic.Int64{}, atomic.Int64{}
	var cell LoginCell
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 1_000 {
				if l.TakeUint64(7, 1, 0).OK {
					keyed.Add(1)
				}
				if cell.Take(1, 0).OK {
					lone.Add(1)
				}
				l.TakeUint64(uint64(100+i), 1, 0) // others come in the meantime
				if i%100 == 0 {
					l.Sweep(0)
				}
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 20, lone.Load())
	require.EqualValues(t, 20, keyed.Load())
}
