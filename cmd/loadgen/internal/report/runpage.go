package report

import (
	"math"
	"strconv"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/text"
	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
)

// RunPage is the page of a run.
func RunPage(r *traffic.Result) Page {
	p := Page{
		Title:    "limit64 under load: " + r.Plan.Limit.String(),
		Subtitle: text.Count(r.Total.Requests) + " requests in " + text.Short(r.Elapsed).String() + ", seed " + strconv.FormatUint(r.Plan.Seed, 10),
		Verdict:  verdict(r.Check), OK: r.Check.OK(),
		Facts: Facts(r), Grids: Grids(r),
	}
	t := newLine(r)
	p.Charts = []Chart{t.rates(), t.allowed()}
	if r.Total.Latency.Samples > 0 {
		p.Charts = append(p.Charts, t.latency(), latencies(r))
	}
	p.Charts = append(p.Charts, topKeys(r)...)
	if !r.Plan.Clock.Virtual {
		p.Charts = append(p.Charts, t.memory(), t.pauses())
	}
	return p
}

// line is the timeline as charts need it.
type line struct {
	r     *traffic.Result
	at    []float
	marks []Mark
}

func newLine(r *traffic.Result) line {
	t := line{r: r}
	before := -1
	for _, v := range r.Timeline {
		t.at = append(t.at, float(v.At.Seconds()))
		if v.Phase != before && len(r.Phases) > 1 {
			t.marks = append(t.marks, Mark{(v.At - v.Length).Seconds(), r.Phases[v.Phase].Name})
		}
		before = v.Phase
	}
	return t
}

func (t line) series(name, role, kind string, value func(traffic.Interval) float64) Series {
	s := Series{Name: name, Role: role, Kind: kind}
	for _, v := range t.r.Timeline {
		s.Values = append(s.Values, float(value(v)))
	}
	return s
}

func (t line) chart(title, note string, y Axis, series ...Series) Chart {
	return Chart{Title: title, Note: note, X: Axis{Label: "time", Unit: "s"}, Y: y, At: t.at, Series: series, Marks: t.marks}
}

func (t line) rates() Chart {
	return t.chart("Requests a second", "of all keys", Axis{},
		t.series("admitted", "admitted", "area", func(v traffic.Interval) float64 { return v.PerSecond(v.Admitted) }),
		t.series("denied", "denied", "line", func(v traffic.Interval) float64 { return v.PerSecond(v.Denied) }))
}

func (t line) allowed() Chart {
	note := "tokens of the " + text.Count(int64(t.r.Watched)) + " busiest keys since the start; allowed is the most the limit permits of what they asked"
	if t.r.Watched == 1 {
		note = "tokens of the key since the start; allowed is the most the limit permits of what it asked"
	}
	return t.chart("Admitted against the allowed line", note, Axis{Label: "tokens"},
		t.series("admitted", "admitted", "area", func(v traffic.Interval) float64 { return float64(v.WatchedAdmitted) }),
		t.series("allowed", "allowed", "dashed", func(v traffic.Interval) float64 { return float64(v.WatchedAllowed) }))
}

// known is NaN, a gap, where nothing was timed: a log scale has no 0.
func known(d time.Duration) float64 {
	if d == 0 {
		return math.NaN()
	}
	return float64(d)
}

func (t line) latency() Chart {
	note := "of the samples, from call to answer"
	if t.r.Total.Open {
		note = "from the intended instant to the answer"
	}
	return t.chart("Latency over time", note, Axis{Unit: "ns", Log: true},
		t.series("50 %", "admitted", "line", func(v traffic.Interval) float64 { return known(v.P50) }),
		t.series("99 %", "denied", "line", func(v traffic.Interval) float64 { return known(v.P99) }),
		t.series("max", "asked", "line", func(v traffic.Interval) float64 { return known(v.Max) }))
}

func latencies(r *traffic.Result) Chart {
	c := Chart{Title: "Latency distribution", Note: "share of the timed requests in each step; steps grow by a quarter",
		X: Axis{Label: "latency", Unit: "ns", Log: true}, Y: Axis{Unit: "%"}}
	s := Series{Name: "share", Role: "admitted", Kind: "bars"}
	for _, b := range r.Total.Distribution {
		c.At = append(c.At, float(b.To))
		s.Values = append(s.Values, float(100*float64(b.Count)/float64(r.Total.Latency.Samples)))
	}
	c.Series = []Series{s}
	return c
}

// topKeys draws each key that was refused most as two bars on top of each other.
func topKeys(r *traffic.Result) []Chart {
	if len(r.Top) == 0 {
		return nil
	}
	c := Chart{Title: "Busiest refused keys", Note: "tokens; number 1 is " + r.Top[0].Name, X: Axis{Label: "rank"}, Y: Axis{Label: "tokens"}}
	asked, admitted := Series{Name: "asked", Role: "denied", Kind: "bars"}, Series{Name: "admitted", Role: "admitted", Kind: "bars"}
	for i, k := range r.Top {
		c.At = append(c.At, float(i+1))
		asked.Values = append(asked.Values, float(k.Admitted+k.Denied))
		admitted.Values = append(admitted.Values, float(k.Admitted))
	}
	c.Series = []Series{asked, admitted}
	return []Chart{c}
}

func (t line) memory() Chart {
	return t.chart("Heap", "engine and generator, garbage included", Axis{Unit: "bytes"},
		t.series("heap", "admitted", "area", func(v traffic.Interval) float64 { return float64(v.Heap) }))
}

func (t line) pauses() Chart {
	return t.chart("Longest pause for garbage collection", "in each tenth of a second or so; none where there is no point", Axis{Unit: "ns"},
		t.series("pause", "denied", "points", func(v traffic.Interval) float64 { return known(v.Pauses.Max) }))
}
