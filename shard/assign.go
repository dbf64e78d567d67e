package shard

import "time"

// Reassign gives a key the rule that Assign names for its plan now, and reports
// whether the key was there. What it has used stays used. It blocks on the key's
// shard.
func (t *Table) Reassign(hash uint64, key string, plan int, now time.Duration) bool {
	s := t.lock(hash)
	defer s.mu.Unlock()
	slot := s.lookup(hash, key)
	if slot == nil {
		return false
	}
	if to := t.rules.Assign(key, plan); to != slot.Rule() {
		t.reassign(s, now, func(other *Slot) bool { return other == slot }, to)
	}
	return true
}

// Replace gives every key of one rule another one. A key that is made while it
// goes on, by an Assign that still names the old rule, is among them if Assign had
// stopped naming it before Replace was called. It blocks each shard in turn, and
// whoever sweeps for the whole of it, but no decision longer than a rebuild takes.
func (t *Table) Replace(from, to uint16, now time.Duration) {
	t.sweepMu.Lock() // shards may split meanwhile, but not merge across the cursor
	defer t.sweepMu.Unlock()
	for cursor, first := uint64(0), true; first || cursor != 0; first = false {
		s := t.lock(cursor)
		if s.any(from) {
			t.reassign(s, now, func(slot *Slot) bool { return slot.Rule() == from }, to)
		}
		cursor = s.prefix + 1<<(64-s.depth)
		s.mu.Unlock()
	}
}

func (t *Table) reassign(s *Shard, now time.Duration, which func(*Slot) bool, to uint16) {
	t.rebuild(s, now, task{assign: func(slot *Slot) uint16 {
		if which(slot) {
			return to
		}
		return slot.Rule()
	}})
}

// any reports whether a shard has a word of a rule.
func (s *Shard) any(rule uint16) bool {
	for i := range s.epoch.slots {
		if meta := s.epoch.slots[i].meta.Load(); meta != 0 && ruleOf(meta) == rule {
			return true
		}
	}
	for _, slot := range s.spill {
		if slot.Rule() == rule {
			return true
		}
	}
	return s.shared != nil && s.shared.Rule() == rule
}
