package bucket

import "time"

// Word is where a key's value is stored, for a [Turns] that changes it while others
// change it too.
type Word interface {
	// Load returns the value and the instant that it counts from, so that now
	// lies in the rule's span; ok is false when there is none.
	Load(now time.Duration) (v uint64, base time.Duration, ok bool)
	// CompareAndSwap replaces the value that Load returned last, unless it has
	// changed, and reports whether it did.
	CompareAndSwap(old, next uint64) bool
}

// Turns remembers the promised turns of one key under a token or leaky bucket, so
// that each can be cancelled: what a turn was charged goes back as far as the
// turns that are kept allow. Those keep their instants, so tokens that would have
// overflowed before one of them do not come back while it is kept:
//
//	one token a second, burst 1, taken at 0: turns at 1 s and at 2 s
//	cancel the first, and give its token back: the next turn is at 2 s, too,
//	and two pass at once
//
// The value is always that of a key that saw only the turns that were kept: in the
// order in which they were granted, C = max(C, earned at the turn) + n. When all
// are cancelled, in any order, it is what it was before them. Tokens taken without
// a turn in between count as taken at the next call of a method, by which a little
// less may go back, never more.
//
// Turns are in no word: the list costs memory for each turn ahead, until its
// instant has passed. A Turns is not safe for concurrent use, but the word may be
// changed meanwhile by whoever does not lower it. Once a word has been lowered by
// others, a key forgotten for example, its turns cannot be cancelled any more.
//
// The zero Turns is not ready: see NewTurns.
type Turns struct {
	rule        *spent
	first, last *Promise // in the order they were granted
	tail        uint64   // the word after the last call, counted from base
	base        time.Duration
	newest      time.Duration // the newest instant that a caller has shown
	length      int           // of the list
	enough      int           // entries after which those that have passed are merged
}

// Promise is one turn of a Turns.
type Promise struct {
	of         *Turns // nil once it is cancelled or has passed
	prev, next *Promise
	at         time.Duration
	taken      bool   // not to be cancelled: taken without a turn, or merged
	cost       uint64 // units charged; of tokens taken without a turn as well
	slack      uint64 // units by which C before it may sink and still be earned
	held       uint64 // units that cannot go back while it is kept
}

// NewTurns returns an empty list, or nil for a rule that promises nothing ahead.
func NewTurns(r Rule) *Turns {
	if s, ok := r.(*spent); ok {
		return &Turns{rule: s}
	}
	return nil
}

// Empty reports whether no turn can be cancelled any more at now.
func (t *Turns) Empty(now time.Duration) bool {
	t.newest = max(t.newest, now)
	// Only from the front: a turn that has passed still keeps what was granted
	// before it from going back.
	for t.first != nil && t.settled(t.first) {
		t.unlink(t.first)
	}
	return t.first == nil
}

// Reserve is Rule.Reserve on a word. A granted turn comes with the promise to
// cancel it by. ok is false when there is no word.
func (t *Turns) Reserve(w Word, n int64, longest, now time.Duration) (turn Turn, p *Promise, ok bool) {
	t.Empty(now)
	end := Never - max(now, 0) // no clock shows what comes after it
	for {
		v, base, ok := w.Load(now)
		if !ok {
			return turn, nil, false
		}
		dt := Since(now, base)
		next, turn := t.rule.Reserve(v, dt, n, min(longest, end))
		if !turn.OK() {
			if turn.Delay > end {
				turn.RetryAfter = Never
			}
			return turn, nil, true
		}
		if !w.CompareAndSwap(v, next) {
			continue
		}
		t.see(v, base)
		at := dt + uint64(turn.Delay)
		p = &Promise{of: t, at: base + time.Duration(at)}
		t.push(p, v, next, at)
		return turn, p, true
	}
}

// Cancel gives a turn back, and reports whether it could: neither twice nor after
// its instant.
func (t *Turns) Cancel(w Word, p *Promise, now time.Duration) bool {
	t.Empty(now)
	if p.of != t || t.settled(p) {
		return false
	}
	t.lower(w, p.next, p.cost+p.held)
	if p.of == nil { // the word is no longer the one that was charged
		return false
	}
	t.unlink(p)
	return true
}

// Return gives back n tokens that were taken without a turn, or at a turn that has
// passed: of these, what was taken last.
func (t *Turns) Return(w Word, n int64, now time.Duration) {
	if n > 0 {
		t.giveBack(w, t.units(n), now)
	}
}

// Undo is Rule.Undo beside turns: it takes an admission of n tokens back that was
// made elapsed nanoseconds before now.
func (t *Turns) Undo(w Word, n int64, elapsed uint64, now time.Duration) {
	if n <= 0 || elapsed > t.rule.span {
		return
	}
	units, lost := t.units(n), t.rule.earn.ceil(elapsed)
	t.giveBack(w, units-min(units, lost), now)
}

