package engine

import (
	"time"

	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/shard"
)

// hold is an admission with all that is needed to take it back. The zero hold
// holds nothing.
type hold struct {
	at            time.Duration // instant of the admission
	log           *bucket.LogCell
	slot          *shard.Slot
	shared        bool          // the slot is not the key's own
	base          time.Duration // of the slot's word
	rule          bucket.Rule   // that wrote the word
	before, after uint64        // the word
}

// hold is take that fills h when it admits, and does not count the decision.
func (e *Engine) hold(key string, n int64, now time.Duration, h *hold) (bucket.Outcome, int64) {
	if e.words != nil {
		return e.words.hold(key, n, now, h)
	}
	return e.logs.hold(key, n, now, h)
}

// release takes an admission of n tokens back, as if it had never been: bit for
// bit when nobody came in between, else as bucket/undo.go says. It assumes that
// every instant was read from the engine's clock, and that Forget has not given
// the key to a successor meanwhile, who would be given n tokens.
func (e *Engine) release(key string, n int64, h *hold) {
	switch {
	case h.log != nil:
		h.log.Undo(h.at, n)
	case h.slot != nil && !h.slot.CompareAndSwap(h.after, h.before):
		e.words.undo(key, n, h, e)
	}
}

func (w *wordStore) hold(key string, n int64, now time.Duration, h *hold) (bucket.Outcome, int64) {
	hash := w.table.Hash(key)
	base, slot := w.table.Find(hash, key)
	var m missed
	for {
		if slot != nil {
			r := w.plans.rule(slot.Rule())
			v, dt := slot.Load(), bucket.Since(now, base)
			if !shard.Sealed(v) && dt <= r.span {
				next, o := r.Take(v, dt, n)
				if next == v {
					return o, r.capacity
				}
				if slot.CompareAndSwap(v, next) {
					*h = hold{at: now, slot: slot, shared: m.shared, base: base, rule: r.Rule, before: v, after: next}
					return o, r.capacity
				}
				w.counts.retry()
				continue
			}
		}
		m = missed{}
		if base, slot = w.miss(hash, key, n, now, base, &m); slot == nil {
			return m.answer, m.limit
		}
	}
}

// undo is the slow path of release: the word is not what the admission wrote.
func (w *wordStore) undo(key string, n int64, h *hold, clock *Engine) {
	hash := w.table.Hash(key)
	base, slot := h.base, h.slot
	for slot != nil {
		r := w.plans.rule(slot.Rule())
		v := slot.Load()
		// Read after the word: whoever wrote it had read the clock before.
		now := max(clock.Now(), h.at)
		switch dt := bucket.Since(now, base); {
		case shard.Sealed(v) && h.shared:
			return
		case shard.Sealed(v):
			base, slot, _ = w.table.Lookup(hash, key)
		case dt > r.span:
			w.table.Advance(hash, now)
		case bucket.Promises(r.Rule) && !h.shared:
			since := &h.at
			if r.Rule != h.rule {
				since = nil
			}
			w.giveBackBeside(key, n, r.Rule, since, now)
			return
		default:
			next := r.Return(v, dt, n) // under another limit, which the word was converted to
			if r.Rule == h.rule {
				after := r.Rebase(h.after, bucket.Since(base, h.base))
				next = r.Undo(v, dt, bucket.Since(now, h.at), after, n)
			}
			if next == v || slot.CompareAndSwap(v, next) {
				return
			}
			w.counts.retry()
		}
	}
}

func (s *logStore) hold(key string, n int64, now time.Duration, h *hold) (bucket.Outcome, int64) {
	for {
		log, known := s.logs.Load(key)
		if !known {
			plan := s.plans.of(key)
			l := *s.plans.assign(key, plan).limit.Load()
			if n <= 0 || n > l.Tokens {
				return unseenLog(l, n), l.Tokens
			}
			if log = s.insert(key, plan, now); log == nil {
				return s.overflow.answer(unseenLog(l, n), l), l.Tokens
			}
		}
		o, at, ok := log.TakeMarked(now, n)
		if ok {
			if o.OK() {
				*h = hold{at: at, log: log}
			}
			return o, log.Capacity()
		}
		s.counts.retry()
		s.drop(key, log)
	}
}
