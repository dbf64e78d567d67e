package accesslog

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	goodLine = `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`
	jsonLog  = `{"time_iso8601":"2015-05-17T10:05:03+00:00","remote_addr":"198.18.0.2","request":"GET /b HTTP/1.1"}`
)

// readAll returns the paths read, with "!" and the line for a broken line.
func readAll(t *testing.T, r io.Reader) (got []string, broken []int) {
	t.Helper()
	in, err := NewReader(r)
	require.NoError(t, err)
	for {
		e, err := in.Next()
		var bad *LineError
		switch {
		case err == io.EOF:
			return got, broken
		case errors.As(err, &bad):
			broken = append(broken, bad.Line)
		default:
			require.NoError(t, err)
			got = append(got, e.Path)
		}
	}
}

func TestReaderDetectsEachLine(t *testing.T) {
	got, broken := readAll(t, strings.NewReader(goodLine+"\r\n\n  \n"+jsonLog+"\nnonsense\n"+goodLine))
	assert.Equal(t, []string{"/a", "/b", "/a"}, got)
	assert.Equal(t, []int{5}, broken)
}

func TestReaderSaysHowABrokenLineBegins(t *testing.T) {
	in, err := NewReader(strings.NewReader(strings.Repeat("x", 100) + "\n"))
	require.NoError(t, err)
	_, err = in.Next()
	var bad *LineError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, strings.Repeat("x", startBytes), bad.Start)
	assert.ErrorContains(t, err, "line 1: ")
}

func TestReaderEmpty(t *testing.T) {
	for _, text := range []string{"", "\n", "\n\n", "\xef\xbb\xbf"} {
		got, broken := readAll(t, strings.NewReader(text))
		assert.Empty(t, got)
		assert.Empty(t, broken)
	}
}

func TestReaderByteOrderMark(t *testing.T) {
	got, _ := readAll(t, strings.NewReader("\xef\xbb\xbf"+jsonLog))
	assert.Equal(t, []string{"/b"}, got)
}

func TestReaderGzipOfSeveralMembers(t *testing.T) {
	var b bytes.Buffer
	for range 2 {
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, goodLine+"\n")
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	whole := b.Bytes()
	got, _ := readAll(t, bytes.NewReader(whole))
	assert.Equal(t, []string{"/a", "/a"}, got)

	in, err := NewReader(bytes.NewReader(whole[:len(whole)-4]))
	require.NoError(t, err)
	for err == nil {
		_, err = in.Next()
	}
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "a cut file is not the end")
}

func TestReaderLongLines(t *testing.T) {
	pad := func(n int) string { // a good line of n bytes
		return goodLine[:len(goodLine)-1] + strings.Repeat("x", n-len(goodLine)) + `"`
	}
	text := pad(MaxLine) + "\n" + pad(MaxLine+1) + "\n" + pad(3*MaxLine) + "\n" + goodLine + "\n" + pad(64<<10)
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)),
	} {
		got, broken := readAll(t, r)
		assert.Len(t, got, 3, name)
		assert.Equal(t, []int{2, 3}, broken, name)
	}
}

func TestReaderPassesErrorsOn(t *testing.T) {
	want := errors.New("disk")
	in, err := NewReader(io.MultiReader(strings.NewReader(goodLine+"\n"), iotest.ErrReader(want)))
	require.NoError(t, err)
	_, err = in.Next()
	require.NoError(t, err)
	_, err = in.Next()
	assert.ErrorIs(t, err, want)
}
