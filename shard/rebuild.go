package shard

import "time"

// task says what a rebuild does beside copying.
type task struct {
	forget bool  // drop idle words
	split  bool  // into two shards, by the next bit of the hash
	drop   *Slot // drop this one, idle or not

	// assign, unless nil, names the rule that a slot's key has from now on.
	assign func(*Slot) uint16
}

// rebuild makes the next epoch of a shard, under its lock:
//
//  1. Every published word is sealed. An idle one, when forgetting, by
//     compare-and-swap from the value that was judged, so that a request that got
//     in first keeps it alive; every other one by an atomic or.
//  2. What was sealed without being dropped is copied, rebased, to the next epoch,
//     which nobody sees yet.
//  3. The directory is pointed at the next epoch. From here on requests find it.
//
// A request between 1 and 3 meets a sealed word and waits for the lock.
//
// Do not copy first and seal later: a request that spends in between spends from
// a word that is about to be replaced by its older copy.
func (t *Table) rebuild(s *Shard, now time.Duration, p task) (dropped int) {
	shards := []*Shard{s}
	m := t.mover(s.epoch, now, p)
	old := s.take()
	if p.split {
		shards = append(shards, s.sibling())
	}
	for _, to := range shards {
		to.epoch = &Epoch{owner: to, base: m.base}
	}
	m.move(old, shards)
	t.finish(shards, m)
	return m.dropped
}

// finish publishes the epochs that a mover has filled.
func (t *Table) finish(shards []*Shard, m *mover) {
	if m.base != 0 {
		t.moved.Store(true) // before the epoch is published: see Base
	}
	for _, to := range shards {
		to.epoch.born = m.born
	}
	t.at(beforePublish)
	t.point(shards)
	t.keys.Add(-int64(m.dropped))
	t.counts.forgotten.Add(uint64(m.dropped))
	if m.base != m.from {
		t.counts.rebases.Add(1)
	}
}

// contents is what a shard holds beside its lock and its place.
type contents struct {
	epoch  *Epoch
	spill  map[string]*Slot
	shared *Slot
}

// take empties a shard.
func (s *Shard) take() contents {
	c := contents{s.epoch, s.spill, s.shared}
	s.epoch, s.arena, s.spill, s.shared = nil, nil, nil, nil
	return c
}

// mover carries the words of an epoch to the next.
type mover struct {
	rules      Rules
	task       task
	from       time.Duration // base of the old epoch
	dt         uint64        // now, relative to from
	base, born time.Duration // of the next epoch
	dropped    int
}

func (t *Table) mover(e *Epoch, now time.Duration, p task) *mover {
	m := &mover{rules: t.rules, task: p, from: e.base, base: e.base, born: e.born, dt: since(now, e.base)}
	if m.dt > t.rules.Span() {
		m.base += time.Duration(t.rules.Advance(m.dt))
	}
	if p.forget {
		m.born = max(m.born, now)
	}
	return m
}

// move seals every word of old and copies those that are kept to the shard that
// their hash selects.
func (m *mover) move(old contents, shards []*Shard) {
	for i := range old.epoch.slots {
		slot := &old.epoch.slots[i]
		meta := slot.meta.Load()
		if meta == 0 {
			continue
		}
		if meta, value, keep := m.seal(slot, meta); keep {
			pick(shards, meta).receive(old.epoch, slot, meta, value)
		}
	}
	for key, slot := range old.spill {
		if meta, value, keep := m.seal(slot, slot.meta.Load()); keep {
			pick(shards, meta).receiveSpilled(key, meta, value)
		}
	}
	for _, s := range shards {
		s.patience = 0
	}
	if old.shared == nil {
		return
	}
	dropped := m.dropped
	meta, value, keep := m.seal(old.shared, old.shared.meta.Load())
	if m.dropped = dropped; !keep { // it is no key
		return
	}
	for _, s := range shards {
		s.shared = newShared(ruleOf(meta), value)
	}
}

// pick returns the shard of two that the hash bit at their depth selects.
func pick(shards []*Shard, meta uint64) *Shard {
	if len(shards) == 1 || hashOf(meta)>>(64-shards[0].depth)&1 == 0 {
		return shards[0]
	}
	return shards[1]
}

