// Package text writes numbers and names the way the reports show them.
package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// Pairs aligns label and value.
func Pairs(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// Columns aligns numbers to the right; what may be long belongs in the last column.
func Columns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// Count writes a number with commas: 1,234,567.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Share writes a part and what percentage of the whole it is.
func Share(part, whole int64) string {
	if whole == 0 {
		return Count(part)
	}
	return fmt.Sprintf("%s (%s)", Count(part), Percent(part, whole))
}

// Percent writes what percentage of the whole a part is.
func Percent(part, whole int64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(whole, 1)))
}

// Size writes bytes in the unit that leaves three digits or so: 1.5 MB.
func Size(n int64) string {
	const k = 1000
	switch {
	case n < k:
		return fmt.Sprintf("%d B", n)
	case n < k*k:
		return fmt.Sprintf("%.1f kB", float64(n)/k)
	case n < k*k*k:
		return fmt.Sprintf("%.1f MB", float64(n)/k/k)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/k/k/k)
}

// Short rounds a duration to three digits: 1.23456789s is 1.23s.
func Short(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 || d/unit <= -1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// Printable replaces what a terminal might obey.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
