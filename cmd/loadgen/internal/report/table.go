package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/text"
	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
)

// Facts are what a run says about itself, label and value; a fact without a
// label goes on with the one before.
func Facts(r *traffic.Result) [][2]string {
	t, c := r.Total, r.Check
	facts := [][2]string{
		{"traffic", fmt.Sprintf("%s requests for %s of %s keys by %d goroutines on %d processors in %v",
			text.Count(t.Requests), text.Count(int64(c.Asked)), text.Count(int64(r.Plan.Keys)), r.Plan.Goroutines, r.Machine.Procs, text.Short(r.Elapsed))},
		{"seed", fmt.Sprint(r.Plan.Seed)},
		{"clock", r.Plan.Clock.String()},
	}
	if r.Interrupted {
		facts = append(facts, [2]string{"interrupted", "this is what happened until then"})
	}
	facts = append(facts, rate(r)...)
	facts = append(facts,
		[2]string{"limit", fmt.Sprintf("%v for each key: at most %s in %v", r.Plan.Limit, text.Count(c.PerKey), text.Short(r.Elapsed))},
		[2]string{"admitted", text.Share(t.Admitted, t.Requests)},
		[2]string{"denied", text.Share(t.Denied, t.Requests)},
		[2]string{"tokens", fmt.Sprintf("%s admitted, the limit allows at most %s of what was asked for", text.Count(c.Admitted), text.Count(c.Allowed))},
		[2]string{"check", verdict(c)},
	)
	return append(facts, engineFacts(r)...)
}

func rate(r *traffic.Result) (facts [][2]string) {
	t := r.Total
	if r.Plan.Clock.Virtual {
		return [][2]string{{"rate", text.Count(int64(t.PerSecond)) + " requests a second of virtual time; nobody waited, nothing was timed"}}
	}
	facts = [][2]string{{"rate", text.Count(int64(t.PerSecond)) + " requests a second, making and counting them included"}}
	if t.Unmade > 0 {
		facts = append(facts, [2]string{"overloaded", text.Count(t.Unmade) + " more requests were due, but nobody came to make them: the rate is more than the goroutines can do"})
	}
	if t.Latency.Samples == 0 {
		return facts
	}
	facts = append(facts, [2]string{"latency", percentiles(t.Latency)})
	if t.Open {
		return append(facts, [2]string{"", "from the intended instants; the calls alone:"}, [2]string{"", percentiles(t.Call)})
	}
	return append(facts, [2]string{"", fmt.Sprintf("of %s samples; about %v of each is reading the clock", text.Count(t.Latency.Samples), r.ClockCost)})
}

func engineFacts(r *traffic.Result) [][2]string {
	m, e := r.Memory, r.Engine
	facts := [][2]string{
		{"memory", fmt.Sprintf("%s for %s keys held, %.0f bytes a key; the heap's peak, generator included, %s",
			text.Size(max(m.Engine, 0)), text.Count(int64(m.Keys)), m.PerKey(), text.Size(m.Peak))},
		{"pauses", fmt.Sprintf("%d for garbage collection, the longest %v, %v in all", m.Pauses.Count, text.Short(m.Pauses.Max), text.Short(m.Pauses.Total))},
		{"engine", fmt.Sprintf("%s shards, %s splits, %s merges, %s keys forgotten, %s spilled, %s retries",
			text.Count(int64(e.Shards)), text.Count(int64(e.Splits)), text.Count(int64(e.Merges)), text.Count(int64(e.Forgotten)), text.Count(int64(e.Spilled)), text.Count(int64(e.Retries)))},
	}
	if e.Saturated+e.TooLarge > 0 {
		facts = append(facts, [2]string{"", fmt.Sprintf("%s denied because the table was full (max-keys), %s because n is above the capacity", text.Count(int64(e.Saturated)), text.Count(int64(e.TooLarge)))})
	}
	return facts
}

func percentiles(p traffic.Percentiles) string {
	return fmt.Sprintf("50 %% %v, 90 %% %v, 99 %% %v, 99.9 %% %v, 99.99 %% %v, max %v",
		text.Short(p.P50), text.Short(p.P90), text.Short(p.P99), text.Short(p.P999), text.Short(p.P9999), text.Short(p.Max))
}

func verdict(c traffic.Check) string {
	if c.OK() {
		return "ok: no key was admitted more than its limit allows"
	}
	return fmt.Sprintf("FAILED: %s keys were admitted more than their limit allows", text.Count(c.Cheats))
}

// Table writes a run for people.
func Table(w io.Writer, r *traffic.Result) error {
	if err := writeFacts(w, Facts(r)); err != nil {
		return err
	}
	for _, g := range Grids(r) {
		if err := g.write(w); err != nil {
			return err
		}
	}
	return nil
}

func writeFacts(w io.Writer, facts [][2]string) error {
	t := text.Pairs(w)
	for _, f := range facts {
		fmt.Fprintf(t, "%s\t%s\n", f[0], f[1])
	}
	return t.Flush()
}

// Grid is a table with a title; its last column is text, all others are numbers.
type Grid struct {
	Title string
	Head  []string
	Rows  [][]string
	Note  string
}

func (g Grid) write(w io.Writer) error {
	fmt.Fprintf(w, "\n%s:\n", g.Title)
	t := text.Columns(w)
	for _, row := range append([][]string{g.Head}, g.Rows...) {
		last := len(row) - 1
		fmt.Fprintf(t, "%s\t  %s\n", strings.Join(row[:last], "\t"), row[last])
	}
	if err := t.Flush(); err != nil || g.Note == "" {
		return err
	}
	_, err := fmt.Fprintln(w, g.Note)
	return err
}

// Grids are the tables of a run: phases where there are several, the keys that
// were admitted too much, and those that were refused most.
func Grids(r *traffic.Result) (out []Grid) {
	if len(r.Phases) > 1 {
		out = append(out, phases(r))
	}
	if len(r.Check.Worst) > 0 {
		out = append(out, keys("admitted more than the limit allows", r.Check.Worst))
	}
	if len(r.Top) > 0 {
		out = append(out, keys("busiest refused keys, in tokens", r.Top))
	}
	return out
}

func phases(r *traffic.Result) Grid {
	g := Grid{Title: "phases", Head: []string{"time", "requests", "a second", "admitted", "50 %", "99 %", "99.9 %", "max", "phase"}}
	for i, p := range r.Phases {
		name := p.Name
		if l := r.Plan.Phases[i].SetLimit; l != nil {
			name += " (limit " + l.String() + ")"
		}
		if p.Unmade > 0 {
			name += fmt.Sprintf(" (overloaded: %s unmade)", text.Count(p.Unmade))
		}
		g.Rows = append(g.Rows, []string{
			text.Short(p.Elapsed).String(), text.Count(p.Requests), text.Count(int64(p.PerSecond)), text.Percent(p.Admitted, p.Requests),
			timed(p, p.Latency.P50), timed(p, p.Latency.P99), timed(p, p.Latency.P999), timed(p, p.Latency.Max), name,
		})
	}
	return g
}

func timed(p traffic.PhaseResult, d time.Duration) string {
	if p.Latency.Samples == 0 {
		return "-"
	}
	return text.Short(d).String()
}

func keys(title string, keys []traffic.Key) Grid {
	g := Grid{Title: title, Head: []string{"denied", "admitted", "allowed", "key"}}
	for _, k := range keys {
		g.Rows = append(g.Rows, []string{text.Count(k.Denied), text.Count(k.Admitted), text.Count(k.Allowed), k.Name})
	}
	return g
}
