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
	plans     *plans
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

func newLogStore(c Config, plans *plans, counts *counts, events *emitter) *logStore {
	s := &logStore{
		logs: xsync.NewMapOf[string, *bucket.LogCell](), plans: plans, maxKeys: int64(c.MaxKeys),
		shared: bucket.NewLogCell(c.Limit, 0), overflow: c.Overflow, counts: counts, events: events,
	}
	s.searched.Store(-1)
	return s
}

func (s *logStore) take(key string, n int64, now time.Duration) (bucket.Outcome, int64) {
	for {
		log, known := s.logs.Load(key)
		if !known {
			plan := s.plans.of(key)
			l := *s.plans.assign(key, plan).limit.Load()
			if n <= 0 || n > l.Tokens { // and no log is made for it
				d := unseenLog(l, n)
				s.counts.count(d.Reason)
				return d, l.Tokens
			}
			if log = s.insert(key, plan, now); log == nil {
				d := s.overflow.answer(unseenLog(l, n), l)
				s.counts.count(d.Reason)
				return d, l.Tokens
			}
		}
		if d, ok := log.Take(now, n); ok {
			s.counts.count(d.Reason)
			return d, log.Capacity()
		}
		s.counts.retry()
		s.drop(key, log)
	}
}

// insert returns the log of a key that was not there a moment ago, or nil when
// there is no room for it. The key is copied: it may share a caller's bytes.
func (s *logStore) insert(key string, plan int, now time.Duration) *bucket.LogCell {
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
		// Read in here, a limit that changes meanwhile is this one or is set by
		// relimit, which then finds the log.
		return bucket.NewLogCell(*s.plans.assign(key, plan).limit.Load(), time.Duration(s.born.Load()))
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

func unseenLog(l Limit, n int64) bucket.Outcome {
	log := bucket.NewLog(l, 0)
	return log.Peek(0, n)
}

func (s *logStore) peek(key string, n int64, now time.Duration) (bucket.Outcome, int64) {
	if log, known := s.logs.Load(key); known {
		if d, ok := log.Peek(now, n); ok {
			return d, log.Capacity()
		}
	}
	l := s.limitOf(key)
	return unseenLog(l, n), l.Tokens
}

// relimit gives logs the limits that their keys have now: all of them, or the one
// of a key. Instants stay in the logs, so what was used stays used.
func (s *logStore) relimit(now time.Duration) {
	s.logs.Range(func(key string, log *bucket.LogCell) bool {
		log.SetLimit(s.limitOf(key), now)
		return true
	})
	s.shared.SetLimit(*s.plans.list[0].limit.Load(), now)
}

func (s *logStore) relimitKey(key string, now time.Duration) {
	if log, known := s.logs.Load(key); known {
		log.SetLimit(s.limitOf(key), now)
	}
}

func (s *logStore) limitOf(key string) Limit {
	return *s.plans.assign(key, s.plans.of(key)).limit.Load()
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
