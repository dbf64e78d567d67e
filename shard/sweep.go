package shard

import "time"

// sweepNext looks through the next shard in turn for idle keys, drops them when
// they are a quarter of it or more, and merges the shard with its neighbour when
// the two have become nearly empty. It does nothing while somebody else sweeps.
// Inserts call it now and then, so that a table that grows also forgets. A burdened
// shard is passed over unless the insert was there.
func (t *Table) sweepNext(payer *Shard, now time.Duration) {
	if t.sweepMu.TryLock() {
		t.sweepAtCursor(payer, now)
		t.sweepMu.Unlock()
	}
}

// burdened reports whether a shard has so many spilled keys that looking through
// it costs far more than through others. Only an attacker can find so many keys
// whose hashes agree; nobody else is to pay for them.
func (s *Shard) burdened() bool { return len(s.spill) > slotCount }

// anyone is the payer who sweeps every shard.
var anyone *Shard

// SweepAll sweeps every shard once; it blocks while somebody else sweeps.
func (t *Table) SweepAll(now time.Duration) {
	t.sweepMu.Lock()
	defer t.sweepMu.Unlock()
	t.cursor = 0
	for !t.sweepAtCursor(anyone, now) {
	}
}

// sweepAtCursor sweeps one shard and reports whether it was the last of a round.
func (t *Table) sweepAtCursor(payer *Shard, now time.Duration) (last bool) {
	s := t.lock(t.cursor)
	if payer == anyone || payer == s || !s.burdened() {
		t.forgetIdle(s, now, s.epoch.used/4)
		t.merge(s, now)
	}
	end := s.prefix + 1<<(64-s.depth) // 0 when the last shard ends with the hash space
	s.mu.Unlock()
	t.cursor = end
	if end == 0 {
		t.shrink()
	}
	return end == 0
}

// forgetIdle drops the idle keys of a shard, under its lock, when there are
// more than atLeast and at least one, and returns how many it dropped.
func (t *Table) forgetIdle(s *Shard, now time.Duration, atLeast int) int {
	s.swept = now
	if t.countIdle(s, now) < max(1, atLeast) {
		return 0
	}
	return t.rebuild(s, now, task{forget: true})
}

func (t *Table) countIdle(s *Shard, now time.Duration) (idle int) {
	m := t.judge(s.epoch, now)
	for i := range s.epoch.slots {
		if slot := &s.epoch.slots[i]; slot.meta.Load() != 0 && m.idle(slot.Rule(), slot.word.Load()) {
			idle++
		}
	}
	for _, slot := range s.spill {
		if m.idle(slot.Rule(), slot.word.Load()) {
			idle++
		}
	}
	if s.shared != nil && m.idle(s.shared.Rule(), s.shared.word.Load()) {
		idle += max(1, s.epoch.used/4) // it keeps the shard from being merged
	}
	return idle
}

// makeRoom is called when the table is at its bound: it drops idle keys of the
// shard s, which the caller holds, and of one other shard in turn.
func (t *Table) makeRoom(s *Shard, now time.Duration) bool {
	freed := 0
	if now < s.swept || now-s.swept >= roomEvery || s.swept < 0 {
		freed = t.forgetIdle(s, now, 1)
	}
	if freed == 0 {
		freed = t.forgetElsewhere(s, now)
	}
	return freed > 0
}

// forgetElsewhere sweeps the shard at the cursor unless that would have to wait:
// the caller holds a lock already.
func (t *Table) forgetElsewhere(held *Shard, now time.Duration) (freed int) {
	if !t.sweepMu.TryLock() {
		return 0
	}
	defer t.sweepMu.Unlock()
	s := t.Epoch(t.cursor).owner
	if s == held {
		t.cursor = s.prefix + 1<<(64-s.depth)
		s = t.Epoch(t.cursor).owner
	}
	if s == held || !s.mu.TryLock() {
		return 0
	}
	defer s.mu.Unlock()
	if t.Epoch(t.cursor).owner != s {
		return 0
	}
	t.cursor = s.prefix + 1<<(64-s.depth)
	if s.burdened() || now >= s.swept && now-s.swept < roomEvery {
		return 0
	}
	return t.forgetIdle(s, now, 1)
}

// merge rebuilds the shard s, which the caller holds along with the sweep lock,
// and its neighbour as one, when together they fill less than a quarter. Memory
// goes back after a flood.
func (t *Table) merge(s *Shard, now time.Duration) {
	for s.depth > 0 {
		other := t.Epoch(s.prefix ^ 1<<(64-s.depth)).owner
		if s.epoch.used >= maxUsed/4 || !t.mergeWith(s, other, now) {
			return
		}
	}
}

// mergeWith takes the second lock. Nobody else holds two, so waiting for it
// cannot close a circle; other may have been split in the meantime, though.
func (t *Table) mergeWith(s, other *Shard, now time.Duration) bool {
	other.mu.Lock()
	defer other.mu.Unlock()
	if t.Epoch(other.prefix).owner != other || other.depth != s.depth || other == s ||
		s.shared != nil || other.shared != nil || // of two words in use neither may be lost
		s.burdened() || other.burdened() ||
		s.epoch.used+other.epoch.used >= maxUsed/4 {
		return false
	}
	base := max(s.epoch.base, other.epoch.base)
	a, b := t.judge(s.epoch, now), t.judge(other.epoch, now)
	a.base, b.base = base, base
	a.born = max(a.born, b.born)
	olds := [2]contents{s.take(), other.take()}
	s.depth--
	s.prefix &^= 1 << (63 - s.depth)
	s.epoch = &Epoch{owner: s, base: base}
	a.move(olds[0], []*Shard{s})
	b.move(olds[1], []*Shard{s})
	t.finish([]*Shard{s}, a)
	t.dirMu.Lock()
	t.shards--
	t.dirMu.Unlock()
	t.counts.merges.Add(1)
	return true
}

// judge returns a mover that only copies.
func (t *Table) judge(e *Epoch, now time.Duration) *mover { return t.mover(e, now, task{}) }

// shrink halves the directory for as long as no shard needs its last bit.
func (t *Table) shrink() {
	t.dirMu.Lock()
	defer t.dirMu.Unlock()
	for d := t.dir.Load(); d.depth > 0; d = t.dir.Load() {
		half := newDirectory(d.depth - 1)
		for i := range half.epochs {
			e := d.epochs[2*i].Load()
			if e != d.epochs[2*i+1].Load() {
				return
			}
			half.epochs[i].Store(e)
		}
		t.dir.Store(half)
	}
}
