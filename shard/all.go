package shard

import "iter"

// All iterates over the keys and their slots. It sees every key that is in the
// table from start to end once, and those that come or go meanwhile once or not
// at all; it holds one shard's lock only while it copies that shard's keys, so
// the loop's body may call the table.
func (t *Table) All() iter.Seq2[string, *Slot] {
	return func(yield func(string, *Slot) bool) {
		for cursor, first := uint64(0), true; first || cursor != 0; first = false {
			s := t.lock(cursor)
			keys, slots := s.list()
			// A shard may have been merged into a wider one since the last step:
			// its keys below the cursor were seen already.
			from, end := cursor, s.prefix+1<<(64-s.depth)
			s.mu.Unlock()
			for i, key := range keys {
				if hashOf(slots[i].meta.Load()) >= from && !yield(key, slots[i]) {
					return
				}
			}
			cursor = end
		}
	}
}

// list copies the keys of a shard, under its lock.
func (s *Shard) list() (keys []string, slots []*Slot) {
	for i := range s.epoch.slots {
		if slot := &s.epoch.slots[i]; slot.meta.Load() != 0 {
			keys, slots = append(keys, string(s.epoch.keyOf(nil, slot))), append(slots, slot)
		}
	}
	for key, slot := range s.spill {
		keys, slots = append(keys, key), append(slots, slot)
	}
	return keys, slots
}
