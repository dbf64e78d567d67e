package traffic

import (
	"math/rand/v2"
	"strconv"
)

// nameBytes is the length of every key: what lies in a slot of the engine's table.
const nameBytes = 16

// appendName writes the name of a key; number 0 is the busiest.
func appendName(buf []byte, key uint64) []byte { return appendPadded(append(buf, "client-"...), key) }

// appendNew writes the name of a key that was never seen before.
func appendNew(buf []byte, key uint64) []byte { return appendPadded(append(buf, "new-"...), key) }

// Name is the name of a key as reports show it.
func Name(key int) string { return string(appendName(nil, uint64(key))) }

// appendPadded fills buf up with a number, two digits at a time: it is a good part
// of what the generator itself costs. The number has fewer digits than there is
// room.
func appendPadded(buf []byte, n uint64) []byte {
	buf = append(buf, "0000000000000000"[len(buf):]...)
	at := nameBytes
	for ; n >= 10; n /= 100 {
		at -= 2
		copy(buf[at:], digits[n%100])
	}
	if n > 0 {
		buf[at-1] = byte('0' + n)
	}
	return buf
}

var digits = func() (p [100]string) {
	for i := range p {
		p[i] = strconv.Itoa(100 + i)[1:]
	}
	return p
}()

// chooser draws keys.
type chooser interface{ next() uint32 }

func newChooser(ph Phase, keys int, rng *rand.Rand) chooser {
	switch ph.Dist {
	case "uniform":
		return uniform{rng, uint32(keys)}
	case "hot":
		return hot{rng, uint32(keys), ph.HotShare}
	}
	return newZipf(rng, ph.Skew, keys, ph.Requests)
}

type uniform struct {
	rng  *rand.Rand
	keys uint32
}

func (u uniform) next() uint32 { return u.rng.Uint32N(u.keys) }

// hot gives key 0 its share of the requests, and the others the rest.
type hot struct {
	rng   *rand.Rand
	keys  uint32
	share float64
}

func (h hot) next() uint32 {
	if h.keys == 1 || h.rng.Float64() < h.share {
		return 0
	}
	return 1 + h.rng.Uint32N(h.keys-1)
}

const (
	// ringDraws is how many keys are drawn before the start. A draw from the Zipf
	// distribution costs as much as a decision, so drawing all of them on the way
	// would halve the figures and hide what is measured.
	ringDraws = 1 << 20
	// redrawEvery is how many requests lie between two that draw anew, so that a
	// long run comes to all of the tail.
	redrawEvery = 16
)

// zipf goes round a ring of draws.
type zipf struct {
	draw   *rand.Zipf
	ring   []uint32
	at     int
	redraw int
}

func newZipf(rng *rand.Rand, skew float64, keys int, requests int64) *zipf {
	n := int64(ringDraws)
	if requests > 0 {
		n = min(n, requests)
	}
	z := &zipf{draw: rand.NewZipf(rng, skew, 1, uint64(keys-1)), ring: make([]uint32, n), redraw: redrawEvery}
	for i := range z.ring {
		z.ring[i] = uint32(z.draw.Uint64())
	}
	return z
}

func (z *zipf) next() uint32 {
	key := z.ring[z.at]
	if z.redraw--; z.redraw == 0 {
		z.redraw, z.ring[z.at] = redrawEvery, uint32(z.draw.Uint64())
	}
	if z.at++; z.at == len(z.ring) {
		z.at = 0
	}
	return key
}
