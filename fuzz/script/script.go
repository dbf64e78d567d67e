// Package script is what fuzz targets read out of a fuzzer's bytes: a list of
// operations on a few keys at instants that go on. Every string of bytes is a
// script, and every script has bytes, so that a seed can be written as operations.
package script

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// Kind is what an operation does.
type Kind uint8

// The kinds of operations.
const (
	Take Kind = iota
	Peek
	Return
	Forget
	Sweep
	Limit // to the limit number N
	kinds
)

var names = [kinds]string{"take", "peek", "return", "forget", "sweep", "limit"}

// Op is one operation.
type Op struct {
	Kind Kind
	Key  uint8
	N    int64         // tokens, or the number of a limit
	Step time.Duration // since the operation before; never negative
}

// String shows the operation as in "take 3 of 7 after 1s".
func (o Op) String() string {
	return fmt.Sprintf("%s %d of %d after %v", names[o.Kind], o.N, o.Key, o.Step)
}

// Encode appends the bytes of operations: kind, key, then N and step as
// varints.
func Encode(to []byte, ops ...Op) []byte {
	for _, o := range ops {
		to = append(to, byte(o.Kind), o.Key)
		to = binary.AppendVarint(to, o.N)
		to = binary.AppendUvarint(to, uint64(o.Step))
	}
	return to
}

// Decode reads operations until the bytes end, or do not make another. A kind
// that there is not, and a step of 2^63 or more, lose what is too much.
func Decode(data []byte) (ops []Op) {
	for len(data) >= 4 {
		o := Op{Kind: Kind(data[0] % byte(kinds)), Key: data[1]}
		n, size := binary.Varint(data[2:])
		if size <= 0 {
			return ops
		}
		data = data[2+size:]
		step, size := binary.Uvarint(data)
		if size <= 0 {
			return ops
		}
		data = data[size:]
		o.N, o.Step = n, time.Duration(step&math.MaxInt64)
		ops = append(ops, o)
	}
	return ops
}

// Draw returns a random script, for seeds and for tests that are no fuzz targets.
// Steps are often 0, and at most longest; costs are around what most allow.
func Draw(rng *rand.Rand, length, keys int, most int64, longest time.Duration) []Op {
	ops := make([]Op, length)
	for i := range ops {
		o := Op{Key: uint8(rng.IntN(keys)), N: 1 + rng.Int64N(most+1)}
		switch rng.IntN(24) {
		case 0, 1:
			o.Kind = Peek
		case 2, 3:
			o.Kind = Return
		case 4:
			o.Kind = Sweep
		case 5:
			o.N = rng.Int64() - rng.Int64()
		case 6:
			if rng.IntN(4) == 0 {
				o.Kind = Forget
			}
		}
		if rng.IntN(3) > 0 {
			o.Step = time.Duration(rng.Int64N(int64(longest)>>rng.IntN(20) + 1))
		}
		ops[i] = o
	}
	return ops
}

// Text lists operations for a failure's message.
func Text(ops []Op) string {
	var b strings.Builder
	for i, o := range ops {
		fmt.Fprintf(&b, "%4d %v\n", i, o)
	}
	return b.String()
}
