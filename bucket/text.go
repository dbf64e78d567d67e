package bucket

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

var algorithmNames = [...]string{"", "token", "leaky", "fixed", "counter", "log"}

// String returns the name that the text form of a limit uses.
func (a Algorithm) String() string {
	if a >= TokenBucketAlgorithm && int(a) < len(algorithmNames) {
		return algorithmNames[a]
	}
	return "algorithm(" + strconv.Itoa(int(a)) + ")"
}

// String returns the text form, such as "token:100/s,burst=20" or "log:5/10m".
// Parse reads it back to an equal limit.
func (l Limit) String() string {
	s := l.Algorithm.String() + ":" + strconv.FormatInt(l.Tokens, 10) + "/" + periodText(l.Period)
	if l.Burst != 0 {
		s += ",burst=" + strconv.FormatInt(l.Burst, 10)
	}
	return s
}

// Parse reads the text form
//
//	[token|leaky|fixed|counter|log] ":" tokens "/" period [",burst=" n]
//
// where period is a Go duration, a number of days ("7d"), or a unit alone
// ("s" is "1s"). Without a name it is a token bucket. The limit is validated.
func Parse(text string) (Limit, error) {
	l, err := parse(text)
	if err != nil {
		return Limit{}, fmt.Errorf("limit64: limit %q: %w", text, err)
	}
	if err := l.Validate(); err != nil {
		return Limit{}, err
	}
	return l, nil
}

// MarshalText implements encoding.TextMarshaler.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; on error l is unchanged.
func (l *Limit) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err == nil {
		*l = parsed
	}
	return err
}

func parse(text string) (l Limit, err error) {
	name, rest, named := strings.Cut(text, ":")
	if !named {
		name, rest = "token", text
	}
	if l.Algorithm = algorithmNamed(name); l.Algorithm == 0 {
		return l, fmt.Errorf("unknown algorithm %q (want token, leaky, fixed, counter or log)", name)
	}
	rest, burst, hasBurst := strings.Cut(rest, ",burst=")
	if hasBurst {
		if l.Burst, err = strconv.ParseInt(burst, 10, 64); err != nil {
			return l, fmt.Errorf("burst %q is not a whole number", burst)
		}
		if l.Burst <= 0 {
			return l, fmt.Errorf("burst %d must be positive", l.Burst)
		}
	}
	tokens, period, found := strings.Cut(rest, "/")
	if !found {
		return l, fmt.Errorf("%q is not tokens/period, such as 100/s", rest)
	}
	if l.Tokens, err = strconv.ParseInt(tokens, 10, 64); err != nil {
		return l, fmt.Errorf("tokens %q is not a whole number", tokens)
	}
	if l.Period, err = parsePeriod(period); err != nil {
		return l, err
	}
	return l, nil
}

func algorithmNamed(name string) Algorithm {
	for a, n := range algorithmNames {
		if n == name && n != "" {
			return Algorithm(a)
		}
	}
	return 0
}

func parsePeriod(text string) (time.Duration, error) {
	if text != "" && (text[0] < '0' || text[0] > '9') {
		text = "1" + text
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseInt(days, 10, 32)
		if err != nil || n > int64(MaxPeriod/day) {
			return 0, fmt.Errorf("period %q is not a whole number of days up to %d", text, MaxPeriod/day)
		}
		return time.Duration(n) * day, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("period %q is not a duration, such as s, 10m or 7d", text)
	}
	return d, nil
}

// periodText is the shortest text that parsePeriod reads back to d.
func periodText(d time.Duration) string {
	for _, u := range [...]struct {
		unit time.Duration
		name string
	}{{day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if d == u.unit {
			return u.name
		}
		if d > 0 && d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	return d.String()
}
