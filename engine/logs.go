package engine

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/puzpuzpuz/xsync/v3"
)

// logStore decides on sliding window logs. Their rings do not fit the table of
// words; they lie in a concurrent map, one mutex a key, and are forgotten by the
// same protocol: an idle log is sealed under its mutex, then deleted, and who
// meets a sealed log looks the key up again. A log made later is born at the
// instant of the last sweep, so that a stale request finds no room that the
// dropped log would not have had.
type logStore struct {
	logs      *xsync.MapOf[string, *bucket.LogCell]
	limit     Limit
	maxKeys   int64
	keys      atomic.Int64
	born      atomic.Int64 // no log was dropped later; raised before the first one is
	unpaid    atomic.Int64 // inserts since the last sweep
	forgotten atomic.Uint64
	sweeping  sync.Mutex
	searched  atomic.Int64 // instant of the last search for room
	shared    *bucket.LogCell
	overflow  Overflow
	counts    *counts
	events    *emitter
}

func newLogStore(c Config, counts *counts, events *emitter) *logStore {
	s := &logStore{
		logs: xsync.NewMapOf[string, *bucket.LogCell](), limit: c.Limit, maxKeys: int64(c.MaxKeys),
		shared: bucket.NewLogCell(c.Limit, 0), overflow: c.Overflow, counts: counts, events: events,
	}
	s.searched.Store(-1)
	return s
}

func (s *logStore) take(key string, n int64, now time.Duration) bucket.Outcome {
	if n <= 0 || n > s.limit.Tokens {
		d := s.peek(key, n, now)
		s.counts.count(d.Reason)
		return d
	}
	for {
		log, known := s.logs.Load(key)
		if !known {
			if log = s.insert(key, now); log == nil {
				return s.full(n)
			}
		}
		if d, ok := log.Take(now, n); ok {
			s.counts.count(d.Reason)
			return d
		}
		s.counts.retry()
		s.drop(key, log)
	}
}

// insert returns the log of a key that was not there a moment ago, or nil when
// there is no room for it. The key is copied: it may share a caller's bytes.
func (s *logStore) insert(key string, now time.Duration) *bucket.LogCell {
	if !s.reserve(now) {
		if s.overflow == ShareNew {
			s.counts.share()
			s.events.shared(key, now)
			return s.shared
		}
		return nil
	}
	if s.unpaid.Add(1) > max(64, s.keys.Load()/2) {
		s.sweepIfFree(now) // before the new log is there: it is idle until its first token
	}
	log, known := s.logs.LoadOrCompute(strings.Clone(key), func() *bucket.LogCell {
		return bucket.NewLogCell(s.limit, time.Duration(s.born.Load()))
	})
	if known {
		s.keys.Add(-1)
	}
	return log
}

func (s *logStore) reserve(now time.Duration) bool {
	if s.keys.Add(1) <= s.maxKeys {
		return true
	}
	if last := time.Duration(s.searched.Load()); last < 0 || now < last || now-last >= time.Millisecond {
		s.searched.Store(int64(now))
		s.sweepIfFree(now)
	}
	if s.keys.Load() <= s.maxKeys {
		return true
	}
	s.keys.Add(-1)
	return false
}

func (s *logStore) full(n int64) bucket.Outcome {
	d := s.overflow.answer(s.unseen(n), s.limit)
	s.counts.count(d.Reason)
	return d
}

func (s *logStore) unseen(n int64) bucket.Outcome {
	log := bucket.NewLog(s.limit, 0)
	return log.Peek(0, n)
}

func (s *logStore) peek(key string, n int64, now time.Duration) bucket.Outcome {
	if log, known := s.logs.Load(key); known {
		if d, ok := log.Peek(now, n); ok {
			return d
		}
	}
	return s.unseen(n)
}

func (s *logStore) giveBack(key string, n int64, now time.Duration) {
	for {
		log, known := s.logs.Load(key)
		if !known || log.Return(now, n) {
			return
		}
		s.drop(key, log)
	}
}

func (s *logStore) forget(key string) bool {
	log, known := s.logs.Load(key)
	if !known || !log.Seal() {
		return false
	}
	s.drop(key, log)
	return true
}

// drop deletes a sealed log. Whoever meets the seal helps, so that nobody waits
// for the sweeper; only the one whose deletion succeeds counts it.
func (s *logStore) drop(key string, sealed *bucket.LogCell) {
	deleted := false
	s.logs.Compute(key, func(log *bucket.LogCell, known bool) (*bucket.LogCell, bool) {
		deleted = known && log == sealed
		return log, deleted || !known
	})
	if deleted {
		s.keys.Add(-1)
		s.forgotten.Add(1)
	}
}

func (s *logStore) sweepIfFree(now time.Duration) {
	if s.sweeping.TryLock() {
		defer s.sweeping.Unlock()
		s.sweepLocked(now)
	}
}

func (s *logStore) sweep(now time.Duration) {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	s.sweepLocked(now)
}

func (s *logStore) sweepLocked(now time.Duration) {
	s.unpaid.Store(0)
	s.born.Store(max(s.born.Load(), int64(now)))
	s.logs.Range(func(key string, log *bucket.LogCell) bool {
		if log.SealIdle(now) {
			s.drop(key, log)
		}
		return true
	})
}

func (s *logStore) len() int { return int(s.keys.Load()) }

func (s *logStore) all(visit func(key string) bool) {
	s.logs.Range(func(key string, _ *bucket.LogCell) bool { return visit(key) })
}
