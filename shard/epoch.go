package shard

import (
	"sync/atomic"
	"time"
	"unsafe"
)

const (
	// slotCount makes an epoch 32,760 bytes: with the allocator's own 8 it fills
	// the 32 KiB size class, and slots lie on multiples of 32.
	slotCount = 1022
	// maxProbe bounds a look-up: 64 slots, 32 cache lines in a row.
	maxProbe = 64
	// homes leaves room behind the last home, so that probing never wraps.
	homes = slotCount - maxProbe + 1
	// maxUsed is the fill at which a shard forgets or splits: 80 %, where a hit
	// still takes 3 slots on average and a miss 13.
	maxUsed = slotCount * 4 / 5
)

// Epoch is the slots of a shard between two rebuilds. Once it is published, owner,
// base and born never change; used belongs to the holder of the lock.
type Epoch struct {
	owner *Shard
	arena atomic.Pointer[byte] // start of the shard's arena; stored before the meta that needs it
	base  time.Duration        // the instant that the words count from; immutable
	born  time.Duration        // no key was dropped later than this instant
	used  int                  // published slots
	_     [16]byte
	slots [slotCount]Slot
}

const slotBytes = int(unsafe.Sizeof(Slot{}))

// homeOf is the first slot of a key: 20 bits of the hash below the directory's.
func homeOf(hash uint64) int { return int(uint64(uint32(hash>>8)) * homes >> 32) }

// Home returns the first slot that a key may lie in.
func (e *Epoch) Home(hash uint64) *Slot {
	// Safety: homeOf is below homes, which is below slotCount.
	return (*Slot)(unsafe.Add(unsafe.Pointer(&e.slots), homeOf(hash)*slotBytes))
}

// Probe returns the key's slot, or nil when it is absent or spilled.
func (e *Epoch) Probe(hash uint64, key string) *Slot {
	s, _ := e.find(hash, key)
	return s
}

// find returns the key's slot, or nil; full says that no empty slot was met, so
// the key may have been spilled (I6).
func (e *Epoch) find(hash uint64, key string) (s *Slot, full bool) {
	if len(key) > inlineKey {
		return e.findLong(hash, key)
	}
	var a, b uint64
	if len(key) >= 8 { // keyWords, inlined
		a, b = longWords(key)
	} else {
		a = shortWords(key)
	}
	return e.findWords(hash, Words{a, b, len(key)})
}

// findWords is find for a key that lies in a slot.
func (e *Epoch) findWords(hash uint64, w Words) (s *Slot, full bool) {
	meta := hash | uint64(w.len+1)
	// Safety: maxProbe slots lie from any home on (slotCount = homes - 1 +
	// maxProbe). Indexing costs a bounds check a slot; an offset never makes a
	// pointer beyond the last one, which the collector would not stand.
	home := unsafe.Pointer(e.Home(hash))
	for offset := 0; offset < maxProbe*slotBytes; offset += slotBytes {
		s = (*Slot)(unsafe.Add(home, offset))
		m := s.meta.Load()
		if m&^ruleMask == meta && s.key[0] == w.a && s.key[1] == w.b {
			return s, false
		}
		if m == 0 {
			return nil, false
		}
	}
	return nil, true
}

func (e *Epoch) findLong(hash uint64, key string) (s *Slot, full bool) {
	meta := metaOf(hash, len(key))
	home := homeOf(hash)
	for i := home; i < home+maxProbe; i++ {
		s := &e.slots[i]
		m := s.meta.Load()
		if m&^ruleMask == meta && e.longKey(s) == key {
			return s, false
		}
		if m == 0 {
			return nil, false
		}
	}
	return nil, true
}

// longKey returns a published slot's key in place.
func (e *Epoch) longKey(s *Slot) string {
	// Safety: insert copied key[1] bytes to the arena at key[0] before it stored
	// meta, and a grown arena begins with the same bytes.
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(e.arena.Load()), int(s.key[0]))), int(s.key[1]))
}

// keyOf appends a published slot's key.
func (e *Epoch) keyOf(to []byte, s *Slot) []byte {
	meta := s.meta.Load()
	if isLong(meta) {
		return append(to, e.longKey(s)...)
	}
	return appendKey(to, s.key[0], s.key[1], int(meta&codeMask)-1)
}

// vacancy returns the first empty slot within the probe bound, or nil.
func (e *Epoch) vacancy(hash uint64) *Slot {
	home := homeOf(hash)
	for i := home; i < home+maxProbe; i++ {
		if e.slots[i].meta.Load() == 0 {
			return &e.slots[i]
		}
	}
	return nil
}
