package bucket

import "math/bits"

// Convert expresses the value v of one rule by another, for a limit that changes
// at dt while its key is in use. What was used stays used:
//
//   - Windows keep the count of the window that dt falls in: raising 2 to 100
//     leaves 98, lowering 100 to 50 with 60 used denies until the window ends.
//   - Token and leaky bucket keep what was used when the burst is lowered, and
//     what was left when it is raised, so that a change never hands out tokens
//     that were not earned. The debt that remains is at most a burst, unless it
//     was larger before.
//   - Between windows and buckets the number of tokens used is carried over.
//
// An idle value becomes one that is full from dt on. Fractions are rounded against
// the caller: by less than a unit between buckets, by less than a token otherwise.
func Convert(from, to Rule, v, dt uint64) uint64 {
	if from.Idle(v, dt) {
		return to.Fresh(dt)
	}
	switch a := from.(type) {
	case *spent:
		if b, ok := to.(*spent); ok {
			return b.convert(a, v, dt)
		}
	case *window:
		if b, ok := to.(*window); ok && a.period.d == b.period.d {
			return b.packed(a.unpack(v))
		}
	case *counter:
		if b, ok := to.(*counter); ok && a.period.d == b.period.d {
			return b.packed(a.unpack(v))
		}
	}
	used, at := from.used(v, dt)
	return to.charged(used, from.Limit().Capacity(), at)
}

func (s *spent) convert(from *spent, v, dt uint64) uint64 {
	k, _ := from.earned(dt)
	hi, lo := bits.Mul64(v-k, s.unit.d)
	if hi >= from.unit.d {
		hi, lo = 0, MaxValue // more than any value holds
	}
	owed, rest := bits.Div64(hi, lo, from.unit.d)
	if rest != 0 {
		owed++
	}
	return s.owing(owed, from.burst, dt)
}

// owing returns the value at dt of a key that has used so many units of another
// burst, in tokens.
func (s *spent) owing(owed uint64, burst int64, dt uint64) uint64 {
	if s.burst >= burst {
		owed += uint64(s.burst-burst) * s.unit.d
	} else if most := 2 * s.capacity; owed > most {
		less := uint64(MaxValue)
		if hi, lo := bits.Mul64(uint64(burst-s.burst), s.unit.d); hi == 0 {
			less = lo
		}
		owed = max(most, owed-min(owed, less))
	}
	if owed > s.capacity && !s.owes.Load() {
		s.owes.Store(true) // see newest
	}
	k, fraction := s.earned(dt)
	return min(MaxValue, k+fraction+min(MaxValue/2, owed))
}

func (s *spent) used(v, dt uint64) (tokens, at uint64) {
	k, _ := s.earned(dt)
	tokens, rest := s.unit.Div(v - k)
	if rest != 0 {
		tokens++
	}
	return tokens, dt
}

func (s *spent) charged(used uint64, capacity int64, dt uint64) uint64 {
	hi, owed := bits.Mul64(used, s.unit.d)
	if hi != 0 {
		owed = MaxValue
	}
	return s.owing(min(MaxValue, owed), capacity, dt)
}

func (w *window) used(v, dt uint64) (tokens, at uint64) {
	index, elapsed, used := w.view(v, dt)
	return used, index*w.period.d + elapsed
}

func (w *window) charged(used uint64, _ int64, at uint64) uint64 {
	index, _ := w.period.Div(at)
	return w.packed(index, used)
}

// packed packs a count of another limit. One that has no room, since the rule
// was made without a word of the other limit, is cut to what has.
func (w *window) packed(index, used uint64) uint64 {
	return w.pack(index, min(used, 1<<w.usedBits-1))
}

func (c *counter) used(v, dt uint64) (tokens, at uint64) {
	s := c.view(v, dt)
	return s.cur + c.weighted(s), s.index*c.period.d + s.elapsed
}

func (c *counter) charged(used uint64, _ int64, at uint64) uint64 {
	index, _ := c.period.Div(at)
	return c.packed(index, 0, used)
}

// packed is pack for counts of another limit, as with window.
func (c *counter) packed(index, prev, cur uint64) uint64 {
	most := uint64(1<<c.prevBits-1) << c.shift // no more than what cur holds, rounded to steps
	return c.pack(index, min(prev, most), min(cur, most, 1<<c.curBits-1))
}
