package report

import (
	"fmt"
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
)

// Benchfmt writes a run for benchstat, one line a phase. The limit is a line of
// configuration, since a slash in it would look like a sub-benchmark.
func Benchfmt(w io.Writer, r *traffic.Result) error {
	out := benchfmt.NewWriter(w)
	for i, p := range r.Phases {
		if p.Requests == 0 {
			continue
		}
		if err := out.Write(benchResult(r, i, p)); err != nil {
			return err
		}
	}
	return nil
}

func benchResult(r *traffic.Result, i int, p traffic.PhaseResult) *benchfmt.Result {
	ph, m := r.Plan.Phases[i], r.Machine
	res := &benchfmt.Result{
		Name:  benchfmt.Name(fmt.Sprintf("Run/phase=%s/keys=%d/dist=%s/goroutines=%d-%d", name(p.Name), r.Plan.Keys, ph.Dist, r.Plan.Goroutines, m.Procs)),
		Iters: int(p.Requests),
	}
	for _, c := range [][2]string{
		{"goos", m.OS}, {"goarch", m.Arch}, {"pkg", "github.com/limit64/limit64/cmd/loadgen"},
		{"limit", r.Plan.Limit.String()}, {"clock", r.Plan.Clock.String()}, {"seed", fmt.Sprint(r.Plan.Seed)},
	} {
		res.Config = append(res.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
	}
	add := func(value float64, unit string) {
		res.Values = append(res.Values, benchfmt.Value{Value: value, Unit: unit})
	}
	add(float64(p.Elapsed)/float64(p.Requests), "ns/op")
	if l := p.Latency; l.Samples > 0 {
		add(float64(l.P50), "p50-ns")
		add(float64(l.P99), "p99-ns")
		add(float64(l.P9999), "p99.99-ns")
	}
	add(float64(p.Admitted)/float64(p.Requests), "admitted/op")
	add(r.Memory.PerKey(), "B/key")
	return res
}

// name keeps what a sub-benchmark may be called.
func name(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r <= ' ' || r == '/' || r == '=' {
			out[i] = '_'
		}
	}
	return string(out)
}
