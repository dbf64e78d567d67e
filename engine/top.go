package engine

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"sync"
)

// Top counts the keys that are refused most, in constant memory: about 250 bytes
// for each of the size keys that it keeps, however many there are. It is the
// sketch Space-Saving (Metwally, Agrawal, El Abbadi, 2005). Of all refusals that
// it was fed, Total in number,
//
//   - Count - Error <= the true number of a key's refusals <= Count;
//   - Error <= Total / size;
//   - a key that was refused more often than Total / size is there.
//
// Feed it with Observe, from the handler of Events, or as the handler: what
// Events drops, Top does not see. It is safe for concurrent use and blocks on a
// mutex; no decision waits for it. Make it with NewTop.
type Top struct {
	mu    sync.Mutex
	heap  topHeap
	known map[topKey]*topEntry
	size  int
	total uint64
}

// topKey is a key, or the first bytes of one that is longer and its hash.
type topKey struct {
	hash      uint64
	length    uint8
	truncated bool
	bytes     [EventKeyBytes]byte
}

type topEntry struct {
	key      topKey
	count    uint64 // refusals, those of the keys that were here before included
	error    uint64 // at most so many of them are not this key's
	position int    // in the heap
}

// MaxTopSize is the most keys that a Top keeps.
const MaxTopSize = 1 << 20

// NewTop keeps size keys.
func NewTop(size int) (*Top, error) {
	if size < 1 || size > MaxTopSize {
		return nil, fmt.Errorf("limit64: top %d keys: must be 1 to %d", size, MaxTopSize)
	}
	return &Top{size: size, heap: make(topHeap, 0, size), known: make(map[topKey]*topEntry, size)}, nil
}

// Observe counts the key of an event that tells of a refusal, also of one that a
// limit only reports, and ignores other events.
func (t *Top) Observe(ev Event) {
	if ev.Reason.OK() {
		return
	}
	key := topKey{hash: ev.Hash, truncated: ev.Truncated}
	key.length = uint8(copy(key.bytes[:], ev.Key))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total++
	switch e := t.known[key]; {
	case e != nil:
		e.count++
		heap.Fix(&t.heap, e.position)
	case len(t.heap) < t.size:
		e = &topEntry{key: key, count: 1}
		t.known[key] = e
		heap.Push(&t.heap, e)
	default:
		// The new key takes the place of the one with the fewest refusals, and
		// may have had as many before: that is its error.
		e = t.heap[0]
		delete(t.known, e.key)
		e.key, e.error = key, e.count
		e.count++
		t.known[key] = e
		heap.Fix(&t.heap, 0)
	}
}

// TopKey is a key that was refused often.
type TopKey struct {
	Key       string
	Truncated bool // Key is only the beginning
	Count     uint64
	Error     uint64
}

// Keys returns the keys kept, the most refused ones first.
func (t *Top) Keys() []TopKey {
	t.mu.Lock()
	keys := make([]TopKey, len(t.heap))
	for i, e := range t.heap {
		keys[i] = TopKey{string(e.key.bytes[:e.key.length]), e.key.truncated, e.count, e.error}
	}
	t.mu.Unlock()
	slices.SortFunc(keys, func(a, b TopKey) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	return keys
}

// Total returns how many refusals it was fed since it was made or reset.
func (t *Top) Total() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// Reset forgets all keys, to look at the next stretch of time.
func (t *Top) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.known)
	clear(t.heap)
	t.heap, t.total = t.heap[:0], 0
}

// topHeap has the entry with the fewest refusals first.
type topHeap []*topEntry

func (h topHeap) Len() int           { return len(h) }
func (h topHeap) Less(i, j int) bool { return h[i].count < h[j].count }
func (h topHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].position, h[j].position = i, j
}

func (h *topHeap) Push(x any) {
	e := x.(*topEntry)
	e.position = len(*h)
	*h = append(*h, e)
}

// Pop is never called: an entry is replaced, not removed.
func (h *topHeap) Pop() any { panic("limit64: popped") }
