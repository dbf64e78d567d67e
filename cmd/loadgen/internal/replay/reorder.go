package replay

import "time"

// maxHeld bounds the reorder buffer: 24 MB. A log with more requests than this
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
	held     []request // a heap, the earliest on top
	newest   int64     // the latest time seen
	released int64     // the time of the last request released
	any      bool      // one was released
	late     int64     // came after a later one was released
	seq      int64
}

// request is one line of the log, by the client it counts for.
type request struct {
	at     int64 // nanoseconds since 1970
	seq    int64 // position in the log
	client *client
}

func (q request) before(p request) bool { return q.at < p.at || q.at == p.at && q.seq < p.seq }

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
	r.push(request{at: at, seq: r.seq, client: c})
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

// push and pop are container/heap without its two allocations a request.
func (r *reorder) push(q request) {
	r.held = append(r.held, q)
	h, i := r.held, len(r.held)-1
	for i > 0 && q.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = q
}

func (r *reorder) pop() {
	h := r.held
	top, q := h[0], h[len(h)-1]
	h[len(h)-1] = request{} // its client may be garbage from now on
	h = h[:len(h)-1]
	r.held = h
	for i := 0; len(h) > 0; {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if child >= len(h) || q.before(h[child]) {
			h[i] = q
			break
		}
		h[i] = h[child]
		i = child
	}
	r.released, r.any = top.at, true
	r.release(top)
}
