package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// report prints what a run saw.
func (c *demoCmd) report(w io.Writer, r *demoRun) error {
	v := r.verdict
	var denied int64
	for _, k := range r.keys {
		denied += k.denied
	}
	requests := v.admitted + denied
	h := table(w)
	fmt.Fprintf(h, "traffic\t%s requests for %s of %s keys (Zipf, exponent %v) by %d goroutines in %v\n", count(requests),
		count(int64(len(r.keys))), count(int64(c.Keys)), c.Skew, c.Goroutines, r.elapsed.Round(time.Millisecond))
	fmt.Fprintf(h, "seed\t%d\n", c.Seed)
	fmt.Fprintf(h, "rate\t%s requests a second, counting per key included\n", count(int64(float64(requests)/max(r.elapsed, 1).Seconds())))
	fmt.Fprintf(h, "latency\t%s\n", r.percentiles())
	fmt.Fprintf(h, "\tof %s samples, one request in %d; about %v of each is reading the clock\n", count(r.latency.TotalCount()), sampleEvery, r.clockCost)
	fmt.Fprintf(h, "limit\t%v for each key: at most %s in %v\n", c.Limit, count(v.perKey), r.to-r.from)
	fmt.Fprintf(h, "admitted\t%s, the limit allows at most %s of what was asked for\n", share(v.admitted, requests), count(v.allowed))
	fmt.Fprintf(h, "denied\t%s\n", share(denied, requests))
	fmt.Fprintf(h, "check\t%s\n", v)
	if err := h.Flush(); err != nil {
		return err
	}
	if err := keyTable(w, "admitted more than the limit allows", most(v.cheats, c.Top, func(k tally) int64 { return k.admitted }), v.perKey); err != nil {
		return err
	}
	return keyTable(w, "busiest refused keys", most(r.keys, c.Top, func(k tally) int64 { return k.denied }), v.perKey)
}

func (r *demoRun) percentiles() string {
	at := func(p float64) time.Duration { return time.Duration(r.latency.ValueAtQuantile(p)) }
	return fmt.Sprintf("50 %% %v, 90 %% %v, 99 %% %v, 99.9 %% %v, max %v", at(50), at(90), at(99), at(99.9), time.Duration(r.latency.Max()))
}

func (v verdict) String() string {
	if v.ok() {
		return "ok: no key was admitted more than its limit allows"
	}
	return fmt.Sprintf("FAILED: %s keys were admitted more than their limit allows", count(int64(len(v.cheats))))
}

// failure is the error of a run that admitted too much: exit status 1.
func (r *demoRun) failure() error {
	v := r.verdict
	if v.ok() {
		return nil
	}
	worst := most(v.cheats, 1, func(k tally) int64 { return k.admitted })[0]
	return fmt.Errorf("%s keys were admitted more than the limit allows, the worst of them %s: %s instead of at most %s",
		count(int64(len(v.cheats))), worst.key, count(worst.admitted), count(v.perKey))
}

// most returns the n keys of which by is largest, without those of which it is 0.
func most(keys []tally, n int, by func(tally) int64) []tally {
	out := slices.DeleteFunc(slices.Clone(keys), func(k tally) bool { return by(k) == 0 })
	slices.SortFunc(out, func(a, b tally) int {
		return cmp.Or(cmp.Compare(by(b), by(a)), cmp.Compare(a.key, b.key))
	})
	return out[:min(n, len(out))]
}

func keyTable(w io.Writer, title string, keys []tally, bound int64) error {
	if len(keys) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "denied\tadmitted\tallowed\t  key\n")
	for _, k := range keys {
		fmt.Fprintf(t, "%s\t%s\t%s\t  %s\n", count(k.denied), count(k.admitted), count(min(bound, k.admitted+k.denied)), k.key)
	}
	return t.Flush()
}
