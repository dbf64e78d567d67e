package main

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/limit64/limit64/cmd/loadgen/scenarios"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

type cli struct {
	Run     runCmd     `cmd:"" help:"Drive the engine with made-up traffic and report what it did."`
	Replay  replayCmd  `cmd:"" help:"Replay an access log and say who would have been refused."`
	Suggest suggestCmd `cmd:"" help:"Find the smallest limits under which an access log would have passed."`
	Demo    struct {
		Traffic  demoCmd     `cmd:"" default:"withargs" help:"Drive the engine as fast as it goes for some seconds (default)."`
		Boundary boundaryCmd `cmd:"" help:"Draw the five algorithms on the classic traffic."`
	} `cmd:"" help:"Show what a limit does, without any choices to make."`
}

const description = `Drives the limit64 engine with traffic.

A limit is written [token|leaky|fixed|counter|log]:TOKENS/PERIOD[,burst=N], such as token:60/m,burst=20 or log:5/10m. Flags may be written with one dash or two. loadgen help COMMAND has examples.`

// usageError is a wrong argument; its text says what to write instead.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (a *app) run(args []string) int {
	code, err := a.dispatch(args)
	if err == nil {
		return code
	}
	fmt.Fprintf(a.stderr, "loadgen: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// exited carries the status out of kong, which calls os.Exit after its help and
// has no other way to stop.
type exited int

func (a *app) dispatch(args []string) (code int, err error) {
	var c cli
	parser, err := kong.New(&c, kong.Name("loadgen"), kong.Description(description), kong.Vars{"scenarios": strings.Join(scenarios.Names(), ", ")},
		kong.Writers(a.stdout, a.stderr), kong.Exit(func(code int) { panic(exited(code)) }))
	if err != nil {
		return 0, err
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exited:
			code, err = int(e), nil
		default:
			panic(e) // not ours: it must not look like success
		}
	}()
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	command, err := parser.Parse(twoDashes(args, flagNames(reflect.TypeOf(c))))
	if err != nil {
		return 0, usagef("%v (%s)", err, hint(args))
	}
	return 0, command.Run(a)
}

// hint names a command line that works, for the command that was meant.
func hint(args []string) string {
	for _, a := range args {
		if e, ok := map[string]string{
			"run": "loadgen run -duration 5s -limit token:100/s,burst=200", "replay": replayExamples[0], "suggest": suggestExamples[0],
			"boundary": boundaryExamples[0], "demo": "loadgen demo -duration 5s -limit token:100/s,burst=200",
		}[a]; ok {
			return "write for example: " + e + "; all flags: loadgen help " + a
		}
	}
	return "write loadgen demo, loadgen run, loadgen replay FILE -limit LIMIT or loadgen suggest FILE; more: loadgen help"
}

// twoDashes turns -name and -name=value into kong's --name for the names it
// knows, and -name -1 into --name=-1, so that a negative number gets an answer of
// its own. Anything else, such as the file name "-", stays as it is.
func twoDashes(args []string, known map[string]bool) []string {
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "-"), "=")
		if strings.HasPrefix(a, "-") && known[name] {
			a = "-" + a
		}
		if len(a) > 1 && a[0] == '-' && '0' <= a[1] && a[1] <= '9' && i > 0 && known[strings.TrimPrefix(args[i-1], "-")] {
			out[len(out)-1] += "=" + a
			continue
		}
		out = append(out, a)
	}
	return out
}

// flagNames collects the flags of all commands.
func flagNames(t reflect.Type) map[string]bool {
	names := map[string]bool{"help": true}
	for i := range t.NumField() {
		f := t.Field(i)
		if name := f.Tag.Get("name"); name != "" {
			names[name] = true
		}
		if _, command := f.Tag.Lookup("cmd"); command || f.Anonymous {
			maps.Copy(names, flagNames(f.Type))
		}
	}
	return names
}
