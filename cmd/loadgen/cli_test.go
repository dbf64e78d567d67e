package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWrongArguments(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, want string }{
		{"", "write loadgen demo, or loadgen replay FILE"},
		{"serve", "write loadgen demo, or loadgen replay FILE"},
		{"demo -speed 3", "unknown flag"},
		{"demo -duration soon", "write for example: loadgen demo -duration 5s"},
		{"demo -duration 0s", "write for example -duration 5s"},
		{"demo -requests -1", "-requests"},
		{"demo -keys 0", "write for example -keys 100000"},
		{"demo -goroutines 0", "write for example -goroutines 4"},
		{"demo -skew 1", "write for example -skew 1.1"},
		{"demo -skew NaN", "write for example -skew 1.1"},
		{"demo -clock sundial", `must be one of "exact","coarse"`},
		{"demo -limit 0/s", "tokens must be positive"},
		{"demo -limit log:1000000000/s", "tokens in one window"},
		{"replay", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay -", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay - -limit often", "write for example: loadgen replay access.log -limit token:60/m,burst=20"},
		{"replay - -limit 5/s -key user", `must be one of "ip","path","ip+path"`},
		{"replay - -limit 5/s -window=-1s", "write for example -window 1m"},
		{"replay - -limit 5/s -top=-1", "write 0 to show all"},
		{"replay - -limit 5/s -broken=-1", "write 0 to show none"},
		{"replay - -limit 5/s -max-keys 0", "write for example -max-keys"},
		{"replay " + dir + "/none -limit 5/s", "write the path of an access log, or - for standard input"},
		{"replay " + dir + " -limit 5/s", "is a directory"},
	} {
		code, out, errs := call(newEngine, "", strings.Fields(c.args)...)
		assert.Equal(t, exitUsage, code, c.args)
		assert.Contains(t, errs, c.want, c.args)
		assert.True(t, strings.HasPrefix(errs, "loadgen: "), errs)
		assert.Empty(t, out, c.args)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range []string{"-help", "--help", "-h", "demo -help", "replay --help"} {
		code, out, errs := call(newEngine, "", strings.Fields(args)...)
		assert.Zero(t, code, args)
		assert.Contains(t, out, "Usage: loadgen", args)
		assert.Empty(t, errs, args)
	}
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
	assert.Zero(t, run([]string{"replay", "-", "--limit", "5/s"}, strings.NewReader(""), &out, &errs))
	assert.Contains(t, out.String(), "0 requests")
	assert.Empty(t, errs.String())
}
