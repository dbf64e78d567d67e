package report

import (
	"embed"
	"html/template"
	"io"
	"math"
	"strconv"
)

// Page is a report with charts.
type Page struct {
	Title    string
	Subtitle string
	// Verdict is the most important sentence; OK says whether it is good news.
	Verdict string
	OK      bool
	Facts   [][2]string
	Charts  []Chart
	Grids   []Grid
}

// Chart has one row of X for all of its series.
type Chart struct {
	Title  string   `json:"title"`
	Note   string   `json:"note"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	At     []float  `json:"at"`
	Series []Series `json:"series"`
	// Marks are named instants of X, where a phase begins.
	Marks []Mark `json:"marks"`
	// Group is a headline under which small charts stand side by side.
	Group string `json:"group"`
}

// Axis says what the numbers are; Unit is s, ns, bytes, % or "" for a count.
type Axis struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Log   bool   `json:"log"`
}

// Series is a line, an area, steps, bars or points. Role chooses the color, which
// is the same in all charts: admitted, denied, allowed, asked, or a number from 1.
type Series struct {
	Name   string  `json:"name"`
	Role   string  `json:"role"`
	Kind   string  `json:"kind"`
	Values []float `json:"values"`
}

// Mark names an instant.
type Mark struct {
	At   float64 `json:"at"`
	Name string  `json:"name"`
}

// float is NaN where there is no value, which JSON cannot say but by null.
type float float64

// MarshalJSON writes numbers, or null.
func (f float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(f), 'g', 6, 64), nil
}

//go:embed assets
var assets embed.FS

func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

var pageTemplate = template.Must(template.New("page").Parse(asset("page.html")))

// HTML writes the page in one file: styles, script and data are inside.
func HTML(w io.Writer, p Page) error {
	return pageTemplate.Execute(w, map[string]any{
		"Page":    p,
		"Styles":  template.CSS(asset("uPlot.min.css") + asset("page.css")),
		"License": template.JS("/*\n" + asset("uPlot.LICENSE") + "*/"),
		"Plot":    template.JS(asset("uPlot.iife.min.js")),
		"Script":  template.JS(asset("page.js")),
	})
}
