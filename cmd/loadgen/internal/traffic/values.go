package traffic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/limit64/limit64/engine"
)

// Clock is the text form of an engine's clock: exact, coarse, coarse:100us, or
// virtual, where requests are decided at their intended instants and nobody
// waits. The zero value is exact.
type Clock struct {
	Virtual    bool
	Resolution time.Duration // of a coarse clock; 0 otherwise
}

// UnmarshalText reads the text form; on error c is unchanged.
func (c *Clock) UnmarshalText(text []byte) error {
	switch name, resolution, given := strings.Cut(string(text), ":"); {
	case name == "exact" && !given:
		*c = Clock{}
	case name == "virtual" && !given:
		*c = Clock{Virtual: true}
	case name == "coarse" && !given:
		*c = Clock{Resolution: time.Millisecond}
	case name == "coarse":
		d, err := time.ParseDuration(resolution)
		if err != nil || d < engine.MinResolution {
			return fmt.Errorf("clock %q: the resolution must be a duration of at least %v; write for example coarse:1ms", text, engine.MinResolution)
		}
		*c = Clock{Resolution: d}
	default:
		return fmt.Errorf("clock %q must be exact, coarse, coarse:RESOLUTION or virtual", text)
	}
	return nil
}

// MarshalText returns the text form.
func (c Clock) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func (c Clock) String() string {
	switch {
	case c.Virtual:
		return "virtual"
	case c.Resolution > 0:
		return "coarse:" + c.Resolution.String()
	}
	return "exact"
}

// Engine returns a new clock for an engine.
func (c Clock) Engine() engine.Clock {
	switch {
	case c.Virtual:
		return engine.Manual()
	case c.Resolution > 0:
		return engine.Coarse(c.Resolution)
	}
	return engine.Monotonic()
}

// Cost is how many tokens a request takes, from Min to Max, each as often as any
// other. Its text form is "3" or "1-10".
type Cost struct{ Min, Max int64 }

// UnmarshalText reads the text form; on error c is unchanged.
func (c *Cost) UnmarshalText(text []byte) error {
	low, high, given := strings.Cut(string(text), "-")
	if !given {
		high = low
	}
	least, err1 := strconv.ParseInt(low, 10, 64)
	most, err2 := strconv.ParseInt(high, 10, 64)
	if err1 != nil || err2 != nil || least < 1 || most < least {
		return fmt.Errorf("n %q must be a positive number or a range; write for example 1 or 1-10", text)
	}
	*c = Cost{least, most}
	return nil
}

// MarshalText returns the text form.
func (c Cost) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func (c Cost) String() string {
	if c.Min == c.Max {
		return strconv.FormatInt(c.Min, 10)
	}
	return fmt.Sprintf("%d-%d", c.Min, c.Max)
}

func (c Cost) draw(rng *rand.Rand) int64 {
	if c.Min == c.Max {
		return c.Min
	}
	return c.Min + rng.Int64N(c.Max-c.Min+1)
}
