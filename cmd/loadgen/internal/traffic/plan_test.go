package traffic

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/engine"
)

func TestScenariosAreRead(t *testing.T) {
	p, err := ParseScenario([]byte(`
limit: log:5/10m
clock: coarse:100us
keys: 7
seed: 18446744073709551615
phases:
  - {name: a, duration: 1m30s, rate: 1e3, n: 1-10, new-keys: 0.5}
  - {requests: 5, set-limit: "fixed:3/s"}
`))
	require.NoError(t, err)
	fixed := engine.FixedWindow(3, time.Second)
	assert.Equal(t, Plan{
		Limit: engine.SlidingLog(5, 10*time.Minute), Clock: Clock{Resolution: 100 * time.Microsecond}, Keys: 7, Seed: 1<<64 - 1,
		Phases: []Phase{
			{Name: "a", Duration: 90 * time.Second, Rate: 1000, Cost: Cost{1, 10}, NewKeys: 0.5},
			{Requests: 5, SetLimit: &fixed},
		},
	}, p)
	p = p.WithDefaults()
	require.NoError(t, p.Validate())
	assert.Equal(t, "phase-2", p.Phases[1].Name)
	assert.Zero(t, p.Phases[1].Duration, "requests alone end it")
	assert.Equal(t, Cost{1, 1}, p.Phases[1].Cost)
}

func TestWrongScenariosSayWhere(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"limit: 5/s\nphases:\n  - {rat: 5}", "line 3: field rat not found"},
		{"limit: often", "often"},
		{"clock: sundial", "must be exact, coarse"},
		{"phases: [{n: 0}]", "must be a positive number or a range"},
		{"phases: [{duration: soon}]", "soon"},
		{"limit: 5/s", "no phases"},
		{"phases: [{rate: -1}]", "write for example 50000"},
		{"phases: [{rate: .nan}]", "write for example 50000"},
		{"clock: virtual\nphases: [{}]", "the virtual clock needs a rate"},
		{"phases: [{arrivals: often}]", "must be poisson, even or bursts"},
		{"phases: [{dist: flat}]", "must be zipf, uniform or hot"},
		{"phases: [{skew: 1}]", "write for example 1.1"},
		{"phases: [{hot-share: 2}]", "write for example 0.5"},
		{"phases: [{new-keys: 1.5}]", "write for example 0.9"},
		{"phases: [{burst: -1}]", "write for example 100"},
		{"phases: [{name: x, duration: -1s}]", "phase x: duration -1s must be positive"},
		{"phases: [{requests: -1}]", "write for example 1000000"},
		{"keys: 50000001\nphases: [{}]", "from 1 to 50000000"},
		{"goroutines: 2000\nphases: [{}]", "write for example 4"},
		{"procs: -1\nphases: [{}]", "procs -1"},
		{"max-keys: -1\nphases: [{}]", "max-keys -1"},
		{"sweep-every: -1s\nphases: [{}]", "sweep-every -1s"},
		{"phases: [{set-limit: 0/s}]", "tokens must be positive"},
	} {
		p, err := ParseScenario([]byte(c.text))
		if err == nil {
			err = p.WithDefaults().Validate()
		}
		assert.ErrorContains(t, err, c.want, c.text)
	}
}

func TestTextForms(t *testing.T) {
	for _, text := range []string{"exact", "virtual", "coarse:1ms", "coarse:50µs"} {
		var c Clock
		require.NoError(t, c.UnmarshalText([]byte(text)))
		assert.Equal(t, text, c.String())
	}
	for _, text := range []string{"", "coarse:", "coarse:1ns", "exact:1ms", "Exact"} {
		c := Clock{Virtual: true}
		assert.Error(t, c.UnmarshalText([]byte(text)), text)
		assert.True(t, c.Virtual, "unchanged")
	}
	for _, text := range []string{"1", "3-7", "9223372036854775807"} {
		var c Cost
		require.NoError(t, c.UnmarshalText([]byte(text)))
		assert.Equal(t, text, c.String())
	}
	for _, text := range []string{"", "0", "-1", "7-3", "1-", "x", "1.5"} {
		assert.Error(t, new(Cost).UnmarshalText([]byte(text)), text)
	}
	for range 100 {
		n := Cost{3, 5}.draw(rng(1))
		assert.True(t, 3 <= n && n <= 5)
	}
}
