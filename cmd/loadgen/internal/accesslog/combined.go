package accesslog

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// parseCombined reads
//
//	ADDR IDENT USER [TIME] "REQUEST" STATUS BYTES "REFERER" "AGENT"
//
// The last two may be missing (Common Log Format), and more may follow.
func parseCombined(line string) (e Entry, err error) {
	addr, rest, ok := strings.Cut(line, " ")
	if !ok || addr == "" {
		return e, ErrForm
	}
	_, rest, ok = strings.Cut(rest, " ")
	if !ok {
		return e, ErrForm
	}
	if e.User, e.Time, rest, err = userAndTime(rest); err != nil {
		return e, err
	}
	request, rest, err := quoted(rest)
	if err != nil {
		return e, fmt.Errorf("request: %w", err)
	}
	if rest, err = e.setResult(rest); err != nil {
		return e, err
	}
	e.Addr = canonicalAddr(addr)
	e.setRequest(request)
	e.Referer, rest = optional(rest)
	e.UserAgent, _ = optional(rest)
	return e, nil
}

// userAndTime reads `USER [TIME]`. A user name may hold spaces and brackets, so
// the first bracket that opens a time ends it.
func userAndTime(s string) (user string, t time.Time, rest string, err error) {
	for from := 0; ; {
		i := strings.Index(s[from:], " [")
		if i < 0 {
			break
		}
		open := from + i
		text, after, closed := strings.Cut(s[open+2:], "]")
		if !closed {
			break
		}
		if t, perr := time.Parse(clfTime, text); perr == nil {
			t, err = inRange(t, nil)
			return orDash(s[:open]), t, after, err
		}
		from = open + 2
	}
	return "", t, "", errors.New("no [time] of the form [" + clfTime + "]")
}

// setResult reads ` STATUS BYTES`; BYTES may be missing, as in a line without a
// body's size.
func (e *Entry) setResult(s string) (rest string, err error) {
	status, rest, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	if status == "" {
		return "", errors.New("no status")
	}
	n, err := number(status)
	if err != nil || n > 999 {
		return "", fmt.Errorf("status %q is not a number of three digits", status)
	}
	e.Status = int(n)
	size, rest, _ := strings.Cut(rest, " ")
	if e.Bytes, err = number(size); err != nil {
		return "", fmt.Errorf("bytes: %w", err)
	}
	return rest, nil
}

// optional reads a quoted field that may be missing or cut off: what it says
// changes nothing about who asked when.
func optional(s string) (field, rest string) {
	field, rest, err := quoted(s)
	if err != nil {
		return "-", ""
	}
	return orDash(field), rest
}
