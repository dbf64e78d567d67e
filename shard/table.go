package shard

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// Rules says what values mean. Each key has one of at most MaxRules rules, and
// its slot keeps the number. The table calls it under a shard's lock.
type Rules interface {
	// Assign names the rule of a key that is made now. The plan is what the
	// caller of Acquire said.
	Assign(key string, plan int) (rule uint16)
	// Shared names the rule of the words that keys without room share.
	Shared() (rule uint16)
	// Span is the largest dt, in nanoseconds since a base, that the values of
	// all rules can hold.
	Span() uint64
	// Advance returns how far to move the base for dt.
	Advance(dt uint64) uint64
	// Idle reports whether v answers like Fresh(rule, dt) from dt on.
	Idle(rule uint16, v, dt uint64) bool
	// Fresh is the value of a key that is full from dt on.
	Fresh(rule uint16, dt uint64) uint64
	// Rebase expresses v relative to a base delta later.
	Rebase(rule uint16, v, delta uint64) uint64
	// Convert expresses v by another rule: what was used stays used.
	Convert(from, to uint16, v, dt uint64) uint64
}

// Options configure a table. The zero value means the defaults.
type Options struct {
	// MaxKeys bounds the keys held; 0 means no bound.
	MaxKeys int
	// Share gives keys that find the table full one word per shard to share,
	// instead of a refusal.
	Share bool
	// Depth is the logarithm of the shards to start with; 0 means one shard.
	Depth int
	// HashBits is how many bits of the hash are used; 0 means all 64, negative
	// means none: every key has the same hash. For tests.
	HashBits int
}

// Table maps keys to words. It is safe for concurrent use. Make one with New.
type Table struct {
	dir      atomic.Pointer[directory] // replaced under dirMu
	hashMask uint64
	rules    Rules
	maxKeys  int64
	share    bool

	moved atomic.Bool // set before the first epoch with a base other than 0 is published

	keys    atomic.Int64 // keys in the table, or being inserted
	unpaid  atomic.Uint32
	dirMu   sync.Mutex // guards dir, its entries, and shards
	shards  int
	sweepMu sync.Mutex // guards cursor; held by whoever sweeps
	cursor  uint64     // hash from which the next sweep starts
	counts  counts

	hook func(point) // tests only: called at the windows of the protocol
}

// directory names the epoch of every value of the hash's top bits.
type directory struct {
	depth  uint8 // how many bits
	epochs []atomic.Pointer[Epoch]
}

func newDirectory(depth uint8) *directory {
	return &directory{depth: depth, epochs: make([]atomic.Pointer[Epoch], 1<<depth)}
}

// index returns the entry of a hash. The shifts are two because one by 64 costs
// more: the processor's own counts modulo 64.
func (d *directory) index(hash uint64) uint64 { return hash >> 1 >> ((63 - d.depth) & 63) }

// Shard is one stripe of the table: a lock and what it guards.
type Shard struct {
	table  *Table
	mu     sync.Mutex
	epoch  *Epoch
	arena  []byte           // long keys of the epoch
	spill  map[string]*Slot // keys that found no slot; Go's map is seeded
	shared *Slot            // the word of keys that found the table full
	prefix uint64           // the hash bits on top that select this shard
	depth  uint8            // how many they are
	swept  time.Duration    // instant of the last look for idle keys

	patience int // inserts without a slot until the next such look
}

// New returns an empty table.
func New(rules Rules, o Options) *Table {
	t := &Table{rules: rules, maxKeys: int64(o.MaxKeys), share: o.Share, hashMask: ^uint64(0) >> hashShift << hashShift}
	if o.HashBits != 0 {
		t.hashMask &^= ^uint64(0) >> max(0, o.HashBits)
	}
	d := newDirectory(uint8(o.Depth))
	for i := range d.epochs {
		s := &Shard{table: t, depth: uint8(o.Depth), prefix: uint64(i) << (64 - o.Depth), swept: -1}
		s.epoch = &Epoch{owner: s}
		d.epochs[i].Store(s.epoch)
	}
	t.shards = len(d.epochs)
	t.dir.Store(d)
	return t
}

// Hash returns the hash that the other methods take along with the key: its top
// 44 bits, since a slot keeps no more.
func (t *Table) Hash(key string) uint64 { return xxhash.Sum64String(key) & t.hashMask }

// Epoch returns the epoch in which a key with the hash lies.
func (t *Table) Epoch(hash uint64) *Epoch {
	d := t.dir.Load()
	// Safety: there is an entry for every index.
	entry := unsafe.Add(unsafe.Pointer(unsafe.SliceData(d.epochs)), uintptr(d.index(hash))*unsafe.Sizeof(d.epochs[0]))
	return (*atomic.Pointer[Epoch])(entry).Load()
}

// Find returns the key's slot and the instant that its word counts from; slot is
// nil when the key is absent or spilled. It is lock-free, and does not keep key.
func (t *Table) Find(hash uint64, key string) (base time.Duration, slot *Slot) {
	e := t.Epoch(hash)
	// Most keys lie in their home slot: no second call for them.
	if slot = e.Home(hash); !slot.Holds(hash, key) {
		slot = e.Probe(hash, key)
	}
	return t.Base(e), slot
}

// Touch loads the home slot of every hash, so that the caches' misses overlap,
// and returns something that depends on each of them: without it nothing would
// be loaded.
func (t *Table) Touch(hashes []uint64) (mixed uint64) {
	for _, hash := range hashes {
		mixed ^= t.Epoch(hash).Home(hash).meta.Load()
	}
	return mixed
}

// Base returns the epoch's base. It leaves the epoch's header alone as long as
// no base has ever moved, which is so for years with most limits: the header is a
// cache line and a page of its own (a decision on 5e6 keys, in floors of the same
// run: 4.2 with it, 3.1 without). An epoch with another base is published after moved is set, so who
// has seen the epoch sees that.
func (t *Table) Base(e *Epoch) time.Duration {
	if !t.moved.Load() {
		return 0
	}
	return e.base
}

// Lookup is Find that also finds spilled keys: where the probe bound was
// reached it blocks on the shard's lock. Born is the
// instant that a key which is made now is full from.
func (t *Table) Lookup(hash uint64, key string) (base time.Duration, slot *Slot, born time.Duration) {
	e := t.Epoch(hash)
	slot, full := e.find(hash, key)
	if slot == nil && !full {
		return e.base, nil, e.born
	}
	if slot != nil && !Sealed(slot.Load()) {
		return e.base, slot, e.born
	}
	s := t.lock(hash)
	defer s.mu.Unlock()
	return s.epoch.base, s.lookup(hash, key), s.epoch.born
}

// lock locks the shard that the hash selects. A split or merge may move the
// hash to another shard while this one is waited for; then it tries again.
func (t *Table) lock(hash uint64) *Shard {
	for {
		s := t.Epoch(hash).owner
		s.mu.Lock()
		if t.Epoch(hash).owner == s {
			return s
		}
		s.mu.Unlock()
	}
}

// lookup finds a key under the shard's lock.
func (s *Shard) lookup(hash uint64, key string) *Slot {
	slot, full := s.epoch.find(hash, key)
	if full {
		return s.spill[key]
	}
	return slot
}

// Len returns the number of keys held, idle ones included until they are swept.
func (t *Table) Len() int { return int(t.keys.Load()) }

// Bytes makes the table's Options and methods usable with a []byte key: it
// returns a string that shares b, which the table never keeps.
func Bytes(b []byte) string {
	// Safety: the string does not outlive the call that it is passed to.
	return unsafe.String(unsafe.SliceData(b), len(b))
}
