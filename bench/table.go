package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// table is one question: a column for each of the conditions.
type table struct {
	title, note string
	columns     []column
}

type column struct {
	name string
	what row
}

// tables are the questions that the report answers, as far as rows do.
func tables(keys, goroutines []int) []table {
	byKeys := func(measure, dist, outcome string, keys []int) (cs []column) {
		for _, n := range keys {
			g := 0
			if dist != "" {
				g = 1
			}
			cs = append(cs, column{si(n) + " keys", row{measure: measure, keys: n, dist: dist, outcome: outcome, goroutines: g}})
		}
		return cs
	}
	byGoroutines := func(keys int, dist, outcome string) (cs []column) {
		for _, g := range goroutines {
			name := fmt.Sprintf("%s, %d goroutines", outcome, g)
			cs = append(cs, column{name, row{measure: nsPerOp, keys: keys, dist: dist, outcome: outcome, goroutines: g}})
		}
		return cs
	}
	byQuantile := func(measure string) (cs []column) {
		for _, q := range quantiles {
			cs = append(cs, column{fmt.Sprintf("p%g", 100*q), row{measure: measure, quantile: q}})
		}
		return cs
	}
	var memory []column
	for _, m := range []string{bytesPerKey, newKey, collection, pause} {
		for _, c := range byKeys(m, "", admitted, keys) {
			memory = append(memory, column{m + ", " + c.name, c.what})
		}
	}
	ts := []table{
		{"Nanoseconds a decision, admitted, uniform, one goroutine", "", byKeys(nsPerOp, uniform, admitted, keys)},
		{"The same in floors", "The time divided by the floor's in the same round: the only figures to compare between machines.", byKeys(inFloors, uniform, admitted, keys)},
	}
	for _, c := range []struct{ dist, outcome string }{{zipf, admitted}, {uniform, denied}, {uniform, mixed}} {
		ts = append(ts, table{fmt.Sprintf("Nanoseconds a decision, %s, %s, one goroutine", c.outcome, c.dist), "", byKeys(nsPerOp, c.dist, c.outcome, keys)})
	}
	for _, n := range keys {
		what := fmt.Sprintf("Goroutines on %s keys, zipf 1.1", si(n))
		dist := zipf
		if n == 1 {
			what, dist = "Goroutines on one hot key", uniform
		}
		ts = append(ts, table{what, "Nanoseconds of the wall clock a decision.", slices.Concat(byGoroutines(n, dist, admitted), byGoroutines(n, dist, denied))})
	}
	return append(ts,
		table{"Admitted, as a multiple of what the limit allows", fmt.Sprintf(
			"%d goroutines ask for one key of %d tokens, 100,000 a second. More than 1 is wrong; peers that count windows may be one window ahead.",
			hammerers, contended.burst), []column{{"admitted / allowed", row{measure: over}}}},
		table{"Allocations a decision", "", byKeys(allocsPerOp, uniform, admitted, keys)},
		table{"Memory, new keys, garbage collection", "Bytes a key include the key. The floor's row is what the comparison itself keeps.", memory},
		table{"Nanoseconds of a decision while keys flood in", "One goroutine puts new keys in, another times its decisions on one key. The floor's row is the control: reading the clock, and the machine.", byQuantile(flooded)},
		table{"Nanoseconds of a decision while a sweep runs", "Every 20 ms, over keys of which none is idle. Peers that are not listed have no sweep.", byQuantile(swept)},
	)
}

// print writes the table in Markdown, or nothing if rows have none of it.
func (t table) print(w io.Writer, rows []row) {
	cs := slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool {
		return !slices.ContainsFunc(rows, func(r row) bool { return r.what() == c.what })
	})
	if len(cs) == 0 {
		return
	}
	fmt.Fprintf(w, "\n## %s\n\n", t.title)
	if t.note != "" {
		fmt.Fprintf(w, "%s\n\n", t.note)
	}
	fmt.Fprint(w, "| |")
	for _, c := range cs {
		fmt.Fprintf(w, " %s |", c.name)
	}
	fmt.Fprintf(w, "\n| --- |%s\n", strings.Repeat(" --- |", len(cs)))
	for _, p := range peers {
		line, any := "| "+p.name+" |", false
		for _, c := range cs {
			f, ok := figureOf(rows, of(p.name, c.what))
			any = any || ok
			line += " " + f.text(ok) + " |"
		}
		if any {
			fmt.Fprintln(w, line)
		}
	}
}

// text writes the median and, where there is one, the range.
func (f figure) text(ok bool) string {
	switch m, l, h := short(f.median), short(f.low), short(f.high); {
	case !ok:
		return "–"
	case l == h:
		return m
	default:
		return fmt.Sprintf("%s (%s–%s)", m, l, h)
	}
}

// short writes three significant digits, and allocations of less than a
// thousandth as none.
func short(v float64) string {
	switch {
	case v < 0.001:
		return "0"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
