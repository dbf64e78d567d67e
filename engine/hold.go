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
	before, after uint64        // the word
}

// hold is take that fills h when it admits, and does not count the decision.
func (e *Engine) hold(key string, n int64, now time.Duration, h *hold) bucket.Outcome {
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

func (w *wordStore) hold(key string, n int64, now time.Duration, h *hold) bucket.Outcome {
	hash := w.table.Hash(key)
	base, slot := w.table.Find(hash, key)
	status := shard.Tracked
	for {
		if slot != nil {
			v, dt := slot.Load(), bucket.Since(now, base)
			if !shard.Sealed(v) && dt <= w.span {
				next, o := w.rule.Take(v, dt, n)
				if next == v {
					return o
				}
				if slot.CompareAndSwap(v, next) {
					*h = hold{at: now, slot: slot, shared: status == shard.Shared, base: base, before: v, after: next}
					return o
				}
				w.counts.retry()
				continue
			}
		}
		if uint64(n)-1 >= uint64(w.capacity) {
			return w.unseen(n)
		}
		if base, slot, status = w.locate(hash, key, now, base); slot == nil {
			return w.overflow.answer(w.unseen(n), w.rule.Limit())
		}
	}
}

// undo is the slow path of release: the word is not what the admission wrote.
func (w *wordStore) undo(key string, n int64, h *hold, clock *Engine) {
	hash := w.table.Hash(key)
	base, slot := h.base, h.slot
	for slot != nil {
		v := slot.Load()
		// Read after the word: whoever wrote it had read the clock before.
		now := max(clock.Now(), h.at)
		switch dt := bucket.Since(now, base); {
		case shard.Sealed(v) && h.shared:
			return
		case shard.Sealed(v):
			base, slot = w.table.Lookup(hash, key)
		case dt > w.span:
			w.table.Advance(hash, now)
		default:
			after := w.rule.Rebase(h.after, bucket.Since(base, h.base))
			next := w.rule.Undo(v, dt, bucket.Since(now, h.at), after, n)
			if next == v || slot.CompareAndSwap(v, next) {
				return
			}
			w.counts.retry()
		}
	}
}

func (s *logStore) hold(key string, n int64, now time.Duration, h *hold) bucket.Outcome {
	if n <= 0 || n > s.limit.Tokens {
		return s.peek(key, n, now)
	}
	for {
		log, known := s.logs.Load(key)
		if !known {
			if log = s.insert(key, now); log == nil {
				return s.overflow.answer(s.unseen(n), s.limit)
			}
		}
		o, at, ok := log.TakeMarked(now, n)
		if ok {
			if o.OK() {
				*h = hold{at: at, log: log}
			}
			return o
		}
		s.counts.retry()
		s.drop(key, log)
	}
}
