package engine

import (
	"context"
	"iter"
)

// Pace hands out the items of a queue at the pace of a limit: each when its turn
// has come, see Engine.Wait. Ask names the key and the tokens of an item. Several
// workers may range over the same queue and engine; the limit holds for all of
// them together, and each takes the next item only when it is done with the last,
// so that a full queue pushes back on whoever fills it.
//
//	for upload, err := range engine.Pace(ctx, limiter, queue, byTenant) {
//		if err != nil {
//			putBack(upload) // or report that it can never fit
//			continue
//		}
//		send(upload)
//	}
//
// An item comes with an error when it must not go ahead: a RefusedError when its
// cost can never fit, and then the next one is tried, or the context's error when
// that ended while the item waited. The loop ends when the queue is closed and
// empty, or the context ends. No item is lost, and no goroutine is started.
func Pace[T any](ctx context.Context, e *Engine, queue <-chan T, ask func(T) (key string, n int64)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case item, open := <-queue:
				if !open {
					return
				}
				key, n := ask(item)
				if !yield(item, e.Wait(ctx, key, n)) {
					return
				}
			}
		}
	}
}
