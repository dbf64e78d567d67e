package main

import (
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// chart draws one line for each peer over a row of columns, both axes
// logarithmic where the columns are numbers.
type chart struct {
	file, title, x, y string
	ticks             []string
	columns           []row
}

// charts are the pictures of the report.
func charts(keys, goroutines []int) []chart {
	takes := chart{file: "keys.svg", title: "One decision, admitted, uniform keys, one goroutine", x: "keys", y: nsPerOp}
	memory := chart{file: "memory.svg", title: "Memory of a key, the key included", x: "keys", y: bytesPerKey}
	for _, n := range keys {
		takes.add(si(n), row{measure: nsPerOp, keys: n, dist: uniform, outcome: admitted, goroutines: 1})
		if n >= 1_000_000 {
			memory.add(si(n), row{measure: bytesPerKey, keys: n, outcome: admitted})
		}
	}
	hot := chart{file: "hot.svg", title: "One hot key, denied", x: "goroutines", y: nsPerOp}
	for _, g := range goroutines {
		hot.add(fmt.Sprint(g), row{measure: nsPerOp, keys: 1, dist: uniform, outcome: denied, goroutines: g})
	}
	stall := chart{file: "flood.svg", title: "One decision while keys flood in", x: "quantile", y: "ns"}
	for _, q := range quantiles {
		stall.add(fmt.Sprintf("p%g", 100*q), row{measure: flooded, quantile: q})
	}
	return []chart{takes, hot, memory, stall}
}

func (c *chart) add(tick string, what row) {
	c.ticks = append(c.ticks, tick)
	c.columns = append(c.columns, what)
}

// draw writes the chart as SVG and reports whether rows had anything for it.
func (c chart) draw(dir string, rows []row) (bool, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	highest := 0.0
	for i, peer := range peers {
		var points plotter.XYs
		for x, what := range c.columns {
			if f, ok := figureOf(rows, of(peer.name, what)); ok && f.median > 0 {
				points = append(points, plotter.XY{X: float64(x), Y: f.median})
				highest = max(highest, f.median)
			}
		}
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return false, err
		}
		line.Color, line.Dashes = plotutil.Color(i), plotutil.Dashes(i/len(plotutil.DefaultColors))
		dots.Color, dots.Shape = plotutil.Color(i), plotutil.Shape(i)
		p.Add(line, dots)
		p.Legend.Add(peer.name, line, dots)
	}
	if highest == 0 {
		return false, nil
	}
	p.NominalX(c.ticks...)
	p.Y.Max = highest * math.Pow(10, 1.2) // room for the legend
	return true, p.Save(8*vg.Inch, 5*vg.Inch, filepath.Join(dir, c.file))
}
