package linear

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/proof/variant"
	"github.com/stretchr/testify/require"
)

func scenes() []scene {
	const at = 10 * time.Minute
	split := engine.TokenBucket(3, time.Minute)
	return []scene{
		{"token", engine.TokenBucket(3, time.Minute), at, 0, 0},
		{"leaky", engine.LeakyBucket(3, time.Minute), at, 0, 0},
		{"fixed", engine.FixedWindow(3, time.Minute), at, 0, 0},
		{"counter", engine.SlidingCounter(3, time.Minute), at, 0, 0},
		{"log", engine.SlidingLog(3, time.Minute), at, 0, 0},
		{"split", split, at, 812, 20},
		// Its words span 77 minutes: the first call at 80 moves the base.
		{"rebase", engine.TokenBucket(999_983, time.Second, engine.Burst(3)), 80 * time.Minute, 0, 0},
	}
}

const refuted = "no order of the calls"

func TestHistoriesAreLinearizable(t *testing.T) {
	histories := 2_000
	if testing.Short() {
		histories = 150
	}
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			seed, n := rand.Uint64(), histories
			if s.fill > 0 {
				n /= 4
			}
			t.Logf("seed %d", seed)
			m := newModel(s.limit)
			for i := range uint64(n) {
				history, err := s.record(seed + i)
				require.NoError(t, err)
				check(t, m, history)
			}
		})
	}
}

func check(t *testing.T, m porcupine.Model, history []porcupine.Operation) {
	if result, info := porcupine.CheckOperationsVerbose(m, history, time.Minute); result != porcupine.Ok {
		for _, op := range history {
			t.Logf("%4d-%4d client %d %s", op.Call, op.Return, op.ClientId, m.DescribeOperation(op.Input, op.Output))
		}
		if out := os.Getenv("PICTURE"); out != "" {
			require.NoError(t, porcupine.VisualizePath(m, info, out))
		}
		t.Fatalf("%s gives these answers: %v", refuted, result)
	}
}

// The check can fail: two requests that both got the last token.
func TestDoubleSpendIsRefuted(t *testing.T) {
	ok := bucket.Decision{OK: true, Limit: 1, ResetAfter: time.Second}
	m := newModel(engine.TokenBucket(1, time.Second))
	history := []porcupine.Operation{
		{ClientId: 0, Input: call{take, "k", 1, 0}, Output: ok, Call: 1, Return: 3},
		{ClientId: 1, Input: call{take, "k", 1, 0}, Output: ok, Call: 2, Return: 4},
	}
	require.True(t, porcupine.CheckOperations(m, history[:1]))
	require.False(t, porcupine.CheckOperations(m, history))
}

// inVariant runs the histories in a copy of the module with patches.
func inVariant(t *testing.T, patches ...string) (output string, err error) {
	if os.Getenv("VARIANT") != "" {
		t.Skip("this is a variant itself")
	}
	v, err := variant.New("../../..", t.TempDir(), patches...)
	require.NoError(t, err)
	return v.Go("fuzz/proof", "test", "-short", "-count=1", "-cpu", "2,8", "-run", "TestHistoriesAreLinearizable", "./linear")
}

// The same with a table that yields the processor wherever another request may
// get in.
func TestHistoriesAreLinearizableWithYields(t *testing.T) {
	output, err := inVariant(t, "testdata/yields.patch")
	require.NoError(t, err, output)
}

// A table that moves words without sealing them admits a request on the old copy.
func TestMissingSealIsRefuted(t *testing.T) {
	output, err := inVariant(t, "testdata/yields.patch", "testdata/no-seal.patch")
	require.Error(t, err)
	require.Contains(t, output, refuted)
}
