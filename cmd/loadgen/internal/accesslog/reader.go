package accesslog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// LineError is what is wrong with one line, and how that line begins. The text is
// as it was logged and may hold anything, control codes included.
type LineError struct {
	Line  int
	Start string
	Err   error
}

const startBytes = 60

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// ErrTooLong is the error of a line longer than MaxLine.
var ErrTooLong = errors.New("longer than 1 MiB")

// Reader reads entries. It holds one line at a time. It is not safe for
// concurrent use.
type Reader struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

// NewReader returns a reader of plain or gzip-compressed text, which it tells
// apart by the first two bytes.
func NewReader(r io.Reader) (*Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		in = bufio.NewReaderSize(unzipped, 64<<10)
	}
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(len(mark)) // cannot fail: they were peeked
	}
	return &Reader{in: in}, nil
}

// Line returns the number of the line read last, counted from 1.
func (r *Reader) Line() int { return r.line }

// Next returns the next entry, skipping empty lines. The error is a *LineError
// for a broken line, after which Next can go on; io.EOF at the end; anything
// else is the underlying reader's.
func (r *Reader) Next() (Entry, error) {
	for {
		long, err := r.readLine()
		if err != nil {
			return Entry{}, err
		}
		if long {
			return Entry{}, r.broken(ErrTooLong)
		}
		if len(bytes.TrimSpace(r.buf)) == 0 {
			continue
		}
		e, err := Parse(string(r.buf))
		if err != nil {
			return Entry{}, r.broken(err)
		}
		return e, nil
	}
}

func (r *Reader) broken(err error) *LineError {
	return &LineError{Line: r.line, Start: string(r.buf[:min(len(r.buf), startBytes)]), Err: err}
}

// readLine reads a line into buf, without its end. Of a line longer than MaxLine
// it drops the rest, so that memory stays bounded on input without line ends.
func (r *Reader) readLine() (long bool, err error) {
	r.buf = r.buf[:0]
	for started := false; ; started = true {
		piece, err := r.in.ReadSlice('\n')
		if err == io.EOF && (started || len(piece) > 0) {
			err = nil
		} else if err == bufio.ErrBufferFull {
			long = long || r.keep(piece)
			continue
		} else if err != nil {
			return false, err
		}
		r.line++
		long = long || r.keep(bytes.TrimSuffix(piece, []byte("\n")))
		r.buf = bytes.TrimSuffix(r.buf, []byte("\r"))
		return long, nil
	}
}

// keep appends a piece to buf and reports whether it is too long for that.
func (r *Reader) keep(piece []byte) (long bool) {
	if len(r.buf)+len(piece) > MaxLine {
		return true
	}
	r.buf = append(r.buf, piece...)
	return false
}
