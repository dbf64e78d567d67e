package engine

import "time"

// sweeper is the optional background goroutine that sweeps the whole table.
type sweeper struct{ stop, done chan struct{} }

func startSweeper(e *Engine, every time.Duration) *sweeper {
	s := &sweeper{stop: make(chan struct{}), done: make(chan struct{})}
	go s.run(e, every)
	return s
}

func (s *sweeper) run(e *Engine, every time.Duration) {
	defer close(s.done)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			e.Sweep()
		}
	}
}

// close stops the goroutine and waits until it is gone.
func (s *sweeper) close() {
	close(s.stop)
	<-s.done
}
