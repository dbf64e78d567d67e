package bucket_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/stretchr/testify/require"
)

func TestLimitText(t *testing.T) {
	for _, row := range []struct {
		text, canonical string
		limit           bucket.Limit
	}{
		{"token:100/s,burst=20", "", bucket.PerSecond(100, bucket.Burst(20))},
		{"log:5/10m", "", bucket.SlidingLog(5, 10*time.Minute)},
		{"leaky:3/2h", "", bucket.LeakyBucket(3, 2*time.Hour)},
		{"fixed:1000/d", "", bucket.FixedWindow(1000, 24*time.Hour)},
		{"counter:9/7d", "", bucket.SlidingCounter(9, 7*24*time.Hour)},
		{"token:1/3.3s", "", bucket.Every(3300 * time.Millisecond)},
		{"token:1/1ns", "", bucket.Every(1)},
		{"60/m", "token:60/m", bucket.PerMinute(60)},
		{"token:5/60s", "token:5/m", bucket.PerMinute(5)},
		{"token:5/24h", "token:5/d", bucket.TokenBucket(5, 24*time.Hour)},
		{"token:5/90m", "", bucket.TokenBucket(5, 90*time.Minute)},
		{"token:5/1m0.5s", "token:5/1m0.5s", bucket.TokenBucket(5, 60500*time.Millisecond)},
		{"token:5/ms", "token:5/1ms", bucket.TokenBucket(5, time.Millisecond)},
		{"3/h", "token:3/h", bucket.PerHour(3)},
	} {
		l, err := bucket.Parse(row.text)
		require.NoError(t, err, row.text)
		require.Equal(t, row.limit, l)
		if row.canonical == "" {
			row.canonical = row.text
		}
		require.Equal(t, row.canonical, l.String())
	}
}

func TestLimitTextErrorsSayWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `"" is not tokens/period`,
		"100":                   `"100" is not tokens/period`,
		"bucket:1/s":            `unknown algorithm "bucket"`,
		":1/s":                  `unknown algorithm ""`,
		"token:x/s":             `tokens "x"`,
		"token:1.5/s":           `tokens "1.5"`,
		"token:NaN/s":           `tokens "NaN"`,
		"token:1/fortnight":     `period "1fortnight"`,
		"token:1/":              `period ""`,
		"token:1/99999999999d":  `period "99999999999d"`,
		"token:1/s,burst=0":     `burst 0 must be positive`,
		"token:1/s,burst=-1":    `burst -1 must be positive`,
		"token:1/s,burst=Inf":   `burst "Inf"`,
		"token:0/s":             `limit 0 per 1s: tokens must be positive`,
		"token:-1/s":            `limit -1 per 1s: tokens must be positive`,
		"token:1/0s":            `limit 1 per 0s: period must be positive`,
		"token:2000000000/s":    `rate is above 1000000000 tokens a second`,
		"token:10/5ns":          `rate is above`,
		"token:1/400d":          `rate is below one token in`,
		"token:9/30000d":        `period "30000d" is not a whole number of days up to 26687`,
		"token:9/700000h":       `period is longer than`,
		"fixed:5/s,burst=9":     `burst 9: a window has no burst`,
		"log:200000000/s":       `more than 134217728 tokens`,
		"token:1/d,burst=99999": `takes longer than`,
	} {
		l, err := bucket.Parse(text)
		require.ErrorContains(t, err, want, text)
		require.True(t, strings.HasPrefix(err.Error(), "limit64: limit "), err)
		require.Zero(t, l)
	}
}

func TestValidateNamesTheValue(t *testing.T) {
	for _, row := range []struct {
		l    bucket.Limit
		want string
	}{
		{bucket.Limit{}, "unknown algorithm 0"},
		{bucket.TokenBucket(10, 0), "limit64: limit 10 per 0s: period must be positive"},
		{bucket.TokenBucket(10, -1), "limit 10 per -1ns: period"},
		{bucket.PerSecond(1, bucket.Burst(-1)), "burst -1 must not be negative"},
		{bucket.PerSecond(1_000_000_000, bucket.Burst(1<<60+1)), "burst 1152921504606846977 is above"},
		{bucket.FixedWindow(1<<60+1, bucket.MaxPeriod), "more than 1152921504606846976 tokens"},
		{bucket.SlidingCounter(1<<42+1, time.Hour*10000), "more than 4398046511104 tokens"},
	} {
		require.ErrorContains(t, row.l.Validate(), row.want)
		_, err := bucket.NewCell(row.l)
		require.ErrorContains(t, err, row.want)
		_, err = bucket.NewRule(row.l)
		require.ErrorContains(t, err, row.want)
	}
	_, err := bucket.NewRule(bucket.SlidingLog(1, time.Second))
	require.ErrorContains(t, err, "does not fit a word")
}

func TestLimitInJSON(t *testing.T) {
	var config struct{ Login bucket.Limit }
	require.NoError(t, json.Unmarshal([]byte(`{"Login": "log:5/10m"}`), &config))
	require.Equal(t, bucket.SlidingLog(5, 10*time.Minute), config.Login)
	require.Error(t, json.Unmarshal([]byte(`{"Login": "log:5/0s"}`), &config))
	require.Equal(t, bucket.SlidingLog(5, 10*time.Minute), config.Login, "an error changes nothing")
	text, err := json.Marshal(config)
	require.NoError(t, err)
	require.JSONEq(t, `{"Login": "log:5/10m"}`, string(text))
}

func TestNames(t *testing.T) {
	require.Equal(t, "algorithm(9)", bucket.Algorithm(9).String())
	require.Equal(t, "too large", bucket.TooLarge.String())
	require.Equal(t, "unknown reason", bucket.Reason(99).String())
}

func FuzzLimitText(f *testing.F) {
	for _, l := range everyLimit() {
		f.Add(l.String())
	}
	for _, s := range []string{"100/s", "token:1/1h1m1.000000001s,burst=7", "log:5/\u00b5s", "fixed:1/-1s", "counter:/d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := bucket.Parse(text)
		if err != nil {
			require.Zero(t, l)
			return
		}
		again, err := bucket.Parse(l.String())
		require.NoError(t, err)
		require.Equal(t, l, again)
		c := cellOf(t, l) // what parses can be used
		require.True(t, c.TakeAt(1, math.MaxInt64).OK)
	})
}
