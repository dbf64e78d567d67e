package main

import (
	"fmt"
	"io"
	"os"

	"github.com/limit64/limit64/cmd/loadgen/internal/report"
)

// output is how a report is wanted; the flags are the same for all commands.
type output struct {
	JSON bool   `name:"json" help:"Print the report as JSON; durations are nanoseconds."`
	HTML string `name:"html" help:"Write the report to this file too, as one page that needs no network." placeholder:"FILE"`
}

// forms are the forms that a command has of its report.
type forms struct {
	result any
	table  func(io.Writer) error
	page   func() report.Page
}

// write prints the report, and writes the page where one is wanted.
func (o output) write(a *app, f forms) error {
	err := f.table
	if o.JSON {
		err = func(w io.Writer) error { return report.JSON(w, f.result) }
	}
	if err := err(a.stdout); err != nil {
		return err
	}
	if o.HTML == "" {
		return nil
	}
	if err := writeFile(o.HTML, func(w io.Writer) error { return report.HTML(w, f.page()) }); err != nil {
		return usagef("-html: %w; write the name of a file in a directory that exists", err)
	}
	if !o.JSON {
		fmt.Fprintf(a.stdout, "\nThe report with charts is %s.\n", o.HTML)
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