func (t *Turns) units(n int64) uint64 {
	if uint64(n) > MaxValue/t.rule.unit.d {
		return MaxValue
	}
	return uint64(n) * t.rule.unit.d
}

func (t *Turns) giveBack(w Word, units uint64, now time.Duration) {
	t.Empty(now)
	v, base, ok := w.Load(t.newest)
	if !ok || units == 0 {
		return
	}
	t.see(v, base)
	out := uint64(0)
	for p := t.last; p != nil && units > 0; p = p.prev {
		if t.settled(p) {
			back := min(units, p.cost)
			p.cost, units = p.cost-back, units-back
			out += pass(p.next, back)
		}
	}
	t.lower(w, nil, out+pass(t.first, units))
}

// lower gives units back through the turns from p on, never above the capacity.
func (t *Turns) lower(w Word, p *Promise, units uint64) {
	units = pass(p, units)
	for {
		v, base, ok := w.Load(t.newest)
		if !ok || t.first != nil && v < t.tailAt(base) {
			t.clear()
			return
		}
		// Whatever was taken since the last call keeps its share, like a turn.
		units = pass(t.see(v, base), units)
		next := v
		k, _ := t.rule.earned(Since(t.newest, base))
		if v > k {
			next = max(v-min(v, units), k)
		}
		if next == v || w.CompareAndSwap(v, next) {
			t.tail = next
			t.full(next, k)
			return
		}
	}
}

// full notes that the word v came from giving something back, when K was k: what
// comes back later, from before this, cannot have left the bucket fuller than full
// at this instant, either.
func (t *Turns) full(v, k uint64) {
	if t.first == nil {
		return
	}
	p := t.last
	if !p.taken || p.cost > 0 {
		p = &Promise{of: t, taken: true, slack: MaxValue}
		t.append(p)
	}
	p.at, p.slack = t.newest, min(p.slack, v-min(v, k))
}

// pass takes units through p and all after it, and returns what comes out.
func pass(p *Promise, units uint64) uint64 {
	for ; p != nil && units > 0; p = p.next {
		through := min(units, p.slack)
		p.slack -= through
		p.held = min(p.held+units-through, MaxValue)
		units = through
	}
	return units
}

// see brings the list up to the value v, and returns what was taken by others since
// the last call as one more entry, or nil.
func (t *Turns) see(v uint64, base time.Duration) (taken *Promise) {
	tail := t.tailAt(base)
	t.tail, t.base = v, base
	switch {
	case t.first == nil:
		return nil
	case v < tail:
		t.clear()
		return nil
	case v == tail:
		return nil
	}
	taken = &Promise{of: t, at: t.newest, taken: true}
	t.push(taken, tail, v, min(Since(t.newest, base), t.rule.span))
	return taken
}

// tailAt is the tail counted from a base.
func (t *Turns) tailAt(base time.Duration) uint64 {
	return t.rule.Rebase(t.tail, Since(base, t.base))
}

// push appends what took the word from v to next at dt.
func (t *Turns) push(p *Promise, v, next, dt uint64) {
	k, fraction := t.rule.earned(dt)
	p.cost = next - v
	if from := k + fraction; from <= v {
		p.slack = v - from
	} else if !p.taken {
		p.held, p.cost = from-v, next-from
	}
	t.append(p)
	t.tail = next
}

func (t *Turns) append(p *Promise) {
	if t.length++; t.length > t.enough {
		t.merge()
		t.enough = 2*t.length + 8
	}
	if p.prev = t.last; t.last == nil {
		t.first = p
	} else {
		t.last.next = p
	}
	t.last = p
}

func (t *Turns) unlink(p *Promise) {
	if p.of == nil {
		return
	}
	p.of = nil
	t.length--
	if p.prev == nil {
		t.first = p.next
	} else {
		p.prev.next = p.next
	}
	if p.next == nil {
		t.last = p.prev
	} else {
		p.next.prev = p.prev
	}
}

// merge makes one entry of neighbours that cannot be cancelled: what passes through
// both passes through the one with the least slack. So the list stays within a few
// times the turns ahead, however long the first of them keeps the others. What the
// first of the two was charged comes back through the second: where that may be in
// the way, it cannot be given back by itself any more.
func (t *Turns) merge() {
	for p := t.first; p != nil && p.next != nil; {
		next := p.next
		if !t.settled(p) || !t.settled(next) {
			p = next
			continue
		}
		if next.slack < p.slack+p.cost {
			p.cost = 0
		}
		p.at, p.slack, p.taken = max(p.at, next.at), min(p.slack, next.slack), true
		p.cost = min(p.cost+next.cost, MaxValue)
		t.unlink(next)
	}
}

// settled reports whether an entry cannot be cancelled.
func (t *Turns) settled(p *Promise) bool { return p.taken || p.at < t.newest }

// clear forgets all turns.
func (t *Turns) clear() {
	for t.first != nil {
		t.unlink(t.first)
	}
}
