package traffic

import (
	"cmp"
	"slices"

	"github.com/limit64/limit64/cmd/loadgen/internal/check"
)

// Key is what one key asked for and got, in tokens.
type Key struct {
	Name     string `json:"key"`
	Admitted int64  `json:"admitted"`
	Denied   int64  `json:"denied"`
	Allowed  int64  `json:"allowed"`
}

// Check is what the limit allowed against what was admitted, in tokens.
type Check struct {
	// PerKey is the most that one key may have had.
	PerKey int64 `json:"per_key"`
	// Asked is how many keys asked for something, new ones not counted.
	Asked    int   `json:"keys_asked"`
	Admitted int64 `json:"admitted"`
	// Allowed is the sum, over all keys, of what was asked for, but at most PerKey.
	Allowed int64 `json:"allowed"`
	// Cheats is how many keys were admitted more, new ones included; Worst shows
	// the worst of them.
	Cheats int64 `json:"cheats"`
	Worst  []Key `json:"worst"`
}

// OK reports whether contract C1 held. The sum cannot show that: a key that got
// too much may hide behind others that got less, so each key is judged alone.
func (c Check) OK() bool { return c.Cheats == 0 }

// judge holds every key to its bound, and returns the keys that were denied most.
func judge(workers []*worker, spans []check.Span, top int) (c Check, busiest []Key) {
	c.PerKey = check.BoundOf(spans)
	worst, most := newTop(max(top, 1), admitted), newTop(top, denied)
	for i := range workers[0].counts.low {
		k := Key{}
		for _, w := range workers {
			a, d := w.counts.get(i)
			k.Admitted, k.Denied = check.Plus(k.Admitted, a), check.Plus(k.Denied, d)
		}
		asked := check.Plus(k.Admitted, k.Denied)
		if asked == 0 {
			continue
		}
		k.Allowed = min(asked, c.PerKey)
		c.Asked++
		c.Admitted, c.Allowed = check.Plus(c.Admitted, k.Admitted), check.Plus(c.Allowed, k.Allowed)
		if k.Admitted > c.PerKey {
			c.Cheats++
			worst.add(k, i)
		}
		if k.Denied > 0 {
			most.add(k, i)
		}
	}
	for _, w := range workers {
		c.Cheats += w.cheats
	}
	c.Worst = worst.sorted()
	return c, most.sorted()
}

func admitted(k Key) int64 { return k.Admitted }
func denied(k Key) int64   { return k.Denied }

// topKeys keeps the n keys of which by is largest; of equals the first.
type topKeys struct {
	n    int
	by   func(Key) int64
	keys []Key
}

func newTop(n int, by func(Key) int64) *topKeys { return &topKeys{n: n, by: by} }

func (t *topKeys) add(k Key, i int) {
	if t.n == 0 || len(t.keys) >= 2*t.n && t.by(k) <= t.by(t.keys[t.n-1]) {
		return
	}
	k.Name = Name(i)
	if t.keys = append(t.keys, k); len(t.keys) >= 2*t.n {
		t.sort()
	}
}

// sort drops what is beyond n; a name is never compared, since keys come in order.
func (t *topKeys) sort() {
	slices.SortStableFunc(t.keys, func(a, b Key) int { return cmp.Compare(t.by(b), t.by(a)) })
	t.keys = t.keys[:min(t.n, len(t.keys))]
}

func (t *topKeys) sorted() []Key {
	t.sort()
	return t.keys
}
