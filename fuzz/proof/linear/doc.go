// Package linear checks that the engine is linearizable: goroutines take, peek,
// return and forget on a few keys with a few tokens while the table is rebuilt
// under them, and porcupine looks for an order of their calls in which the exact
// sequential model of fuzz/model gives the same answers. Sweeps, splits and moves
// of the base are no calls of the model: they must not change any answer.
//
// The same histories run once more in a copy of the module whose table yields
// the processor at every window of its protocol (testdata/yields.patch), and in
// one that does not seal the words it moves (testdata/no-seal.patch), which the
// check must refute.
package linear
