package main

import (
	"encoding/binary"
	"math/rand/v2"
)

const keyLen = 16

// newKeys returns n distinct keys of 16 bytes, shuffled with a fixed seed. They
// share one allocation.
func newKeys(n int) []string {
	all := make([]byte, keyLen*n)
	for i := range n {
		binary.LittleEndian.PutUint64(all[keyLen*i:], uint64(i)*0x9e3779b97f4a7c15)
		binary.LittleEndian.PutUint64(all[keyLen*i+8:], uint64(i))
	}
	text := string(all)
	keys := make([]string, n)
	for i := range keys {
		keys[i] = text[keyLen*i : keyLen*(i+1)]
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// even reports the half of the keys that a key belongs to.
func even(key string) bool { return key[8]&1 == 0 }

// The distributions. Uniform visits every key in turn in shuffled order, which is
// the worst case of any cache; zipf draws keys with exponent 1.1.
const (
	uniform = "uniform"
	zipf    = "zipf 1.1"
)

// zipfDraws is the length after which a sequence of draws repeats.
const zipfDraws = 1 << 20

// sequence returns the keys in the order in which trials visit them, again and again.
func sequence(keys []string, dist string) []string {
	if dist == uniform {
		return keys
	}
	draw := rand.NewZipf(rand.New(rand.NewPCG(3, 4)), 1.1, 1, uint64(len(keys)-1))
	visits := make([]string, zipfDraws)
	for i := range visits {
		visits[i] = keys[draw.Uint64()]
	}
	return visits
}
