package shard

import (
	"sync/atomic"
	"unsafe"
)

// seal is the top bit of a word: the word has moved or is gone.
const seal = 1 << 63

// Sealed reports whether a loaded word is sealed: look the key up again.
func Sealed(word uint64) bool { return word&seal != 0 }

// Value returns a word without its seal.
func Value(word uint64) uint64 { return word &^ seal }

// Slot holds one key and its word. Its address stays valid for as long as
// somebody keeps it, also after its epoch has ended; its word is then sealed.
type Slot struct {
	word atomic.Uint64 // callers of Find by compare-and-swap; sealed by the lock holder
	meta atomic.Uint64 // stored once by insert; 0: empty, nothing else may be read
	key  [2]uint64     // written before meta; see keyWords
}

var _ [32]struct{} = [unsafe.Sizeof(Slot{})]struct{}{}

// Load returns the word.
func (s *Slot) Load() uint64 { return s.word.Load() }

// CompareAndSwap replaces an unsealed word and reports whether it did. It is the
// linearization point of whatever the new value means.
func (s *Slot) CompareAndSwap(old, next uint64) bool { return s.word.CompareAndSwap(old, next) }

// longKey is the length code of a key that lies in the arena; key[0] is then its
// offset and key[1] its length.
const longKey = 18

// inlineKey is the longest key that lies in the slot.
const inlineKey = 16

// The meta of a slot is what finds its key, and the number of the key's rule:
//
//	63 ... 20   19 ... 8   7 ... 0
//	hash        rule       length code, 1 to 18: never 0
const (
	ruleShift = 8
	hashShift = 20
	ruleMask  = 1<<hashShift - 1<<ruleShift
	codeMask  = 1<<ruleShift - 1
)

// MaxRules is how many rules a table can tell apart.
const MaxRules = 1 << (hashShift - ruleShift)

// metaOf is the meta of a key under rule 0. The hash has no bits below hashShift.
func metaOf(hash uint64, length int) uint64 {
	if length > inlineKey {
		return hash | longKey
	}
	return hash | uint64(length+1)
}

// withRule returns a meta with another rule.
func withRule(meta uint64, rule uint16) uint64 { return meta&^ruleMask | uint64(rule)<<ruleShift }

// ruleOf returns the number of the rule that the word is written by.
func ruleOf(meta uint64) uint16 { return uint16(meta >> ruleShift & (MaxRules - 1)) }

// hashOf returns the hash that meta keeps.
func hashOf(meta uint64) uint64 { return meta >> hashShift << hashShift }

// isLong reports whether the key lies in the arena.
func isLong(meta uint64) bool { return meta&codeMask == longKey }

// Rule returns the number of the rule that the slot's word is written by. It
// never changes: a key that gets another rule gets another slot.
func (s *Slot) Rule() uint16 { return ruleOf(s.meta.Load()) }

// Holds reports whether a slot holds a key, if it has 8 to 16 bytes: for others the
// answer is no.
func (s *Slot) Holds(hash uint64, key string) bool {
	if uint(len(key)-8) > inlineKey-8 || s.meta.Load()&^ruleMask != hash|uint64(len(key)+1) {
		return false
	}
	a, b := longWords(key)
	return s.key[0] == a && s.key[1] == b
}

// keyWords packs a key of at most 16 bytes into two words, one to one for each
// length: the two loads may overlap, but together they cover every byte.
func keyWords(key string) (a, b uint64) {
	if len(key) >= 8 {
		return longWords(key)
	}
	return shortWords(key), 0
}

// longWords is keyWords for 8 to 16 bytes. It is inlined.
func longWords(key string) (a, b uint64) {
	// Safety: both loads stay inside the key's bytes.
	p := unsafe.Pointer(unsafe.StringData(key))
	return load64(p), load64(unsafe.Add(p, len(key)-8))
}

func shortWords(key string) uint64 {
	// Safety: as in longWords.
	p, n := unsafe.Pointer(unsafe.StringData(key)), len(key)
	switch {
	case n >= 4:
		return uint64(load32(p)) | uint64(load32(unsafe.Add(p, n-4)))<<32
	case n > 0:
		return uint64(key[0]) | uint64(key[n/2])<<8 | uint64(key[n-1])<<16
	}
	return 0
}

// The loads are in the machine's own byte order: words never leave the process.
func load64(p unsafe.Pointer) uint64 { return *(*uint64)(p) }
func load32(p unsafe.Pointer) uint32 { return *(*uint32)(p) }

// appendKey undoes keyWords.
func appendKey(to []byte, a, b uint64, n int) []byte {
	var buf [inlineKey]byte
	p := unsafe.Pointer(&buf)
	switch {
	case n >= 8:
		*(*uint64)(p) = a
		*(*uint64)(unsafe.Add(p, n-8)) = b
	case n >= 4:
		*(*uint32)(p) = uint32(a)
		*(*uint32)(unsafe.Add(p, n-4)) = uint32(a >> 32)
	case n > 0:
		buf[0], buf[n/2], buf[n-1] = byte(a), byte(a>>8), byte(a>>16)
	}
	return append(to, buf[:n]...)
}
