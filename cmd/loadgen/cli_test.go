package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/limit64/limit64/cmd/loadgen/scenarios"
	"github.com/limit64/limit64/engine"
)

func TestWrongArguments(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"", "write loadgen demo, loadgen run"},
		{"serve", "write loadgen demo, loadgen run"},
		{"run -speeed 3", "write for example: loadgen run"},
		{"run -duration soon", "write for example: loadgen run"},
		{"run -duration -1s", "write for example 5s"},
		{"run -requests -1", "write for example 1000000"},
		{"run -keys -1", "write for example 100000"},
		{"run -keys 60000000", "from 1 to 50000000"},
		{"run -goroutines -1", "write for example 4"},
		{"run -rate NaN", "write for example 50000"},
		{"run -clock virtual", "write for example rate 50000"},
		{"run -clock sundial", "must be exact, coarse"},
		{"run -clock coarse:1ns", "write for example coarse:1ms"},
		{"run -arrivals often", "poisson, even or bursts"},
		{"run -dist flat", "zipf, uniform or hot"},
		{"run -skew 1", "write for example 1.1"},
		{"run -n 0", "write for example 1 or 1-10"},
		{"run -top -1", "write 0 to show none"},
		{"run -json -benchfmt", "write one of them"},
		{"run -limit 0/s", "tokens must be positive"},
		{"run -limit log:1000000000/s", "tokens"},
		{"run -scenario nowhere", "one of burst, capacity, change, day, flood, hotkey"},
		{"run -scenario flood -rate 5", "leave -scenario out"},
		{"run -scenario replay.go", "not a scenario"},
		{"run -requests 1 -html " + dir + "/no/such.html", "a directory that exists"},
		{"demo -duration 0s", "write for example -duration 5s"},
		{"demo -keys 0", "write for example -keys 100000"},
		{"demo -limit 0/s", "tokens must be positive"},
		{"suggest", "write for example: loadgen suggest access.log"},
		{"suggest testdata/small.log -refuse 200%", "write for example -refuse 0.1%"},
		{"suggest testdata/small.log -refuse NaN", "write for example -refuse 0.1%"},
		{"suggest testdata/small.log -period 0s", "write for example -period 1m"},
		{"suggest testdata/small.log -period 100000h", "write another -period"},
		{"suggest testdata/small.log -of money", "must be one of"},
		{"replay - -limit 5/s -speed -1", "write for example -speed 60"},
		{"replay - -limit 5/s -limit often", "write for example: loadgen replay"},
		{"replay", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay -", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay - -limit often", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay - -limit 5/s -key user", `must be one of "ip","path","ip+path"`},
		{"replay - -limit 5/s -window -1s", "write for example -window 1m"},
		{"replay - -limit 5/s -top -1", "write 0 to show all"},
		{"replay - -limit 5/s -broken -1", "write 0 to show none"},
		{"replay - -limit 5/s -max-keys 0", "write for example -max-keys"},
		{"replay " + dir + "/none -limit 5/s", "write the path of an access log, or - for standard input"},
		{"replay " + dir + " -limit 5/s", "is a directory"},
	} {
		code, out, errs := call(newEngine, "", strings.Fields(c.args)...)
		assert.Equal(t, exitUsage, code, c.args)
		assert.Contains(t, errs, c.want, c.args)
		assert.True(t, strings.HasPrefix(errs, "loadgen: "), errs)
		if !strings.Contains(c.args, "-html") { // there the report was made
			assert.Empty(t, out, c.args)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range []string{"-help", "--help", "-h", "demo -help", "replay --help", "help", "help run", "help demo boundary"} {
		code, out, errs := call(newEngine, "", strings.Fields(args)...)
		assert.Zero(t, code, args)
		assert.Contains(t, out, "Usage: loadgen", args)
		assert.Empty(t, errs, args)
	}
}

// Each example of the help runs, but for less of everything.
func TestExamplesOfTheHelp(t *testing.T) {
	dir := t.TempDir()
	for name, examples := range map[string][]string{"run": runExamples, "replay": replayExamples, "suggest": suggestExamples, "demo boundary": boundaryExamples} {
		_, help, _ := call(newEngine, "", strings.Fields("help "+name)...)
		for _, e := range examples {
			assert.Contains(t, help, e)
			args := strings.Fields(strings.NewReplacer("access.log.gz", smallLog, "access.log", smallLog, "report.html", dir+"/r.html", "boundary.html", dir+"/b.html",
				"-duration 10s", "-duration 20ms", "-duration 1m", "-duration 20ms", "20000000", "20000", "5000000", "5000", "-rate 50000", "-rate 50000 -requests 1000",
				"-hot-share 1", "-hot-share 1 -requests 5000", "-speed 3600", "-speed 1e9", "-scenario flood", "-scenario "+shortFlood(t, dir)).Replace(e))
			code, out, errs := call(newEngine, "", args[1:]...)
			assert.Zero(t, code, "%s: %s", e, errs)
			assert.NotEmpty(t, out, e)
			assert.Empty(t, errs, "no progress line where it is not a terminal")
		}
	}
}

// shortFlood writes the scenario with a hundredth of its times.
func shortFlood(t *testing.T, dir string) string {
	b, err := scenarios.Files.ReadFile("flood.yaml")
	require.NoError(t, err)
	file := filepath.Join(dir, "flood.yaml")
	require.NoError(t, os.WriteFile(file, regexp.MustCompile(`duration: (\d+)s`).ReplaceAll(b, []byte("duration: ${1}0ms")), 0o600))
	return file
}

func TestDashesOfEveryCommand(t *testing.T) {
	names := flagNames(reflect.TypeFor[cli]())
	for _, n := range []string{"help", "limit", "json", "html", "benchfmt", "scenario", "speed", "refuse", "key", "seed"} {
		assert.True(t, names[n], n)
	}
}

func TestAPanicIsNoSuccess(t *testing.T) {
	assert.Panics(t, func() {
		call(func(engine.Config) (limiter, error) { panic("broken") }, "", "demo")
	})
}

func TestTwoDashes(t *testing.T) {
	known := map[string]bool{"limit": true, "key": true}
	for _, c := range []struct{ args, want string }{
		{"-limit 5/s", "--limit 5/s"},
		{"-limit=5/s --key=ip", "--limit=5/s --key=ip"},
		{"replay - -key ip", "replay - --key ip"},
		{"-other -l -- -limit", "-other -l -- -limit"},
	} {
		assert.Equal(t, c.want, strings.Join(twoDashes(strings.Fields(c.args), known), " "))
	}
}

func TestRunIsTheCommand(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"replay", "-", "--limit", "5/s"}, strings.NewReader(""), &out, &errs))
	assert.Contains(t, out.String(), "0 requests")
	assert.Empty(t, errs.String())
}
