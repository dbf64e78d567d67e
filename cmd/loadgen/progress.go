package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/limit64/limit64/cmd/loadgen/internal/text"
	"github.com/limit64/limit64/cmd/loadgen/internal/traffic"
)

const progressSteps = 1000

// isTerminal says whether a live line may be shown: in a file it would be rubbish.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// startProgress returns what shows a run's progress, nil where w is no terminal,
// and what ends it.
func startProgress(w io.Writer) (onTick func(traffic.Progress), end func()) {
	if !isTerminal(w) {
		return nil, func() {}
	}
	bar := stepBar(w)
	onTick = func(p traffic.Progress) {
		bar.Describe(progressText(p))
		// One short of the end: the bar calls the last step the end.
		_ = bar.Set(min(int(p.Done*progressSteps), progressSteps-1))
	}
	return onTick, func() { _ = bar.Finish() } // a line that cannot be cleared stops nothing
}

func stepBar(w io.Writer) *progressbar.ProgressBar {
	return progressbar.NewOptions(progressSteps, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish())
}

// plainProgress shows a share done.
func plainProgress(w io.Writer, what string) (tick func(done float64), end func()) {
	if !isTerminal(w) {
		return func(float64) {}, func() {}
	}
	bar := stepBar(w)
	bar.Describe(what)
	return func(done float64) { _ = bar.Set(min(int(done*progressSteps), progressSteps-1)) }, func() { _ = bar.Finish() }
}

// progressText describes the last interval.
func progressText(p traffic.Progress) string {
	return fmt.Sprintf("%s: %5.2f M/s, admitted %s, denied %s, 50 %% %v, 99 %% %v, heap %s, pause %v", p.Phase, p.PerSecond(p.Requests)/1e6,
		text.Percent(p.Admitted, p.Requests), text.Percent(p.Denied, p.Requests),
		text.Short(p.P50), text.Short(p.P99), text.Size(p.Heap), text.Short(p.Pauses.Max))
}

// fileProgress shows how far a file has been read, with rate and time left.
func fileProgress(w io.Writer, size int64) (at func(read int64, lines int), end func()) {
	if !isTerminal(w) || size <= 0 {
		return func(int64, int) {}, func() {}
	}
	bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(20), progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	start := time.Now()
	at = func(read int64, lines int) {
		bar.Describe(fmt.Sprintf("%s lines, %s a second", text.Count(int64(lines)), text.Count(int64(float64(lines)/max(time.Since(start), 1).Seconds()))))
		_ = bar.Set64(min(read, size-1))
	}
	return at, func() { _ = bar.Finish() }
}
