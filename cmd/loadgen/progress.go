package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const (
	progressEvery = 200 * time.Millisecond
	progressSteps = 1000
)

// startProgress shows a live line until the function it returns is called. It
// shows nothing where w is not a terminal: in a file the line would be rubbish.
func startProgress(w io.Writer, c *demoCmd, workers []*worker) (end func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func() {}
	}
	bar := progressbar.NewOptions(progressSteps, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish())
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		start, before := time.Now(), int64(0)
		for {
			select {
			case <-stop:
				_ = bar.Finish() // a progress line that cannot be cleared stops nothing
				return
			case <-tick.C:
				requests, admitted := sum(workers)
				bar.Describe(progressText(requests-before, requests, admitted))
				_ = bar.Set(c.progress(time.Since(start), requests))
				before = requests
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}

// progressText describes the last interval and the run so far.
func progressText(news, requests, admitted int64) string {
	rate := float64(news) / progressEvery.Seconds()
	return fmt.Sprintf("%6.2f million requests a second, %4.1f %% admitted", rate/1e6, 100*float64(admitted)/float64(max(requests, 1)))
}

// progress is how far the run is, in steps. It stops one short: the bar calls
// the last one the end.
func (c *demoCmd) progress(elapsed time.Duration, requests int64) int {
	done := float64(elapsed) / float64(c.Duration)
	if c.Requests > 0 {
		done = float64(requests) / float64(c.Requests)
	}
	return min(int(done*progressSteps), progressSteps-1)
}

func sum(workers []*worker) (requests, admitted int64) {
	for _, w := range workers {
		requests += w.doneNow.Load()
		admitted += w.admittedNow.Load()
	}
	return requests, admitted
}
