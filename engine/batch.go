package engine

import "time"

// Request is one request of a batch.
type Request struct {
	Key string
	N   int64
	// Decision is filled in by TakeBatch.
	Decision Decision
}

// batchSize is how many slots are looked up before the first is decided: enough
// to keep the processor's line fill buffers busy, and all of them still in the
// first cache when their turn comes.
const batchSize = 64

// TakeBatch decides many requests, on one reading of the clock, as if they were
// taken one after the other in order, also where a key repeats. On keys that are
// not in the processor's caches it costs a fraction of as many calls of Take. It
// is not atomic: requests of others come in between.
func (e *Engine) TakeBatch(batch []Request) { e.TakeBatchAt(batch, e.Now()) }

// TakeBatchAt is TakeBatch at an instant of the engine's clock.
func (e *Engine) TakeBatchAt(batch []Request, now time.Duration) {
	if e.words == nil {
		for i := range batch {
			r := &batch[i]
			r.Decision = e.TakeAt(r.Key, r.N, now)
		}
		return
	}
	for len(batch) > 0 {
		n := min(batchSize, len(batch))
		e.takeChunk(batch[:n], now)
		batch = batch[n:]
	}
}

func (e *Engine) takeChunk(batch []Request, now time.Duration) {
	var hashes [batchSize]uint64
	for i := range batch {
		hashes[i] = e.words.table.Hash(batch[i].Key)
	}
	e.words.table.Touch(hashes[:len(batch)])
	var counted tally // once for all: each atomic addition ends the overlap of misses
	for i := range batch {
		r := &batch[i]
		e.takeHashed(&r.Decision, &counted, hashes[i], r.Key, r.N, now)
	}
	e.counts.add(&counted)
}
