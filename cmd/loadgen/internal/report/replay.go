package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
	"github.com/limit64/limit64/cmd/loadgen/internal/replay"
	"github.com/limit64/limit64/cmd/loadgen/internal/text"
)

// Log is what was replayed, and how much of the result to show.
type Log struct {
	File   string
	Key    string
	Window time.Duration
	Top    int // 0 shows all
	Broken []*accesslog.LineError
}

// Replay writes a replay for people.
func Replay(w io.Writer, about Log, r *replay.Result) error {
	if err := writeFacts(w, replayFacts(about, r)); err != nil {
		return err
	}
	if r.Late > 0 {
		fmt.Fprintf(w, "\nRequests that came too late were decided at the instant then reached; a larger -window sorts them.\n")
	}
	for _, l := range r.Limits {
		if l.Saturated > 0 {
			fmt.Fprintf(w, "\n%s were refused only because the engine held its most keys; write a larger -max-keys.\n", text.Count(l.Saturated))
		}
	}
	reportBroken(w, about, r)
	if len(r.Refused) == 0 {
		_, err := fmt.Fprintln(w, "\nNobody would have been refused.")
		return err
	}
	for _, g := range replayGrids(about, r) {
		if err := g.write(w); err != nil {
			return err
		}
	}
	return nil
}

func replayFacts(about Log, r *replay.Result) [][2]string {
	facts := [][2]string{{"log", fmt.Sprintf("%s: %s lines, %s requests, %s broken", about.File, text.Count(int64(r.Lines)), text.Count(r.Requests), text.Count(int64(r.Broken)))}}
	if r.Interrupted {
		facts = append(facts, [2]string{"interrupted", "this is what was decided until then"})
	}
	if r.Requests > 0 {
		facts = append(facts, [2]string{"time", fmt.Sprintf("%s to %s UTC, %v", logTime(r.First), logTime(r.Last), time.Duration(r.Last-r.First))})
	}
	facts = append(facts, [2]string{"order", fmt.Sprintf("sorted within %v, %s requests came too late for that", about.Window, text.Count(r.Late))})
	clients := text.Count(int64(r.Clients))
	if r.Untracked > 0 {
		clients += fmt.Sprintf(" told apart (-max-keys); %s requests were of others", text.Count(r.Untracked))
	}
	if len(r.Limits) > 1 {
		return append(facts, [2]string{"keys", clients})
	}
	l := r.Limits[0]
	return append(facts,
		[2]string{"limit", fmt.Sprintf("%v for each %s", l.Limit, about.Key)},
		[2]string{"keys", fmt.Sprintf("%s, of which %s would have been refused something", clients, text.Count(int64(l.Clients)))},
		[2]string{"admitted", text.Share(r.Requests-l.Refused, r.Requests)},
		[2]string{"refused", text.Share(l.Refused, r.Requests)},
	)
}

func reportBroken(w io.Writer, about Log, r *replay.Result) {
	if len(about.Broken) == 0 {
		return
	}
	fmt.Fprintf(w, "\nbroken lines, which count for nobody:\n")
	for _, bad := range about.Broken {
		fmt.Fprintf(w, "  %s: %s\n", text.Printable(bad.Error()), text.Printable(bad.Start))
	}
	if more := r.Broken - len(about.Broken); more > 0 {
		fmt.Fprintf(w, "  and %s more\n", text.Count(int64(more)))
	}
}

func replayGrids(about Log, r *replay.Result) []Grid {
	if len(r.Limits) == 1 {
		return []Grid{refusedClients(about, r)}
	}
	return []Grid{limits(about, r), differences(about, r)}
}

// shown cuts a list to what is to be shown, and says how much that leaves out.
func shown(clients []replay.Client, top int) ([]replay.Client, string) {
	if top == 0 || len(clients) <= top {
		return clients, ""
	}
	return clients[:top], fmt.Sprintf("and %s more; -top 0 shows all", text.Count(int64(len(clients)-top)))
}

func refusedClients(about Log, r *replay.Result) Grid {
	g := Grid{Title: "refused clients", Head: []string{"refused", "of", "first refused", "last refused", "span", "longest wait", about.Key}}
	clients, note := shown(r.Refused, about.Top)
	for _, k := range clients {
		by := k.By[0]
		g.Rows = append(g.Rows, []string{text.Count(by.Refused), text.Count(k.Requests), logTime(by.First), logTime(by.Last),
			time.Duration(by.Last - by.First).String(), by.LongestWait.String(), k.Key})
	}
	g.Note = note
	return g
}

