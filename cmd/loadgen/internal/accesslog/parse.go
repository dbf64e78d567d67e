package accesslog

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// ErrForm is the error of a line that is of no known form at all.
var ErrForm = errors.New(`not a Combined Log Format line (ADDR IDENT USER [TIME] "REQUEST" STATUS BYTES) nor a JSON object`)

const clfTime = "02/Jan/2006:15:04:05 -0700"

// Parse reads one line, without its end.
func Parse(line string) (Entry, error) {
	if text := strings.TrimSpace(line); strings.HasPrefix(text, "{") {
		return parseJSON(text)
	}
	return parseCombined(line)
}

// inRange keeps times whose nanoseconds fit 64 bits: a garbled year would
// otherwise wrap around in any later arithmetic.
func inRange(t time.Time, err error) (time.Time, error) {
	if err != nil {
		return t, errors.New("time is not of a known form")
	}
	if y := t.UTC().Year(); y < 1970 || y > 2261 {
		return t, errors.New("year " + strconv.Itoa(y) + " is outside 1970 to 2261")
	}
	return t, nil
}

// canonicalAddr gives one client one text: 2001:DB8::1 is 2001:db8:0::1, and an
// IPv4 address mapped into IPv6 is the IPv4 address.
func canonicalAddr(s string) string {
	bare := strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	if a, err := netip.ParseAddr(bare); err == nil {
		return a.Unmap().String()
	}
	return orDash(s)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// setRequest splits a request line into the entry.
func (e *Entry) setRequest(request string) {
	e.Method, e.Path, e.Proto = "-", orDash(request), "-"
	parts := strings.Split(request, " ")
	if len(parts) != 3 || !strings.HasPrefix(parts[2], "HTTP/") || parts[0] == "" || parts[1] == "" {
		return
	}
	e.Method, e.Path, e.Proto = parts[0], pathOf(parts[1]), parts[2]
}

// pathOf cuts the query, and the scheme and host that a proxied request has.
func pathOf(target string) string {
	target, _, _ = strings.Cut(target, "?")
	if scheme, rest, ok := strings.Cut(target, "://"); ok && (scheme == "http" || scheme == "https") {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	return orDash(target)
}

// number reads a count that may be "-" or empty.
func number(s string) (int64, error) {
	if s == "" || s == "-" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, errors.New(strconv.Quote(s) + " is not a number")
	}
	return n, nil
}
