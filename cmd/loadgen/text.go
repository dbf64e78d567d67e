package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// table aligns label and value.
func table(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// count writes a number with commas: 1,234,567.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// share writes a part and what percentage of the whole it is.
func share(part, whole int64) string {
	if whole == 0 {
		return count(part)
	}
	return fmt.Sprintf("%s (%.1f %%)", count(part), 100*float64(part)/float64(whole))
}

// printable replaces what a terminal might obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
