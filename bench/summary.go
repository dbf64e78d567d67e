package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// figure is what the rounds of a run said about one thing.
type figure struct{ median, low, high float64 }

// figureOf summarizes the rows that want picks; false if there are none.
func figureOf(rows []row, want func(row) bool) (figure, bool) {
	var vs []float64
	for _, r := range rows {
		if want(r) {
			vs = append(vs, r.value)
		}
	}
	if len(vs) == 0 {
		return figure{}, false
	}
	slices.Sort(vs)
	n := len(vs)
	return figure{(vs[(n-1)/2] + vs[n/2]) / 2, vs[0], vs[n-1]}, true
}

// what a row measures, whoever the peer and whatever the round.
func (r row) what() row {
	r.round, r.peer, r.value = 0, "", 0
	return r
}

// of is the condition that a row measures the same as what, of one peer.
func of(peer string, what row) func(row) bool {
	return func(r row) bool { return r.peer == peer && r.what() == what }
}

// overFloor divides each time per decision by the floor's of the same round: all
// that may be compared between machines.
func overFloor(rows []row) []row {
	type key struct {
		what  row
		round int
	}
	floors := map[key]float64{}
	for _, r := range rows {
		if r.peer == floorName {
			floors[key{r.what(), r.round}] = r.value
		}
	}
	var out []row
	for _, r := range rows {
		if f := floors[key{r.what(), r.round}]; r.measure == nsPerOp && f > 0 {
			r.measure, r.value = inFloors, r.value/f
			out = append(out, r)
		}
	}
	return out
}

// loss is a case in which a peer beats limit64 on its exact clock.
type loss struct {
	what   row
	peer   string
	factor float64 // limit64's median over the peer's
}

// losses lists them, the worst first, for every measure in which less is better.
func losses(rows []row) (lost []loss) {
	seen := map[row]bool{}
	for _, r := range rows {
		what := r.what()
		if seen[what] || r.measure == share || r.measure == over || r.measure == allocsPerOp {
			continue
		}
		seen[what] = true
		our, ok := figureOf(rows, of(exactName, what))
		for _, p := range peers[1:] {
			their, found := figureOf(rows, of(p.name, what))
			if ok && found && p.name != coarseName && their.median > 0 && their.median < our.median {
				lost = append(lost, loss{what, p.name, our.median / their.median})
			}
		}
	}
	slices.SortFunc(lost, func(a, b loss) int { return cmp.Compare(b.factor, a.factor) })
	return lost
}

// String names the conditions of a row.
func (r row) String() string {
	s := r.measure
	if r.keys > 0 {
		s += fmt.Sprintf(", %s keys, %s", si(r.keys), r.outcome)
	}
	if r.dist != "" {
		s += fmt.Sprintf(", %s, %d goroutines", r.dist, r.goroutines)
	}
	if r.quantile > 0 {
		s += fmt.Sprintf(", p%g", 100*r.quantile)
	}
	return s
}

// si writes 1000 as 1e3.
func si(n int) string {
	text := fmt.Sprint(n)
	digits := strings.TrimRight(text, "0")
	if zeros := len(text) - len(digits); zeros >= 3 {
		return fmt.Sprintf("%se%d", digits, zeros)
	}
	return text
}
