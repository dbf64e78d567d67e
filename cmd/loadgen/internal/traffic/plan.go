package traffic

import (
	"fmt"
	"math"
	"time"

	"github.com/limit64/limit64/engine"
)

// Bounds of a plan.
const (
	MaxKeys       = 50_000_000
	MaxGoroutines = 1024
	MaxRate       = 1e9
)

// Plan is what to drive a limiter with.
type Plan struct {
	// Limit is what each key may do.
	Limit engine.Limit `yaml:"limit" json:"limit"`
	// Clock is the engine's.
	Clock Clock `yaml:"clock" json:"clock"`
	// Keys is how many keys there are, beside the new ones of a flood.
	Keys int `yaml:"keys" json:"keys"`
	// MaxKeys bounds the keys that the engine holds; 0 means its default, or
	// twice Keys where that is more.
	MaxKeys int `yaml:"max-keys" json:"max_keys"`
	// SweepEvery is how often the engine sweeps in the background; 0 means never.
	SweepEvery time.Duration `yaml:"sweep-every" json:"sweep_every_ns"`
	// Goroutines is how many ask at the same time.
	Goroutines int `yaml:"goroutines" json:"goroutines"`
	// Procs is GOMAXPROCS during the run; 0 leaves it.
	Procs int `yaml:"procs" json:"procs"`
	// Seed makes the same traffic again.
	Seed uint64 `yaml:"seed" json:"seed"`
	// Phases come one after the other.
	Phases []Phase `yaml:"phases" json:"phases"`
}

// Phase is a time of even traffic.
type Phase struct {
	// Name is how reports call it.
	Name string `yaml:"name" json:"name"`
	// Duration and Requests end the phase, whichever comes first; 0 means that
	// it does not.
	Duration time.Duration `yaml:"duration" json:"duration_ns"`
	Requests int64         `yaml:"requests" json:"requests"`
	// Rate is requests a second of all goroutines; 0 means a closed loop.
	Rate float64 `yaml:"rate" json:"rate"`
	// Arrivals is how they are spread: poisson, even, or bursts of Burst
	// requests at one instant.
	Arrivals string `yaml:"arrivals" json:"arrivals,omitempty"`
	Burst    int    `yaml:"burst" json:"burst,omitempty"`
	// Dist is how keys are chosen: zipf with exponent Skew, uniform, or hot: one
	// key gets HotShare of the requests, the others share the rest evenly.
	Dist     string  `yaml:"dist" json:"dist"`
	Skew     float64 `yaml:"skew" json:"skew,omitempty"`
	HotShare float64 `yaml:"hot-share" json:"hot_share,omitempty"`
	// NewKeys is the share of requests that come with a key never seen before.
	NewKeys float64 `yaml:"new-keys" json:"new_keys,omitempty"`
	// Cost is how many tokens a request takes.
	Cost Cost `yaml:"n" json:"n"`
	// SetLimit changes the limit when the phase begins.
	SetLimit *engine.Limit `yaml:"set-limit" json:"set_limit,omitempty"`
}

// Defaults of what a plan leaves out.
var defaults = Plan{Limit: engine.PerSecond(100, engine.Burst(200)), Keys: 100_000, Goroutines: 4}

var phaseDefaults = Phase{Arrivals: "poisson", Burst: 100, Dist: "zipf", Skew: 1.1, HotShare: 0.5, Cost: Cost{1, 1}}

// WithDefaults fills in what is zero.
func (p Plan) WithDefaults() Plan {
	setIfZero(&p.Limit, defaults.Limit)
	setIfZero(&p.Keys, defaults.Keys)
	setIfZero(&p.Goroutines, defaults.Goroutines)
	setIfZero(&p.MaxKeys, max(2*p.Keys, engine.DefaultMaxKeys))
	phases := make([]Phase, len(p.Phases))
	for i, ph := range p.Phases {
		setIfZero(&ph.Name, fmt.Sprintf("phase-%d", i+1))
		setIfZero(&ph.Arrivals, phaseDefaults.Arrivals)
		setIfZero(&ph.Burst, phaseDefaults.Burst)
		setIfZero(&ph.Dist, phaseDefaults.Dist)
		setIfZero(&ph.Skew, phaseDefaults.Skew)
		setIfZero(&ph.HotShare, phaseDefaults.HotShare)
		setIfZero(&ph.Cost, phaseDefaults.Cost)
		if ph.Duration == 0 && ph.Requests == 0 {
			ph.Duration = 5 * time.Second
		}
		phases[i] = ph
	}
	p.Phases = phases
	return p
}

