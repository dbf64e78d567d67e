package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/cmd/loadgen/internal/boundary"
	"github.com/limit64/limit64/cmd/loadgen/internal/replay"
	"github.com/limit64/limit64/cmd/loadgen/internal/suggest"
	"github.com/limit64/limit64/engine"
)

func decode[T any](t *testing.T, args ...string) (v T) {
	t.Helper()
	code, out, errs := call(newEngine, "", append(args, "-json")...)
	require.Zero(t, code, errs)
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	return v
}

// What is suggested is what a replay confirms, and one token less is too little.
func TestSuggestionsAreTheSmallest(t *testing.T) {
	for _, target := range []string{"-refuse 0.1%", "-refuse 0", "-refuse 5%", "-refuse 10% -of requests", "-refuse 20% -key ip+path -period 10s", "-refuse 1"} {
		args := append([]string{"suggest", smallLog}, strings.Fields(target)...)
		r := decode[suggest.Result](t, args...)
		require.Len(t, r.Suggestions, 5)
		for _, s := range r.Suggestions {
			got := replayed(t, s.Limit, target)
			assert.Equal(t, s.Refuses, got, "%s: %v", target, s.Limit)
			assert.True(t, meets(r, got), "%s: %v", target, s.Limit)
			assert.Zero(t, replayed(t, s.Nobody, target).Requests, "%s: %v", target, s.Nobody)
			for _, p := range s.Curve {
				l := s.Limit
				l.Tokens = p.Tokens
				assert.Equal(t, p.Refusals, replayed(t, l, target), "%s: %v", target, l)
			}
			if less := s.Limit; less.Tokens > 1 {
				less.Tokens--
				assert.False(t, meets(r, replayed(t, less, target)), "%s: %v", target, less)
			}
		}
	}
}

func meets(r suggest.Result, got suggest.Refusals) bool {
	if r.Target.Requests {
		return float64(got.Requests) <= r.Target.Share*float64(r.Requests)
	}
	return float64(got.Clients) <= r.Target.Share*float64(r.Clients)
}

func replayed(t *testing.T, l engine.Limit, target string) suggest.Refusals {
	args := []string{"replay", smallLog, "-window", "1000h", "-limit", l.String()}
	if strings.Contains(target, "ip+path") {
		args = append(args, "-key", "ip+path")
	}
	r := decode[replay.Result](t, args...)
	return suggest.Refusals{Clients: int64(r.Limits[0].Clients), Requests: r.Limits[0].Refused}
}

func TestSuggestForPeople(t *testing.T) {
	code, out, errs := call(newEngine, "", "suggest", smallLog, "-period", "1s", "-period", "1m")
	require.Zero(t, code, errs)
	for _, want := range []string{"at most 0.1 % of the clients", "smallest limits of 1s", "smallest limits of 1m0s", "trade-off", "loadgen replay " + smallLog + " -key ip -limit token:"} {
		assert.Contains(t, out, want)
	}
	code, _, errs = call(newEngine, "", "suggest", "-")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "no requests")
}

// The facts that every text on rate limiting tells.
func TestBoundary(t *testing.T) {
	p := decode[boundary.Picture](t, "demo", "boundary")
	type row struct{ total, most int64 }
	for i, want := range []map[string]row{
		{"token": {119, 119}, "leaky": {119, 119}, "fixed": {200, 200}, "counter": {109, 109}, "log": {100, 100}},
		{"token": {399, 199}, "leaky": {399, 199}, "fixed": {300, 100}, "counter": {298, 100}, "log": {300, 100}},
		{"token": {340, 180}, "leaky": {340, 180}, "fixed": {300, 160}, "counter": {248, 116}, "log": {260, 100}},
	} {
		got := map[string]row{}
		for _, r := range p[i].By {
			got[r.Limit.Algorithm.String()] = row{r.Total, int64(r.Most)}
		}
		assert.Equal(t, want, got, p[i].Name)
	}
	code, out, _ := call(newEngine, "", "demo", "boundary")
	require.Zero(t, code)
	assert.Contains(t, out, "fixed    ··················████····")
	assert.Contains(t, out, "log      ··················██······")
}
