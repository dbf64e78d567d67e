package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/suggest"
	"github.com/limit64/limit64/cmd/loadgen/internal/text"
)

// Suggest writes suggestions for people.
func Suggest(w io.Writer, about Log, broken int, r *suggest.Result) error {
	if err := writeFacts(w, suggestFacts(about, broken, r)); err != nil {
		return err
	}
	for _, g := range suggestGrids(r) {
		if err := g.write(w); err != nil {
			return err
		}
	}
	if len(r.Suggestions) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nWho that is: loadgen replay %s -key %s -limit %v\n", about.File, about.Key, r.Suggestions[0].Limit)
	return err
}

func suggestFacts(about Log, broken int, r *suggest.Result) [][2]string {
	of := "clients"
	if r.Target.Requests {
		of = "requests"
	}
	facts := [][2]string{
		{"log", fmt.Sprintf("%s: %s requests of %s clients by %s in %v, %s broken lines", about.File, text.Count(r.Requests), text.Count(int64(r.Clients)), about.Key, r.Span, text.Count(int64(broken)))},
		{"target", fmt.Sprintf("at most %v %% of the %s are refused", strconv.FormatFloat(100*r.Target.Share, 'g', 6, 64), of)},
	}
	if r.Interrupted {
		facts = append(facts, [2]string{"interrupted", "these are the limits found until then"})
	}
	return facts
}

func suggestGrids(r *suggest.Result) (out []Grid) {
	for _, of := range byPeriod(r) {
		period := of[0].Limit.Period
		g := Grid{Title: fmt.Sprintf("smallest limits of %v", period), Head: []string{"clients refused", "requests refused", "refuses nobody", "limit"}}
		for _, s := range of {
			g.Rows = append(g.Rows, []string{text.Share(s.Refuses.Clients, int64(r.Clients)), text.Share(s.Refuses.Requests, r.Requests), s.Nobody.String(), s.Limit.String()})
		}
		out = append(out, g, tradeOff(r, of, period))
	}
	return out
}

// tradeOff shows the curves side by side.
func tradeOff(r *suggest.Result, of []suggest.Suggestion, period time.Duration) Grid {
	g := Grid{Title: "trade-off: clients refused something, and requests refused, by the tokens of a limit"}
	for _, s := range of {
		g.Head = append(g.Head, s.Limit.Algorithm.String())
	}
	g.Head = append(g.Head, fmt.Sprintf("tokens / %v", period))
	for i, p := range of[0].Curve {
		var row []string
		for _, s := range of {
			q := s.Curve[i]
			row = append(row, text.Percent(q.Clients, int64(r.Clients))+", "+text.Percent(q.Requests, r.Requests))
		}
		g.Rows = append(g.Rows, append(row, text.Count(p.Tokens)))
	}
	return g
}

// byPeriod groups the suggestions, in their order.
func byPeriod(r *suggest.Result) (out [][]suggest.Suggestion) {
	for i, s := range r.Suggestions {
		if i == 0 || s.Limit.Period != r.Suggestions[i-1].Limit.Period {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// SuggestPage is the page of suggestions.
func SuggestPage(about Log, broken int, r *suggest.Result) Page {
	p := Page{Title: "limit64 suggests: " + about.File, Subtitle: text.Count(r.Requests) + " requests of " + text.Count(int64(r.Clients)) + " clients by " + about.Key,
		OK: true, Facts: suggestFacts(about, broken, r), Grids: suggestGrids(r)}
	if len(r.Suggestions) == 0 {
		p.Verdict = "Interrupted before any limit was found."
		return p
	}
	p.Verdict = "Start with " + r.Suggestions[0].Limit.String()
	for _, of := range byPeriod(r) {
		p.Charts = append(p.Charts,
			curves(of, "Clients refused something", func(x suggest.Point) float64 { return 100 * float64(x.Clients) / float64(r.Clients) }),
			curves(of, "Requests refused", func(x suggest.Point) float64 { return 100 * float64(x.Requests) / float64(r.Requests) }))
	}
	return p
}

// curves draws one line an algorithm. The leaky bucket's is the token bucket's.
func curves(of []suggest.Suggestion, title string, value func(suggest.Point) float64) Chart {
	c := Chart{Title: title, Note: "by tokens a period of " + of[0].Limit.Period.String() + "; token and leaky bucket are one line", X: Axis{Label: "tokens", Log: true}, Y: Axis{Unit: "%"}}
	for _, p := range of[0].Curve {
		c.At = append(c.At, float(p.Tokens))
	}
	for i, s := range of {
		line := Series{Name: s.Limit.Algorithm.String(), Role: fmt.Sprint(i + 1), Kind: "line"}
		for _, p := range s.Curve {
			line.Values = append(line.Values, float(value(p)))
		}
		c.Series = append(c.Series, line)
	}
	return c
}
