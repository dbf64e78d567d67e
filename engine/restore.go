package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// ErrSnapshot is wrapped by the errors of Restore that blame its input.
var ErrSnapshot = errors.New("limit64: not a whole snapshot")

// MaxDowntime is the most that Restore believes to have passed since the
// snapshot, so that a wall clock that jumped forward does not forgive everybody.
const MaxDowntime = 24 * time.Hour

// Restore reads a snapshot into an engine that has no keys yet, before it is
// used. The time between the two by the wall clock, but from 0 to MaxDowntime,
// counts as elapsed. Each key gets the limit that this engine gives it; what it
// had used under another one is carried over as by SetLimit. Windows go on where
// they were, so they may no longer be aligned to this engine's clock.
//
// Restore reads everything into memory and checks it first: on an error, which
// wraps ErrSnapshot or is the reader's, nothing has changed.
func (e *Engine) Restore(r io.Reader) error { return e.restore(r, time.Now) }

func (e *Engine) restore(r io.Reader, wall func() time.Time) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s, err := readSnapshot(data, e.maxLog)
	if err != nil {
		return err
	}
	away := min(max(time.Duration(wall().UnixNano()-s.wall), 0), MaxDowntime)
	e.plans.mu.Lock()
	defer e.plans.mu.Unlock()
	if e.Len() != 0 {
		return fmt.Errorf("limit64: Restore into an engine that has %d keys", e.Len())
	}
	switch isLog := e.words == nil; {
	case s.logs > 0 && !isLog || s.words > 0 && isLog:
		return fmt.Errorf("%w: of %d words and %d logs, for an engine of %v", ErrSnapshot, s.words, s.logs, e.Limit())
	case isLog:
		return e.logs.restore(s, e.Now(), away)
	default:
		return e.words.restore(s, e.Now(), away)
	}
}

// restore puts words into the table. The old clock's 0 lies at now - (s.now +
// away) on the new one; all keys get one base, the newest that any of them had,
// or a later one where the time away would otherwise be beyond a span.
func (w *wordStore) restore(s *snapshot, now, away time.Duration) error {
	set := w.plans.set.Load()
	span := set.span
	for _, r := range s.rules {
		span = min(span, r.span)
	}
	if int64(s.words) > w.maxKeys {
		return fmt.Errorf("limit64: a snapshot of %d keys, MaxKeys is %d", s.words, w.maxKeys)
	}
	end := s.now + away
	base := s.base
	if dt := bucket.Since(end, base); dt > span {
		delta := dt - span/2
		base += time.Duration(delta - delta%set.grain)
	}
	if !w.table.Rebase(now-(end-base), now) {
		return errors.New("limit64: Restore into an engine that is in use")
	}
	dt := bucket.Since(end, base)
	return s.each(func(key string, from *compiled, value uint64, at time.Duration, _ []time.Duration) {
		if at != base {
			value = from.Rebase(value, uint64(base-at))
		}
		if from.Idle(value, dt) {
			return
		}
		hash, plan := w.table.Hash(key), w.plans.of(key)
		for {
			_, slot, _ := w.table.Acquire(hash, key, plan, now)
			if slot == nil {
				return // somebody uses the engine already, and has filled it
			}
			to, v := w.plans.rule(slot.Rule()), slot.Load()
			next := value
			if to.Limit() != from.Limit() || to.most != from.most {
				next = bucket.Convert(from.Rule, to.Rule, value, dt)
			}
			if !shard.Sealed(v) && slot.CompareAndSwap(v, next) {
				return // else the sweep that Acquire paid for has moved it
			}
		}
	})
}

func (s *logStore) restore(snap *snapshot, now, away time.Duration) error {
	if int64(snap.logs) > s.maxKeys {
		return fmt.Errorf("limit64: a snapshot of %d keys, MaxKeys is %d", snap.logs, s.maxKeys)
	}
	shift := now - (snap.now + away)
	return snap.each(func(key string, _ *compiled, _ uint64, _ time.Duration, admitted []time.Duration) {
		for i := range admitted {
			admitted[i] += shift
		}
		_, known := s.logs.LoadAndStore(strings.Clone(key), bucket.RestoreLogCell(s.limitOf(key), 0, admitted))
		if !known {
			s.keys.Add(1)
		}
	})
}

// snapshot is one that was checked from end to end.
type snapshot struct {
	data        []byte // the records
	maxLog      uint64 // tokens of a log that this engine has room for
	rules       map[uint64]*compiled
	words, logs uint64
	base        time.Duration // the newest
	now         time.Duration
	wall        int64
}

// visitor gets each key: its rule, value and base, or the instants of its log.
type visitor func(key string, rule *compiled, value uint64, base time.Duration, admitted []time.Duration)

