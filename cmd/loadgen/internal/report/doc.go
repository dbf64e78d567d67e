// Package report shows results: as a table for people, as lines for benchstat, as
// JSON for machines, and as one page of HTML that needs no network.
package report
