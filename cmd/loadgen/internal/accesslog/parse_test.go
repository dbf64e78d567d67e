package accesslog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParse(t *testing.T) {
	base := Entry{
		Time: at("2015-05-17T10:05:03Z"), Addr: "198.18.0.1", User: "-",
		Method: "GET", Path: "/a", Proto: "HTTP/1.1", Status: 200, Bytes: 12,
		Referer: "-", UserAgent: "curl",
	}
	with := func(change func(*Entry)) Entry {
		e := base
		change(&e)
		return e
	}
	for _, c := range []struct {
		name, line string
		want       Entry
	}{
		{"combined", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`, base},
		{"common", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12`,
			with(func(e *Entry) { e.UserAgent = "-" })},
		{"more fields", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl" "x" 0.002`, base},
		{"agent cut off", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "cur`,
			with(func(e *Entry) { e.UserAgent = "-" })},
		{"time zone", `198.18.0.1 - - [17/May/2015:12:35:03 +0230] "GET /a HTTP/1.1" 200 12 "-" "curl"`, base},
		{"query dropped", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a?b=c?d HTTP/1.1" 200 12 "-" "curl"`, base},
		{"proxied", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET http://host/a HTTP/1.1" 200 12 "-" "curl"`, base},
		{"no size", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 304 - "-" "curl"`,
			with(func(e *Entry) { e.Status, e.Bytes = 304, 0 })},
		{"user with space and bracket", `198.18.0.1 - a [b] c [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`,
			with(func(e *Entry) { e.User = "a [b] c" })},
		{"escaped quotes", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "a \"b\" \\"`,
			with(func(e *Entry) { e.UserAgent = `a "b" \` })},
		{"escaped backslash before a quote", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "\\" "curl"`,
			with(func(e *Entry) { e.Referer = `\` })},
		{"handshake", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "\x16\x03\x01" 400 0 "-" "-"`,
			with(func(e *Entry) {
				e.Method, e.Path, e.Proto, e.Status, e.Bytes, e.UserAgent = "-", "\x16\x03\x01", "-", 400, 0, "-"
			})},
		{"no request", `198.18.0.1 - - [17/May/2015:10:05:03 +0000] "-" 408 - "-" "-"`,
			with(func(e *Entry) {
				e.Method, e.Path, e.Proto, e.Status, e.Bytes, e.UserAgent = "-", "-", "-", 408, 0, "-"
			})},
		{"IPv6", `2001:DB8:0::1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`,
			with(func(e *Entry) { e.Addr = "2001:db8::1" })},
		{"IPv4 in IPv6", `::ffff:198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`, base},
		{"host name", `host.example - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`,
			with(func(e *Entry) { e.Addr = "host.example" })},
		{"JSON", `{"time_iso8601":"2015-05-17T10:05:03+00:00","remote_addr":"198.18.0.1","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12,"http_user_agent":"curl"}`, base},
		{"JSON of strings", ` {"time_iso8601":"2015-05-17T12:05:03+02:00","remote_addr":"198.18.0.1","request":"GET /a?x HTTP/1.1","status":"200","body_bytes_sent":"12","http_referer":"","http_user_agent":"curl"}`, base},
		{"JSON local time", `{"time_local":"17/May/2015:10:05:03 +0000","remote_addr":"198.18.0.1","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12,"http_user_agent":"curl"}`, base},
		{"JSON msec and uri", `{"msec":1431857103.25,"remote_addr":"198.18.0.1","request_method":"GET","uri":"/a","server_protocol":"HTTP/1.1","status":200,"body_bytes_sent":12,"http_user_agent":"curl"}`,
			with(func(e *Entry) { e.Time = at("2015-05-17T10:05:03.25Z") })},
		{"JSON with nginx's own escapes", `{"time_iso8601":"2015-05-17T10:05:03Z","remote_addr":"198.18.0.1","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12,"http_user_agent":"a \x22b\x22"}`,
			with(func(e *Entry) { e.UserAgent = `a "b"` })},
		{"JSON, other fields of other types", `{"upstream":null,"tags":["a"],"http_referer":null,"time_iso8601":"2015-05-17T10:05:03Z","remote_addr":"198.18.0.1","request":"GET /a HTTP/1.1","status":200,"body_bytes_sent":12,"http_user_agent":"curl"}`, base},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Parse(c.line)
			require.NoError(t, err)
			assert.True(t, c.want.Time.Equal(e.Time), "time %v", e.Time)
			e.Time = c.want.Time
			assert.Equal(t, c.want, e)
		})
	}
}

func TestParseBroken(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`x`, "not a Combined Log Format line"},
		{`a b c d`, "no [time]"},
		{`198.18.0.1 - - [17/May/2015:10:05:03] "GET / HTTP/1.1" 200 1`, "no [time]"},
		{`198.18.0.1 - - [32/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1`, "no [time]"},
		{`198.18.0.1 - - [17/May/9015:10:05:03 +0000] "GET / HTTP/1.1" 200 1`, "year 9015"},
		{`198.18.0.1 - - [17/May/2015:10:05:03 +0000] GET / HTTP/1.1 200 1`, "no opening quote"},
		{`198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTT`, "no closing quote"},
		{`198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1"`, "no status"},
		{`198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" abc 1`, `status "abc"`},
		{`198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 -5`, `bytes: "-5"`},
		{`{"remote_addr":"198.18.0.1"`, "JSON: unexpected end"},
		{`{"remote_addr":"198.18.0.1"}`, `no "time_iso8601"`},
		{`{"time_iso8601":"2015-05-17T10:05:03Z"}`, `no "remote_addr"`},
		{`{"time_iso8601":"yesterday","remote_addr":"198.18.0.1"}`, "time is not of a known form"},
		{`{"time_iso8601":"2015-05-17T10:05:03Z","remote_addr":"198.18.0.1","status":"x"}`, `status "x"`},
	} {
		_, err := Parse(c.line)
		assert.ErrorContains(t, err, c.want, "%s", c.line)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`198.18.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a\"\x16 HTTP/1.1" 200 12 "-" "curl\\"`)
	f.Add(`{"msec":1431857103.25,"remote_addr":"::1","request":"GET / HTTP/1.1","status":"200"}`)
	f.Fuzz(func(t *testing.T, line string) {
		e, err := Parse(line)
		if err != nil {
			return
		}
		for _, field := range []string{e.Addr, e.User, e.Method, e.Path, e.Proto, e.Referer, e.UserAgent} {
			assert.NotEmpty(t, field)
		}
		assert.GreaterOrEqual(t, e.Time.UnixNano(), int64(0))
	})
}
