package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/boundary"
	"github.com/limit64/limit64/cmd/loadgen/internal/text"
)

// Boundary draws the picture with characters.
func Boundary(w io.Writer, p boundary.Picture) error {
	fmt.Fprintf(w, "Five algorithms, each with %d tokens a %v, on the same three traffics. A column is %v.\n", boundary.Tokens, boundary.Period, boundary.Step)
	for _, t := range p {
		top := slices.Max(t.Asked)
		fmt.Fprintf(w, "\n%s: %s\n", t.Name, t.Note)
		fmt.Fprintf(w, "  %-8s %s  %3d asked\n", "", columns(t.Asked, top), t.Total)
		for _, r := range t.By {
			fmt.Fprintf(w, "  %-8s %s  %3d admitted, at most %d in any %v\n", r.Limit.Algorithm, columns(r.Admitted, top), r.Total, r.Most, boundary.Period)
		}
		fmt.Fprintf(w, "  %-8s %s\n", "", ruler())
	}
	return nil
}

// columns draws counts as blocks of eight heights; nothing is a dot.
func columns(counts []int64, top int64) string {
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune([]rune("▁▂▃▄▅▆▇█")[(8*n+top-1)/top-1])
	}
	return b.String()
}

// ruler marks where windows begin.
func ruler() string {
	var b strings.Builder
	for i := time.Duration(0); i < boundary.Length; i += boundary.Period {
		fmt.Fprintf(&b, "%-*s", int(boundary.Period/boundary.Step), "|"+i.String())
	}
	return strings.TrimRight(b.String(), " ")
}

// BoundaryPage draws the picture as a page.
func BoundaryPage(p boundary.Picture) Page {
	page := Page{Title: "Five algorithms on the same traffic", OK: true,
		Subtitle: fmt.Sprintf("each with %d tokens a %v; grey was asked, blue was admitted, in steps of %v", boundary.Tokens, boundary.Period, boundary.Step),
		Verdict:  "Only the sliding log holds the limit in every second; around the boundary of two windows the fixed window lets twice the limit through."}
	for _, t := range p {
		g := Grid{Title: t.Name, Head: []string{"admitted", "most in any " + boundary.Period.String(), "limit"}}
		for _, r := range t.By {
			page.Charts = append(page.Charts, smallChart(t, r))
			g.Rows = append(g.Rows, []string{text.Share(r.Total, t.Total), fmt.Sprint(r.Most), r.Limit.String()})
		}
		page.Grids = append(page.Grids, g)
	}
	return page
}

func smallChart(t boundary.Traffic, r boundary.Row) Chart {
	c := Chart{Title: fmt.Sprintf("%s: %d admitted, at most %d in any %v", r.Limit.Algorithm, r.Total, r.Most, boundary.Period),
		Group: t.Name + ": " + t.Note, X: Axis{Unit: "s"}}
	asked, admitted := Series{Name: "asked", Role: "asked", Kind: "bars"}, Series{Name: "admitted", Role: "admitted", Kind: "bars"}
	for i := range t.Asked {
		c.At = append(c.At, float((time.Duration(i)*boundary.Step + boundary.Step/2).Seconds()))
		asked.Values = append(asked.Values, float(t.Asked[i]))
		admitted.Values = append(admitted.Values, float(r.Admitted[i]))
	}
	c.Series = []Series{asked, admitted}
	for w := time.Duration(0); w < boundary.Length; w += boundary.Period {
		c.Marks = append(c.Marks, Mark{At: w.Seconds()})
	}
	return c
}
