package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/engine"
	"github.com/limit64/limit64/fuzz/model"
)

// models decides with one exact model a key, and never forgets one.
type models struct {
	limiter // nil: a replay only calls what is below
	limit   engine.Limit
	keys    map[string]model.Model
}

func newModels(c engine.Config) (limiter, error) {
	return &models{limit: c.Limit, keys: map[string]model.Model{}}, nil
}

func (m *models) TakeAt(key string, n int64, now time.Duration) engine.Decision {
	if m.keys[key] == nil {
		m.keys[key] = model.New(m.limit)
	}
	return m.keys[key].Take(now, n)
}

func (m *models) Close() {}

// off is an exact model of another limit: the comparison has to notice it.
func off(c engine.Config) (limiter, error) {
	c.Limit.Tokens++
	return newModels(c)
}

var fiveAlgorithms = []string{"token:60/m,burst=20", "token:60/m", "leaky:60/m", "leaky:60/m,burst=7", "fixed:60/m", "counter:60/m", "log:60/m"}

func TestReplayEqualsTheExactModels(t *testing.T) {
	for _, limit := range fiveAlgorithms {
		for _, key := range []string{"ip", "path", "ip+path"} {
			t.Run(limit+" "+key, func(t *testing.T) {
				got, want := compare(t, smallLog, limit, key, newModels)
				assert.Equal(t, want, got)
				assert.NotContains(t, want, "Nobody would have been refused.", "the log has clients that are refused")
			})
		}
	}
}

func TestTheComparisonNoticesOneTokenMore(t *testing.T) {
	for _, limit := range fiveAlgorithms {
		got, want := compare(t, smallLog, limit, "ip", off)
		assert.NotEqual(t, want, got, limit)
	}
}

func TestReplayOfRealLogsEqualsTheExactModels(t *testing.T) {
	if testing.Short() {
		t.Skip("the exact models take seconds for ten thousand requests")
	}
	for _, file := range []string{"access-combined.log", "access-nginx.jsonl"} {
		path := filepath.Join("..", "..", "..", "shared", "data", file)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the recorded log is not here, only beside the project: %v", err)
		}
		for _, limit := range []string{"token:60/m,burst=20", "leaky:60/m,burst=7", "fixed:10/h", "counter:60/m", "log:10/h"} {
			t.Run(file+" "+limit, func(t *testing.T) {
				t.Parallel()
				got, want := compare(t, path, limit, "ip", newModels)
				assert.Equal(t, want, got)
			})
		}
	}
}

// compare returns the lines of the engine's report and of the other's.
func compare(t *testing.T, file, limit, key string, other func(engine.Config) (limiter, error)) (got, want []string) {
	t.Helper()
	args := []string{"replay", file, "-limit", limit, "-key", key, "-top", "0"}
	code, out, errs := call(newEngine, "", args...)
	require.Zero(t, code, errs)
	code, exact, errs := call(other, "", args...)
	require.Zero(t, code, errs)
	return strings.Split(out, "\n"), strings.Split(exact, "\n")
}
