// Package accesslog reads web servers' access logs, one line at a time: the
// Common and Combined Log Format of Apache and nginx, and nginx JSON lines. The
// form is detected line by line, so files of mixed forms work.
//
// Real logs hold broken lines: cut off at a full disk, two written into one,
// handshakes of other protocols. A broken line is an error of that line only;
// the reader goes on with the next one.
package accesslog

import "time"

// MaxLine is the longest line that is read, without its end.
const MaxLine = 1 << 20

// Entry is one request as the log tells it. Text fields that the log leaves out
// or writes as "-" are "-".
type Entry struct {
	// Time is the log's time, in whole seconds unless the log has more.
	Time time.Time
	// Addr is the client: an IP address in its canonical form, so that one
	// client is one text, or a host name as it was logged.
	Addr string
	// User is the authenticated user.
	User string
	// Method, Path and Proto are the parts of the request line. Path has no
	// query. Where the request line is not of the form "GET /path HTTP/1.1",
	// Path is the whole of it and the other two are "-".
	Method, Path, Proto string
	// Status is the response's status, 0 when it is not logged.
	Status int
	// Bytes is the size of the response's body, 0 when it is not logged.
	Bytes int64
	// Referer and UserAgent are the request's headers.
	Referer, UserAgent string
}
