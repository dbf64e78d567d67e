package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// The measures.
const (
	nsPerOp     = "ns/decision"
	inFloors    = "floors/decision" // computed: see overFloor
	allocsPerOp = "allocs/decision"
	share       = "share admitted"
	newKey      = "ns/new key"
	bytesPerKey = "B/key"
	collection  = "ms/forced collection"
	pause       = "us/pause in it"
	over        = "admitted/allowed"
	flooded     = "ns while keys flood in"
	swept       = "ns while a sweep runs"
)

// quantiles are those of flooded and swept.
var quantiles = []float64{0.5, 0.99, 0.9999}

// row is one figure. What does not apply is zero.
type row struct {
	round      int
	peer       string
	measure    string
	keys       int
	dist       string
	outcome    string
	goroutines int
	quantile   float64
	value      float64
}

// plan measures everything rounds times. Peers take turns, each starting in turn,
// and only one limiter is alive at a time, so that nobody pays for the garbage
// collection of somebody else's keys.
type plan struct {
	keys, goroutines []int
	rounds, flood    int
	trial            time.Duration
	progress         io.Writer

	rows []row
	at   row // the row being measured
}

func (p *plan) run() []row {
	for p.at.round = range p.rounds {
		for _, n := range p.keys {
			keys := newKeys(n)
			order, visits := inserted(keys), map[string][]string{uniform: keys}
			if n > 1 {
				visits[zipf] = sequence(keys, zipf)
			}
			for _, outcome := range outcomesFor(n) {
				p.eachPeer(fmt.Sprintf("%d keys, %s", n, outcome), func(peer Peer) { p.resident(peer, order, visits, outcome) })
			}
		}
		keys := newKeys(p.flood)
		p.eachPeer("stalls and bounds", func(peer Peer) { p.stress(peer, keys) })
	}
	return p.rows
}

// outcomesFor leaves out what one key cannot be, and what would take long with
// millions of keys.
func outcomesFor(keys int) []string {
	switch {
	case keys == 1:
		return []string{admitted, denied}
	case keys > 1_000_000:
		return []string{admitted}
	}
	return []string{admitted, denied, mixed}
}

func (p *plan) eachPeer(what string, measure func(Peer)) {
	turn := p.at.round % len(peers)
	start := time.Now()
	for _, peer := range slices.Concat(peers[turn:], peers[:turn]) {
		p.at = row{round: p.at.round, peer: peer.name}
		measure(peer)
	}
	fmt.Fprintf(p.progress, "round %d of %d: %s: %v\n", p.at.round+1, p.rounds, what, time.Since(start).Round(time.Millisecond))
}

func (p *plan) note(measure string, value float64) {
	r := p.at
	r.measure, r.value = measure, value
	p.rows = append(p.rows, r)
}

// resident measures a peer that knows all keys, after they were put in.
func (p *plan) resident(peer Peer, keys []string, visits map[string][]string, outcome string) {
	p.at.keys, p.at.outcome = len(keys), outcome
	before := heap()
	l := opened(peer, outcome, len(keys))
	defer shut(l)
	start := time.Now()
	fill(l, keys)
	filled := time.Since(start)
	if outcome == admitted && len(keys) >= 1_000_000 {
		p.note(newKey, float64(filled)/float64(len(keys)))
		took, paused := collect()
		p.note(collection, float64(took)/1e6)
		p.note(pause, float64(paused)/1e3)
		p.note(bytesPerKey, float64(heap()-before)/float64(len(keys)))
	}
	for _, p.at.dist = range []string{uniform, zipf} {
		if visits[p.at.dist] == nil {
			continue
		}
		for _, p.at.goroutines = range p.goroutines {
			drive(l, visits[p.at.dist], p.at.goroutines, p.trial/4) // warms up
			t := drive(l, visits[p.at.dist], p.at.goroutines, p.trial)
			p.note(nsPerOp, t.nsPerOp())
			p.note(allocsPerOp, t.allocsPerOp())
			p.note(share, t.share())
		}
	}
}

// stress measures what a peer admits and how long it stalls under load.
func (p *plan) stress(peer Peer, keys []string) {
	if peer.name != floorName {
		p.note(over, overAdmission(peer, 4*p.trial))
	}
	p.noteQuantiles(flooded, whileFlooded(peer, keys))
	if peer.sweeps || peer.name == floorName {
		p.noteQuantiles(swept, whileSwept(peer, keys, 8*p.trial))
	}
	runtime.GC()
}

func (p *plan) noteQuantiles(measure string, took []time.Duration) {
	for _, p.at.quantile = range quantiles {
		p.note(measure, quantile(took, p.at.quantile))
	}
	p.at.quantile = 0
}

// heap is the live heap in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the first one leaves what finalizers and pools kept
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// collect forces a collection and returns how long it took, and stopped the world.
func collect() (took, paused time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	runtime.GC()
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return took, time.Duration(after.PauseTotalNs - before.PauseTotalNs)
}