func limits(about Log, r *replay.Result) Grid {
	g := Grid{Title: "limits side by side", Head: []string{"refused", "share", about.Key + "s refused", "longest wait", "limit"}}
	for _, l := range r.Limits {
		g.Rows = append(g.Rows, []string{text.Count(l.Refused), text.Percent(l.Refused, r.Requests), text.Count(int64(l.Clients)), l.LongestWait.String(), l.Limit.String()})
	}
	return g
}

// differences shows the clients about which the limits differ most.
func differences(about Log, r *replay.Result) Grid {
	g := Grid{Title: "requests refused by each limit, of the clients about which they differ most"}
	for _, l := range r.Limits {
		g.Head = append(g.Head, l.Limit.String())
	}
	g.Head = append(g.Head, "of", about.Key)
	differ := slices.DeleteFunc(slices.Clone(r.Refused), func(c replay.Client) bool { return c.Spread() == 0 })
	slices.SortStableFunc(differ, func(a, b replay.Client) int { return cmp.Compare(b.Spread(), a.Spread()) })
	clients, note := shown(differ, about.Top)
	for _, k := range clients {
		var row []string
		for _, by := range k.By {
			row = append(row, text.Count(by.Refused))
		}
		g.Rows = append(g.Rows, append(row, text.Count(k.Requests), k.Key))
	}
	if g.Note = note; len(differ) == 0 {
		g.Note = "They refuse every client equally much."
	}
	return g
}

func logTime(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.999999999")
}

// ReplayPage is the page of a replay.
func ReplayPage(about Log, r *replay.Result) Page {
	p := Page{Title: "limit64 replay: " + about.File, Subtitle: text.Count(r.Requests) + " requests of " + text.Count(int64(r.Clients)) + " clients by " + about.Key,
		OK: true, Verdict: "Nobody would have been refused.", Facts: replayFacts(about, r)}
	if len(r.Refused) == 0 {
		return p
	}
	p.Verdict = fmt.Sprintf("%s of %s clients would have been refused something", text.Count(int64(len(r.Refused))), text.Count(int64(r.Clients)))
	if len(r.Limits) > 1 {
		p.Verdict += " by at least one of the limits"
	}
	p.Charts = []Chart{refusedOverTime(r), refusedByRank(r)}
	p.Grids = replayGrids(about, r)
	return p
}

func refusedOverTime(r *replay.Result) Chart {
	c := Chart{Title: "Requests and refusals over time", Note: fmt.Sprintf("in each %v since %s UTC", r.Step, logTime(r.First)), X: Axis{Label: "log time", Unit: "s"}}
	all := Series{Name: "requests", Role: "asked", Kind: "area"}
	for i, p := range r.Timeline {
		c.At = append(c.At, float(time.Duration(i)*r.Step)/float(time.Second))
		all.Values = append(all.Values, float(p.Requests))
	}
	c.Series = []Series{all}
	for i, l := range r.Limits {
		s := Series{Name: l.Limit.String(), Role: fmt.Sprint(i + 1), Kind: "line"}
		for _, p := range r.Timeline {
			s.Values = append(s.Values, float(p.Refused[i]))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// refusedByRank draws how much each limit refuses its n-th most refused client.
func refusedByRank(r *replay.Result) Chart {
	c := Chart{Title: "Most refused clients", Note: "requests refused of the n-th most refused client of each limit", X: Axis{Label: "rank"}}
	n := min(len(r.Refused), 50)
	for i := range n {
		c.At = append(c.At, float(i+1))
	}
	for i, l := range r.Limits {
		var refused []int64
		for _, k := range r.Refused {
			refused = append(refused, k.By[i].Refused)
		}
		slices.SortFunc(refused, func(a, b int64) int { return cmp.Compare(b, a) })
		s := Series{Name: l.Limit.String(), Role: fmt.Sprint(i + 1), Kind: "steps"}
		for _, v := range refused[:n] {
			s.Values = append(s.Values, float(v))
		}
		c.Series = append(c.Series, s)
	}
	return c
}
