package replay

import (
	"container/heap"
	"time"
)

// maxHeld bounds the reorder buffer: 40 MB. A log with more requests than this
// inside one window is sorted within a shorter one; what that misplaces is
// counted like everything else that comes too late.
const maxHeld = 1 << 20

// reorder sorts requests by time within a window: servers log a request when it
// ends, so lines are out of order by up to the longest request. It holds a
// request until one arrives that is a whole window later. Requests of the same
// instant keep the order in which they were logged.
type reorder struct {
	window   time.Duration
	most     int
	release  func(request)
	held     requestHeap
	newest   int64 // the latest time seen
	released int64 // the time of the last request released
	any      bool  // one was released
	late     int64 // came after a later one was released
	seq      int64
}

// request is one line of the log, by the client it counts for.
type request struct {
	at     int64 // nanoseconds since 1970
	seq    int64 // position in the log
	client *client
}

func newReorder(window time.Duration, most int, release func(request)) *reorder {
	return &reorder{window: window, most: most, release: release}
}

// add takes the next request of the log. One that comes too late to be sorted
// is counted, and released at once at the instant of the last one released:
// time never runs backwards for a key.
func (r *reorder) add(at int64, c *client) {
	r.seq++
	r.newest = max(r.newest, at)
	if r.any && at < r.released {
		r.late++
		r.release(request{at: r.released, seq: r.seq, client: c})
		return
	}
	heap.Push(&r.held, request{at: at, seq: r.seq, client: c})
	for len(r.held) > r.most || r.held[0].at < r.newest-int64(r.window) {
		r.pop()
	}
}

// flush releases all that is held: the log has ended.
func (r *reorder) flush() {
	for len(r.held) > 0 {
		r.pop()
	}
}

func (r *reorder) pop() {
	q := heap.Pop(&r.held).(request)
	r.released, r.any = q.at, true
	r.release(q)
}

type requestHeap []request

func (h requestHeap) Len() int      { return len(h) }
func (h requestHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h requestHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h *requestHeap) Push(x any) { *h = append(*h, x.(request)) }
func (h *requestHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