// seal seals a word (I2) and returns what the next epoch's slot holds, or keep =
// false when the key was dropped.
func (m *mover) seal(slot *Slot, meta uint64) (nextMeta, value uint64, keep bool) {
	rule := ruleOf(meta)
	if m.task.forget && m.sealIdle(slot, rule) {
		m.dropped++
		return 0, 0, false
	}
	v := slot.word.Or(seal) &^ seal
	if slot == m.task.drop {
		m.dropped++
		return 0, 0, false
	}
	v = m.rebased(rule, v)
	if m.task.assign != nil {
		if to := m.task.assign(slot); to != rule {
			v, meta = m.rules.Convert(rule, to, v, m.nextDt()), withRule(meta, to)
		}
	}
	return meta, v, true
}

// sealIdle seals a word if it is idle, unless a request gets in first.
func (m *mover) sealIdle(slot *Slot, rule uint16) bool {
	v := slot.word.Load()
	return m.idle(rule, v) && slot.word.CompareAndSwap(v, v|seal)
}

// idle judges a value at now, once it counts from the next epoch's base.
func (m *mover) idle(rule uint16, v uint64) bool {
	return m.rules.Idle(rule, m.rebased(rule, v), m.nextDt())
}

// nextDt is now, relative to the next epoch's base.
func (m *mover) nextDt() uint64 { return m.dt - uint64(m.base-m.from) }

func (m *mover) rebased(rule uint16, v uint64) uint64 {
	if m.base == m.from {
		return v
	}
	return m.rules.Rebase(rule, v, uint64(m.base-m.from))
}

// receive copies a slot of the epoch from, with a new value, to an epoch that
// nobody sees yet.
func (s *Shard) receive(from *Epoch, slot *Slot, meta, value uint64) {
	to := s.epoch.vacancy(hashOf(meta))
	if to == nil {
		s.spillKey(string(from.keyOf(nil, slot)), meta, value)
		return
	}
	to.key = slot.key
	if isLong(meta) {
		to.key = s.store(from.longKey(slot))
	}
	s.fill(to, meta, value)
}

// receiveSpilled is receive for a spilled key, which may now find a slot.
func (s *Shard) receiveSpilled(key string, meta, value uint64) {
	to := s.epoch.vacancy(hashOf(meta))
	if to == nil {
		s.spillKey(key, meta, value)
		return
	}
	s.setKey(to, key)
	s.fill(to, meta, value)
}

// split rebuilds a shard as two and reports whether it could. The directory may
// hold 16 entries for each shard: keys that agree in the bits that select a shard
// (only an attacker finds many) cannot make it grow without bound; they spill.
func (t *Table) split(s *Shard, now time.Duration) bool {
	t.dirMu.Lock()
	d := t.dir.Load()
	can := d.depth > s.depth || len(d.epochs) < 16*t.shards && s.depth < maxDepth
	t.dirMu.Unlock()
	if !can {
		return false
	}
	t.rebuild(s, now, task{split: true})
	t.counts.splits.Add(1)
	return true
}

// maxDepth keeps the directory's bits apart from those that choose a home.
const maxDepth = 24

// sibling deepens s by one bit and returns the new shard of the upper half.
func (s *Shard) sibling() *Shard {
	s.depth++
	return &Shard{table: s.table, depth: s.depth, prefix: s.prefix | 1<<(64-s.depth), swept: s.swept}
}

// point makes the directory name the shards' current epochs, doubling it first
// when they are deeper than it is.
func (t *Table) point(shards []*Shard) {
	t.dirMu.Lock()
	defer t.dirMu.Unlock()
	d := t.dir.Load()
	grown := d
	if depth := shards[0].depth; depth > d.depth {
		grown = newDirectory(depth)
		for i := range grown.epochs {
			grown.epochs[i].Store(d.epochs[i/2].Load())
		}
	}
	for _, s := range shards {
		lo := grown.index(s.prefix)
		for i := lo; i < lo+1<<(grown.depth-s.depth); i++ {
			grown.epochs[i].Store(s.epoch)
		}
	}
	t.shards += len(shards) - 1
	if grown != d {
		t.dir.Store(grown)
	}
}