func setIfZero[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}

// Validate returns nil, or an error that says what to write instead. It is for
// plans with their defaults.
func (p Plan) Validate() error {
	switch {
	case p.Keys < 1 || p.Keys > MaxKeys:
		return fmt.Errorf("keys %d must be from 1 to %d; write for example 100000", p.Keys, MaxKeys)
	case p.MaxKeys < 1:
		return fmt.Errorf("max-keys %d must be positive; write for example 1000000", p.MaxKeys)
	case p.SweepEvery < 0:
		return fmt.Errorf("sweep-every %v must not be negative; write for example 1s", p.SweepEvery)
	case p.Goroutines < 1 || p.Goroutines > MaxGoroutines:
		return fmt.Errorf("goroutines %d must be from 1 to %d; write for example 4", p.Goroutines, MaxGoroutines)
	case p.Procs < 0 || p.Procs > MaxGoroutines:
		return fmt.Errorf("procs %d must be from 1 to %d, or 0 to leave GOMAXPROCS alone", p.Procs, MaxGoroutines)
	case len(p.Phases) == 0:
		return fmt.Errorf("no phases; write at least one, such as {name: steady, duration: 5s}")
	}
	if err := p.Limit.Validate(); err != nil {
		return fmt.Errorf("%w; write another limit", err)
	}
	for _, ph := range p.Phases {
		if err := ph.validate(p.Clock); err != nil {
			return fmt.Errorf("phase %s: %w", ph.Name, err)
		}
	}
	return nil
}

func (ph Phase) validate(clock Clock) error {
	switch {
	case ph.Duration < 0:
		return fmt.Errorf("duration %v must be positive; write for example 5s", ph.Duration)
	case ph.Requests < 0:
		return fmt.Errorf("requests %d must not be negative; write for example 1000000", ph.Requests)
	case !(ph.Rate >= 0 && ph.Rate <= MaxRate):
		return fmt.Errorf("rate %v must be from 0 (as fast as it goes) to %v requests a second; write for example 50000", ph.Rate, MaxRate)
	case ph.Rate == 0 && clock.Virtual:
		return fmt.Errorf("the virtual clock needs a rate, to know when requests come; write for example rate 50000")
	case ph.Arrivals != "poisson" && ph.Arrivals != "even" && ph.Arrivals != "bursts":
		return fmt.Errorf("arrivals %q must be poisson, even or bursts", ph.Arrivals)
	case ph.Burst < 1 || ph.Burst > math.MaxInt32:
		return fmt.Errorf("burst %d must be positive; write for example 100", ph.Burst)
	case ph.Dist != "zipf" && ph.Dist != "uniform" && ph.Dist != "hot":
		return fmt.Errorf("dist %q must be zipf, uniform or hot", ph.Dist)
	case !(ph.Skew > 1 && ph.Skew <= 100):
		return fmt.Errorf("skew %v must be above 1 and at most 100; write for example 1.1", ph.Skew)
	case !(ph.HotShare > 0 && ph.HotShare <= 1):
		return fmt.Errorf("hot-share %v must be above 0 and at most 1; write for example 0.5", ph.HotShare)
	case !(ph.NewKeys >= 0 && ph.NewKeys <= 1):
		return fmt.Errorf("new-keys %v must be from 0 to 1; write for example 0.9", ph.NewKeys)
	}
	if ph.SetLimit != nil {
		if err := ph.SetLimit.Validate(); err != nil {
			return fmt.Errorf("set-limit: %w; write another limit", err)
		}
	}
	return nil
}
