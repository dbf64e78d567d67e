package accesslog

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// jsonLine has the names of nginx's variables, which is what a log_format with
// escape=json is written with, and the usual other names of the time and the
// client. Where several are given, the first in this order that is set counts.
type jsonLine struct {
	Msec      text `json:"msec"` // seconds since 1970, with milliseconds
	ISO8601   text `json:"time_iso8601"`
	Local     text `json:"time_local"`
	Timestamp text `json:"@timestamp"`
	Time      text `json:"time"`

	RemoteAddr text `json:"remote_addr"`
	RemoteIP   text `json:"remote_ip"`
	ClientIP   text `json:"client_ip"`

	Request    text `json:"request"`
	Method     text `json:"request_method"`
	RequestURI text `json:"request_uri"`
	URI        text `json:"uri"`
	Protocol   text `json:"server_protocol"`

	User      text `json:"remote_user"`
	Status    text `json:"status"`
	Body      text `json:"body_bytes_sent"`
	Referer   text `json:"http_referer"`
	UserAgent text `json:"http_user_agent"`
}

// text is a JSON string, or the text of a number; anything else is not set.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	switch c := b[0]; {
	case c == '"':
		return json.Unmarshal(b, (*string)(t))
	case c == '-' || '0' <= c && c <= '9':
		*t = text(b)
	}
	return nil
}

func (t text) set() bool { return t != "" && t != "-" }

// hexEscape is how nginx escapes without escape=json: no JSON, but common,
// because it only shows on the first request that has a quote in it.
var hexEscape = regexp.MustCompile(`\\x([0-9A-Fa-f]{2})`)

func parseJSON(s string) (e Entry, err error) {
	var l jsonLine
	if err = json.Unmarshal([]byte(s), &l); err != nil && strings.Contains(s, `\x`) {
		l = jsonLine{}
		err = json.Unmarshal([]byte(hexEscape.ReplaceAllString(s, `\u00$1`)), &l)
	}
	if err != nil {
		return e, fmt.Errorf("JSON: %w", err)
	}
	if e.Time, err = l.time(); err != nil {
		return e, err
	}
	addr := first(l.RemoteAddr, l.RemoteIP, l.ClientIP)
	if addr == "" {
		return e, errors.New(`JSON: no "remote_addr"`)
	}
	e.Addr, e.User = canonicalAddr(addr), orDash(string(l.User))
	e.Referer, e.UserAgent = orDash(string(l.Referer)), orDash(string(l.UserAgent))
	l.request(&e)
	return e, l.result(&e)
}

func (l *jsonLine) time() (time.Time, error) {
	switch {
	case l.Msec.set():
		return inRange(parseMsec(string(l.Msec)))
	case l.ISO8601.set():
		return inRange(parseAny(string(l.ISO8601)))
	case l.Local.set():
		return inRange(parseAny(string(l.Local)))
	case l.Timestamp.set():
		return inRange(parseAny(string(l.Timestamp)))
	case l.Time.set():
		return inRange(parseAny(string(l.Time)))
	}
	return time.Time{}, errors.New(`JSON: no "time_iso8601"`)
}

// parseMsec reads seconds with a fraction exactly; a float64 would be off by up
// to a quarter of a microsecond.
func parseMsec(s string) (time.Time, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || sec < 0 {
		return time.Time{}, errors.New("not seconds")
	}
	nanos, err := strconv.ParseUint((fraction + "000000000")[:9], 10, 32)
	return time.Unix(sec, int64(nanos)), err
}

func parseAny(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	if t, err := time.Parse(clfTime, s); err == nil {
		return t, nil
	}
	return parseMsec(s)
}

func (l *jsonLine) request(e *Entry) {
	uri := first(l.RequestURI, l.URI)
	if l.Request != "" || uri == "" {
		e.setRequest(string(l.Request))
		return
	}
	e.Method, e.Path, e.Proto = orDash(string(l.Method)), pathOf(uri), orDash(string(l.Protocol))
}

func (l *jsonLine) result(e *Entry) error {
	status, err := number(string(l.Status))
	if err != nil || status > 999 {
		return fmt.Errorf("status %q is not a number of three digits", string(l.Status))
	}
	e.Status = int(status)
	if e.Bytes, err = number(string(l.Body)); err != nil {
		return fmt.Errorf("body_bytes_sent: %w", err)
	}
	return nil
}

func first(values ...text) string {
	for _, v := range values {
		if v != "" {
			return string(v)
		}
	}
	return ""
}
