package engine

import (
	"bufio"
	"encoding/binary"
	"io"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/bucket"
)

// The format of a snapshot, version 1. Integers are varints, of the signed kind
// where they may be negative; texts have their length in front.
//
//	"limit64 snapshot 1\n"
//	records, in any order but that what refers comes after what it refers to:
//	  'r' number most text       a rule: its limit, and what its counts have room for
//	  'b' base                   what the values that follow count from
//	  'k' key rule value         a key whose state is one word
//	  'l' key n, n × (wait, count)  a sliding window log: instants as steps from the
//	                             last one, and the tokens admitted at each
//	'e' keys now wall            their number, the engine's clock and the wall
//	                             clock (nanoseconds since 1970) at the end
//	8 bytes                      xxhash of all before, little endian
const snapshotMagic = "limit64 snapshot 1\n"

const (
	ruleRecord = 'r'
	baseRecord = 'b'
	keyRecord  = 'k'
	logRecord  = 'l'
	endRecord  = 'e'
)

// Snapshot writes what the keys have used, so that a restart forgives nobody.
// Requests go on meanwhile, none waits for longer than some ten microseconds, but
// SetLimit and its kin wait for the end. A key that is used while the snapshot is
// taken is in it as it was at some moment of it. Limits that were set per key or
// plan are configuration and not in it. The error is the writer's.
func (e *Engine) Snapshot(w io.Writer) error {
	return e.snapshot(w, time.Now)
}

func (e *Engine) snapshot(w io.Writer, wall func() time.Time) error {
	e.plans.mu.Lock()
	defer e.plans.mu.Unlock()
	digest := xxhash.New()
	s := &snapshotWriter{out: bufio.NewWriterSize(io.MultiWriter(w, digest), 1<<16), rules: map[uint16]bool{}}
	s.out.WriteString(snapshotMagic)
	if e.words != nil {
		s.words(e)
	} else {
		s.logs(e)
	}
	s.record(endRecord, func(b []byte) []byte {
		b = binary.AppendUvarint(b, s.keys)
		b = binary.AppendVarint(b, int64(e.Now()))
		return binary.AppendVarint(b, wall().UnixNano())
	})
	if err := s.out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, digest.Sum64()))
	return err
}

// snapshotWriter writes records. The first error sticks to out, and Flush
// returns it.
type snapshotWriter struct {
	out   *bufio.Writer
	buf   []byte
	rules map[uint16]bool // written already
	base  time.Duration
	keys  uint64
}

func (s *snapshotWriter) record(kind byte, fill func([]byte) []byte) {
	s.buf = fill(append(s.buf[:0], kind))
	s.out.Write(s.buf)
}

func (s *snapshotWriter) words(e *Engine) {
	now := e.Now()
	for entry := range e.words.table.All() {
		r := e.plans.rule(entry.Rule)
		if dt := bucket.Since(now, entry.Base); dt <= r.span && r.Idle(entry.Value, dt) {
			continue
		}
		if !s.rules[entry.Rule] {
			s.rules[entry.Rule] = true
			s.record(ruleRecord, func(b []byte) []byte {
				b = binary.AppendUvarint(b, uint64(entry.Rule))
				b = binary.AppendVarint(b, r.most)
				return appendText(b, r.Limit().String())
			})
		}
		if entry.Base != s.base {
			s.base = entry.Base
			s.record(baseRecord, func(b []byte) []byte { return binary.AppendVarint(b, int64(entry.Base)) })
		}
		s.keys++
		s.record(keyRecord, func(b []byte) []byte {
			b = appendText(b, entry.Key)
			b = binary.AppendUvarint(b, uint64(entry.Rule))
			return binary.AppendUvarint(b, entry.Value)
		})
	}
}

func (s *snapshotWriter) logs(e *Engine) {
	e.logs.logs.Range(func(key string, log *bucket.LogCell) bool {
		admitted := log.Admitted()
		if len(admitted) == 0 {
			return true
		}
		s.keys++
		s.record(logRecord, func(b []byte) []byte {
			b = binary.AppendUvarint(appendText(b, key), uint64(len(admitted)))
			last := time.Duration(0)
			for len(admitted) > 0 {
				at, n := admitted[0], 1
				for n < len(admitted) && admitted[n] == at {
					n++
				}
				b = binary.AppendVarint(b, int64(at-last))
				b = binary.AppendUvarint(b, uint64(n))
				admitted, last = admitted[n:], at
			}
			return b
		})
		return true
	})
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
