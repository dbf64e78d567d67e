package shard

import (
	"iter"
	"time"
)

// Entry is a key with its word, as it was at some moment.
type Entry struct {
	Key   string
	Value uint64        // what the word held
	Rule  uint16        // what wrote it
	Base  time.Duration // what it counts from
}

// All iterates over the keys and their words. It sees every key that is in the
// table from start to end once, and those that come or go meanwhile once or not
// at all; it holds one shard's lock only while it copies that shard's keys, so
// the loop's body may call the table.
func (t *Table) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		var entries []Entry
		for cursor, first := uint64(0), true; first || cursor != 0; first = false {
			s := t.lock(cursor)
			// A shard may have been merged into a wider one since the last step:
			// its keys below the cursor were seen already.
			entries = s.list(entries[:0], cursor)
			cursor = s.prefix + 1<<(64-s.depth)
			s.mu.Unlock()
			for _, e := range entries {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// list appends the keys of a shard whose hash is not below from, under its lock.
func (s *Shard) list(to []Entry, from uint64) []Entry {
	for i := range s.epoch.slots {
		slot := &s.epoch.slots[i]
		if meta := slot.meta.Load(); meta != 0 && hashOf(meta) >= from {
			to = append(to, s.entry(string(s.epoch.keyOf(nil, slot)), slot))
		}
	}
	for key, slot := range s.spill {
		if hashOf(slot.meta.Load()) >= from {
			to = append(to, s.entry(key, slot))
		}
	}
	return to
}

func (s *Shard) entry(key string, slot *Slot) Entry {
	return Entry{key, Value(slot.Load()), slot.Rule(), s.epoch.base}
}

// Rebase gives an empty table another base, and says that nothing was dropped
// after born. It reports false, and changes nothing, when there are keys.
func (t *Table) Rebase(base, born time.Duration) bool {
	s := t.lock(0)
	defer s.mu.Unlock()
	if s.depth != 0 || t.Len() != 0 {
		return false
	}
	t.moved.Store(true)
	s.take()
	s.epoch = &Epoch{owner: s, base: base, born: born}
	t.point([]*Shard{s})
	return true
}
