package replay

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
	"github.com/limit64/limit64/cmd/loadgen/internal/text"
)

// Source reads a log in the background, so that parsing and deciding share the
// work and an interrupt is noticed also while nothing can be read.
type Source struct {
	// Lines, Broken and BrokenLines are what was read, once Each has returned;
	// BrokenLines has the first few.
	Lines, Broken int
	BrokenLines   []*accesslog.LineError

	log     *accesslog.Reader
	keyOf   func(accesslog.Entry) string
	show    int
	batches chan batch
}

// batch is some lines, parsed; err is what ended the log.
type batch struct {
	entries []entry
	err     error
}

type entry struct {
	at     int64 // nanoseconds since 1970
	key    string
	broken *accesslog.LineError
	line   int
}

const batchLines = 512

// NewSource returns a source of a log whose clients are told apart by key: "ip",
// "path" or "ip+path". It keeps the first few broken lines to show, at least one.
func NewSource(log *accesslog.Reader, key string, show int) *Source {
	return &Source{log: log, keyOf: keyFuncs[key], show: max(show, 1), batches: make(chan batch, 8)}
}

// Each calls f with every request in the order of the log, from this goroutine,
// until the log ends or ctx is done; only the latter returns early without an
// error. Broken lines are counted; they are an error only when there is nothing
// else. tick, unless nil, is called between batches.
func (s *Source) Each(ctx context.Context, f func(at int64, key string), tick func(lines int)) error {
	stopped := make(chan struct{})
	defer close(stopped)
	go s.read(stopped)
	good := false
	for {
		var b batch
		select {
		case b = <-s.batches:
		case <-ctx.Done():
			return nil
		}
		for _, e := range b.entries {
			s.Lines = e.line
			if e.broken != nil {
				s.addBroken(e.broken)
				continue
			}
			good = true
			f(e.at, e.key)
			if ctx.Err() != nil {
				return nil
			}
		}
		if tick != nil {
			tick(s.Lines)
		}
		switch {
		case b.err == io.EOF && s.Broken > 0 && !good:
			return fmt.Errorf("none of %s lines is in Combined Log Format or a JSON line of nginx; the first: %w", text.Count(int64(s.Broken)), s.BrokenLines[0])
		case b.err == io.EOF:
			return nil
		case b.err != nil:
			return fmt.Errorf("after line %d: %w", s.Lines, b.err)
		}
	}
}

func (s *Source) addBroken(bad *accesslog.LineError) {
	if s.Broken++; len(s.BrokenLines) < s.show {
		s.BrokenLines = append(s.BrokenLines, bad)
	}
}

// read parses until the log ends or nobody wants more.
func (s *Source) read(stopped <-chan struct{}) {
	for {
		b := s.batch()
		select {
		case s.batches <- b:
		case <-stopped:
			return
		}
		if b.err != nil {
			return
		}
	}
}

func (s *Source) batch() (b batch) {
	b.entries = make([]entry, 0, batchLines)
	for len(b.entries) < batchLines {
		e, err := s.log.Next()
		var bad *accesslog.LineError
		switch {
		case errors.As(err, &bad):
			b.entries = append(b.entries, entry{broken: bad, line: s.log.Line()})
		case err != nil:
			b.err = err
			return b
		default:
			b.entries = append(b.entries, entry{at: e.Time.UnixNano(), key: s.keyOf(e), line: s.log.Line()})
		}
	}
	return b
}
