package shard

import "time"

// Status says what Acquire found.
type Status uint8

const (
	// Tracked: the slot is the key's own.
	Tracked Status = iota
	// Full: the key is new and the table holds MaxKeys that are not idle; there
	// is no slot.
	Full
	// Shared: as Full, but the slot is the word that such keys of the shard share.
	Shared
)

// insertsPerSweep is how many inserts pay for the sweep of one shard: a scan of
// 32 KiB, about 2 µs, spread over them.
const insertsPerSweep = 32

// roomEvery is how often at most a shard is searched for idle keys because the
// table is at its bound.
const roomEvery = time.Millisecond

// Acquire returns the key's slot, and makes one when there is none, full from the
// epoch's instant on, under the rule that Assign names for the plan. It blocks on the shard's lock. The slot's word may be
// sealed again by the time it returns: then call it again.
func (t *Table) Acquire(hash uint64, key string, plan int, now time.Duration) (base time.Duration, slot *Slot, status Status) {
	t.at(beforeLock)
	for {
		s := t.lock(hash)
		e, slot, status, made := t.acquire(s, hash, key, plan, now)
		s.mu.Unlock()
		if made && t.unpaid.Add(1)%insertsPerSweep == 0 {
			t.sweepNext(s, now)
		}
		if e != nil {
			return e.base, slot, status
		}
	}
}

// acquire works under the shard's lock. A nil epoch means that the shard was
// split and the key must be located anew.
func (t *Table) acquire(s *Shard, hash uint64, key string, plan int, now time.Duration) (e *Epoch, slot *Slot, status Status, made bool) {
	if slot := s.lookup(hash, key); slot != nil {
		return s.epoch, slot, Tracked, false
	}
	if since(s.epoch.born, s.epoch.base) > t.rules.Span() { // a narrower rule came since
		t.rebuild(s, max(now, s.epoch.born), task{})
	}
	if !t.reserve(s, now) {
		e, slot, status = t.saturated(s)
		return e, slot, status, false
	}
	vacant := s.epoch.vacancy(hash)
	if s.epoch.used >= maxUsed || vacant == nil {
		if !t.forgetSome(s, now) && s.epoch.used >= slotCount/2 && t.split(s, now) {
			t.keys.Add(-1)
			return nil, nil, Tracked, false
		}
		// Anew, whatever was forgotten: the epoch may be another one by now.
		// Where the directory is at its cap the shard fills up; to spill a key that
		// has a vacancy would hide it from look-ups (I6).
		vacant = s.epoch.vacancy(hash)
	}
	rule := t.rules.Assign(key, plan)
	meta, fresh := withRule(metaOf(hash, len(key)), rule), t.fresh(s.epoch, rule)
	if vacant == nil {
		slot = s.spillKey(string([]byte(key)), meta, fresh)
		t.counts.spilled.Add(1)
	} else {
		slot = vacant
		s.setKey(slot, key)
		s.fill(slot, meta, fresh)
	}
	return s.epoch, slot, Tracked, true
}

// fresh is the value of a key that is made in an epoch (I5).
func (t *Table) fresh(e *Epoch, rule uint16) uint64 {
	return t.rules.Fresh(rule, since(e.born, e.base))
}

// forgetSome tries to forget an eighth of a shard that has no slot for a new key.
// A search that failed is not repeated before as many more have come, so that a
// key which must be spilled costs no scan of all that were spilled before it.
func (t *Table) forgetSome(s *Shard, now time.Duration) bool {
	if s.patience > 0 {
		s.patience--
		return false
	}
	if t.forgetIdle(s, now, maxUsed/8) > 0 {
		return true
	}
	s.patience = (s.epoch.used + len(s.spill)) / 8
	return false
}

// reserve counts one more key, looking for idle ones to forget when the table
// is at its bound.
func (t *Table) reserve(s *Shard, now time.Duration) bool {
	for tries := 0; ; tries++ {
		if n := t.keys.Add(1); t.maxKeys == 0 || n <= t.maxKeys {
			return true
		}
		t.keys.Add(-1)
		if tries > 0 || !t.makeRoom(s, now) {
			return false
		}
	}
}

// saturated answers a new key for which there is no room.
func (t *Table) saturated(s *Shard) (*Epoch, *Slot, Status) {
	if !t.share {
		return s.epoch, nil, Full
	}
	if s.shared == nil {
		rule := t.rules.Shared()
		s.shared = newShared(rule, t.fresh(s.epoch, rule))
	}
	return s.epoch, s.shared, Shared
}

// newShared returns the word that keys without room share.
func newShared(rule uint16, value uint64) *Slot {
	slot := new(Slot)
	slot.word.Store(value)
	slot.meta.Store(withRule(0, rule))
	return slot
}

// setKey writes the key of a slot that is not yet published.
func (s *Shard) setKey(slot *Slot, key string) {
	if len(key) > inlineKey {
		slot.key = s.store(key)
		return
	}
	slot.key[0], slot.key[1] = keyWords(key)
}

// fill publishes a slot whose key is written: word first, then meta, which is
// what a reader looks at (I1).
func (s *Shard) fill(slot *Slot, meta, value uint64) {
	slot.word.Store(value)
	s.table.at(beforeMeta)
	slot.meta.Store(meta)
	s.epoch.used++
}

// store copies a long key to the arena. A grown arena is a copy that begins with
// the same bytes, so readers of the old one are right as well.
func (s *Shard) store(key string) [2]uint64 {
	offset := len(s.arena)
	s.arena = append(s.arena, key...)
	s.epoch.arena.Store(&s.arena[0])
	return [2]uint64{uint64(offset), uint64(len(key))}
}

func (s *Shard) spillKey(key string, meta, value uint64) *Slot {
	slot := new(Slot)
	slot.word.Store(value)
	slot.meta.Store(meta)
	if s.spill == nil {
		s.spill = make(map[string]*Slot)
	}
	s.spill[key] = slot
	return slot
}

// Forget drops a key whatever its word says and reports whether it was there.
// The key's next request finds it as if never seen. It blocks.
func (t *Table) Forget(hash uint64, key string, now time.Duration) bool {
	s := t.lock(hash)
	defer s.mu.Unlock()
	slot := s.lookup(hash, key)
	if slot == nil {
		return false
	}
	t.rebuild(s, now, task{drop: slot})
	return true
}

// Advance moves the base of the hash's shard when now lies beyond the span of
// its words. It blocks.
func (t *Table) Advance(hash uint64, now time.Duration) {
	s := t.lock(hash)
	defer s.mu.Unlock()
	if since(now, s.epoch.base) > t.rules.Span() {
		t.rebuild(s, now, task{})
	}
}

func since(now, base time.Duration) uint64 {
	if now < base {
		return 0
	}
	return uint64(now) - uint64(base)
}
