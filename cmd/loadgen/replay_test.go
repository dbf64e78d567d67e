package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

const smallLog = "testdata/small.log"

func TestReplayReports(t *testing.T) {
	for name, args := range map[string]string{
		"ip":      "-limit token:60/m,burst=20",
		"path":    "-limit fixed:60/m -key path -broken 1",
		"ip+path": "-limit log:60/m -key ip+path -top 1 -broken 0",
		"window":  "-limit counter:60/m -window 10m -broken 0",
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call(newEngine, "", append(strings.Fields("replay "+args), smallLog)...)
			require.Zero(t, code, errs)
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(out), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), out)
		})
	}
}

func TestReplayReadsStandardInputAndGzip(t *testing.T) {
	plain, err := os.ReadFile(smallLog)
	require.NoError(t, err)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write(plain)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	file := filepath.Join(t.TempDir(), "small.log.gz")
	require.NoError(t, os.WriteFile(file, zipped.Bytes(), 0o600))

	_, want, _ := call(newEngine, string(plain), "replay", "-", "-limit", "60/m")
	_, out, _ := call(newEngine, zipped.String(), "replay", "-", "-limit", "60/m")
	assert.Equal(t, want, out)
	_, out, _ = call(newEngine, "", "replay", file, "-limit", "60/m")
	assert.Equal(t, want, strings.Replace(out, file, "-", 1))

	code, _, errs := call(newEngine, zipped.String()[:zipped.Len()/2], "replay", "-", "-limit", "60/m")
	assert.Equal(t, exitFailed, code)
	assert.Regexp(t, `^loadgen: -: after line \d+: unexpected EOF\n$`, errs)
}

func TestReplayOfNothingButBrokenLines(t *testing.T) {
	code, _, errs := call(newEngine, "\nx y\nz\n", "replay", "-", "-limit", "60/m", "-broken", "0")
	assert.Equal(t, exitFailed, code)
	assert.Contains(t, errs, "none of 2 lines is in Combined Log Format")
	assert.Contains(t, errs, "line 2: ")

	code, out, _ := call(newEngine, "x\n"+clf("198.18.0.1", 1), "replay", "-", "-limit", "60/m")
	assert.Zero(t, code)
	assert.Contains(t, out, "1 requests, 1 broken")
}

func TestReplayCountsAnEngineThatIsFull(t *testing.T) {
	var log strings.Builder
	for i := range 5000 {
		log.WriteString(clf(fmt.Sprintf("198.18.%d.%d", i/200, i%200), 1))
	}
	code, out, _ := call(newEngine, log.String(), "replay", "-", "-limit", "60/m", "-max-keys", "1000")
	assert.Zero(t, code)
	assert.Contains(t, out, "write a larger -max-keys")
}

// clf is one line of an address, so many seconds into the log.
func clf(addr string, second int) string {
	return fmt.Sprintf("%s - - [17/May/2015:10:05:%02d +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"\n", addr, second)
}

// What the real logs say is checked against facts that cut and sort can tell.
func TestReplayOfRealLogs(t *testing.T) {
	for _, c := range []struct {
		file      string
		lines     string
		busiest   string // "" where the file's facts are not known
		ofBusiest string
	}{
		{"access-combined.log", "10,000", "198.18.251.191", "482"},
		{"access-nginx.jsonl", "2,000", "", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join("..", "..", "..", "shared", "data", c.file)
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the recorded log is not here, only beside the project: %v", err)
			}
			// One token a year refuses all but the first of each client.
			code, out, errs := call(newEngine, "", "replay", path, "-limit", "token:1/365d,burst=1", "-top", "0")
			require.Zero(t, code, errs)
			assert.Contains(t, out, c.lines+" lines, "+c.lines+" requests, 0 broken")
			assert.Contains(t, out, "sorted within 1m0s, 0 requests came too late", "the default window is enough")
			if c.busiest != "" {
				assert.Regexp(t, `481 +`+c.ofBusiest+` .* `+regexp.QuoteMeta(c.busiest)+`\n`, out)
			}
		})
	}
}
