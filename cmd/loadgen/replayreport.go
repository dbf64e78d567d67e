package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

const nobodyRefused = "Nobody would have been refused."

// report prints what the replay found. It says nothing of how long the replay
// took, so that the same log always gives the same text.
func (c *replayCmd) report(w io.Writer, r *replay) error {
	refused := r.refusedClients()
	head := table(w)
	fmt.Fprintf(head, "log\t%s: %s lines, %s requests, %s broken\n", c.File, count(int64(r.lines)), count(r.admitted+r.refused), count(int64(r.broken)))
	if r.admitted+r.refused > 0 {
		fmt.Fprintf(head, "time\t%s to %s UTC, %v\n", logTime(r.first), logTime(r.last), time.Duration(r.last-r.first))
	}
	fmt.Fprintf(head, "order\tsorted within %v, %s requests came too late for that\n", c.Window, count(r.sorted.late))
	fmt.Fprintf(head, "limit\t%v for each %s\n", c.Limit, c.Key)
	fmt.Fprintf(head, "keys\t%s, of which %s would have been refused something\n", count(int64(len(r.clients))), count(int64(len(refused))))
	fmt.Fprintf(head, "admitted\t%s\n", share(r.admitted, r.admitted+r.refused))
	fmt.Fprintf(head, "refused\t%s\n", share(r.refused, r.admitted+r.refused))
	if err := head.Flush(); err != nil {
		return err
	}
	if r.sorted.late > 0 {
		fmt.Fprintf(w, "\nRequests that came too late were decided at the instant then reached; a larger -window sorts them.\n")
	}
	if r.saturated > 0 {
		fmt.Fprintf(w, "\n%s were refused only because the engine held its most keys; write a larger -max-keys.\n", count(r.saturated))
	}
	c.reportBroken(w, r)
	return c.reportRefused(w, refused)
}

func (c *replayCmd) reportBroken(w io.Writer, r *replay) {
	if r.broken == 0 || c.Broken == 0 {
		return
	}
	fmt.Fprintf(w, "\nbroken lines, which count for nobody:\n")
	for _, bad := range r.brokenLines {
		fmt.Fprintf(w, "  %s: %s\n", printable(bad.Error()), printable(bad.Start))
	}
	if more := r.broken - len(r.brokenLines); more > 0 {
		fmt.Fprintf(w, "  and %s more\n", count(int64(more)))
	}
}

func (c *replayCmd) reportRefused(w io.Writer, refused []*client) error {
	shown := refused
	if c.Top > 0 && len(shown) > c.Top {
		shown = shown[:c.Top]
	}
	if len(shown) == 0 {
		_, err := fmt.Fprintf(w, "\n%s\n", nobodyRefused)
		return err
	}
	fmt.Fprintln(w)
	// Numbers stand right; the key is last, where it may be as long as it is.
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "refused\tof\tfirst refused\tlast refused\tspan\tlongest wait\t  %s\n", c.Key)
	for _, k := range shown {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%v\t%v\t  %s\n", count(k.refused), count(k.requests), logTime(k.firstRefused),
			logTime(k.lastRefused), time.Duration(k.lastRefused-k.firstRefused), k.longestWait, k.key)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := len(refused) - len(shown); more > 0 {
		fmt.Fprintf(w, "and %s more; -top 0 shows all\n", count(int64(more)))
	}
	return nil
}

// refusedClients returns those that were refused something, most refused first.
func (r *replay) refusedClients() []*client {
	var out []*client
	for _, c := range r.clients {
		if c.refused > 0 {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *client) int {
		return cmp.Or(cmp.Compare(b.refused, a.refused), cmp.Compare(a.key, b.key))
	})
	return out
}

func logTime(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.999999999")
}