func readSnapshot(data []byte, maxLog uint64) (*snapshot, error) {
	body, found := strings.CutPrefix(string(data[:min(len(data), len(snapshotMagic))]), snapshotMagic)
	if !found || len(data) < len(snapshotMagic)+8 || body != "" {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrSnapshot, snapshotMagic)
	}
	end := len(data) - 8
	if xxhash.Sum64(data[:end]) != binary.LittleEndian.Uint64(data[end:]) {
		return nil, fmt.Errorf("%w: the checksum of %d bytes is wrong", ErrSnapshot, len(data))
	}
	s := &snapshot{data: data[len(snapshotMagic):end], maxLog: maxLog, base: math.MinInt64}
	err := s.each(func(_ string, rule *compiled, _ uint64, base time.Duration, _ []time.Duration) {
		if rule == nil {
			s.logs++
		} else {
			s.words, s.base = s.words+1, max(s.base, base)
		}
	})
	if s.words == 0 {
		s.base = 0
	}
	return s, err
}

// each reads the records. After the first time, which checks them, it returns no
// error.
func (s *snapshot) each(visit visitor) error {
	s.rules = map[uint64]*compiled{}
	in := &snapshotReader{data: s.data}
	base, keys := time.Duration(0), uint64(0)
	for {
		kind := in.byte()
		switch kind {
		case ruleRecord:
			number, most := in.uvarint(), in.varint()
			limit, err := bucket.Parse(in.text())
			r, err2 := compile(limit, most)
			if err = errors.Join(err, err2); in.err == nil {
				in.err = err
			}
			s.rules[number] = &r
		case baseRecord:
			base = in.instant()
		case keyRecord:
			key, number, value := in.text(), in.uvarint(), in.uvarint()
			if s.rules[number] == nil || value > bucket.MaxValue {
				in.fail()
			}
			if keys++; in.err == nil {
				visit(key, s.rules[number], value, base, nil)
			}
		case logRecord:
			key := in.text()
			admitted := in.admitted(s.maxLog)
			if keys++; in.err == nil {
				visit(key, nil, 0, 0, admitted)
			}
		case endRecord:
			count := in.uvarint()
			s.now, s.wall = in.instant(), in.varint()
			if count != keys || len(in.data) > 0 || s.now < 0 {
				in.fail()
			}
		default:
			in.fail()
		}
		if in.err != nil {
			return fmt.Errorf("%w: after %d keys: %w", ErrSnapshot, keys, in.err)
		}
		if kind == endRecord {
			return nil
		}
	}
}

// snapshotReader reads fields from data and remembers the first failure.
type snapshotReader struct {
	data []byte
	err  error
}

func (in *snapshotReader) fail() {
	if in.err == nil {
		in.err = fmt.Errorf("a field is out of its range, %d bytes before the end", len(in.data))
	}
	in.data = nil
}

func (in *snapshotReader) byte() byte {
	if len(in.data) == 0 {
		in.fail()
		return 0
	}
	b := in.data[0]
	in.data = in.data[1:]
	return b
}

func (in *snapshotReader) uvarint() uint64 {
	v, n := binary.Uvarint(in.data)
	if n <= 0 {
		in.fail()
		return 0
	}
	in.data = in.data[n:]
	return v
}

func (in *snapshotReader) varint() int64 {
	v, n := binary.Varint(in.data)
	if n <= 0 {
		in.fail()
		return 0
	}
	in.data = in.data[n:]
	return v
}

// instant reads an instant that can be added to others without overflow.
func (in *snapshotReader) instant() time.Duration {
	v := in.varint()
	if v < -math.MaxInt64/4 || v > math.MaxInt64/4 {
		in.fail()
	}
	return time.Duration(v)
}

func (in *snapshotReader) text() string {
	n := in.uvarint()
	if n > uint64(len(in.data)) {
		in.fail()
		return ""
	}
	text := string(in.data[:n])
	in.data = in.data[n:]
	return text
}

// admitted reads the instants of a log, in order.
func (in *snapshotReader) admitted(most uint64) (admitted []time.Duration) {
	left := in.uvarint()
	if left > most && in.err == nil {
		in.err = fmt.Errorf("a log of %d tokens, MaxLogBytes allows %d", left, most)
	}
	at := time.Duration(0)
	for first := true; left > 0 && in.err == nil; first = false {
		step, n := in.instant(), in.uvarint()
		if at += step; n == 0 || n > left || !first && step <= 0 || at > math.MaxInt64/4 {
			in.fail()
			return nil
		}
		left -= n
		for range n {
			admitted = append(admitted, at)
		}
	}
	return admitted
}
