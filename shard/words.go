package shard

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// Words is a key of 8 or 16 bytes that never was a string: an integer, an address.
// It is the same key as its bytes, most significant first.
type Words struct {
	a, b uint64 // as keyWords packs them
	len  int
}

// Uint64 returns the key of an integer.
func Uint64(x uint64) Words {
	w := native(x)
	return Words{w, w, 8}
}

// Uint128 returns the key of an integer of 16 bytes, such as an IPv6 address.
func Uint128(hi, lo uint64) Words { return Words{native(hi), native(lo), 16} }

// Addr returns the key of an address: the 16 bytes of its IPv6 form without a zone,
// so that 1.2.3.4 is ::ffff:1.2.3.4, and the zero Addr is ::.
func Addr(a netip.Addr) Words { return Uint128(AddrBits(a)) }

// AddrBits returns the same 16 bytes as two integers.
func AddrBits(a netip.Addr) (hi, lo uint64) {
	if a.Zone() != "" {
		a = a.WithZone("")
	}
	// Not As16: its array is copied by 16 bytes that were stored by 8, which stalls.
	var buf [16]byte
	switch b, _ := a.AppendBinary(buf[:0]); len(b) { // never an error
	case 4:
		return 0, 0xffff<<32 | uint64(binary.BigEndian.Uint32(b))
	case 16:
		return binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	}
	return 0, 0
}

// native returns what the machine loads from the bytes of x, most significant
// first.
func native(x uint64) uint64 {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], x)
	return binary.NativeEndian.Uint64(b[:])
}

// Append appends the bytes of the key.
func (w Words) Append(to []byte) []byte { return appendKey(to, w.a, w.b, w.len) }

// HashUint64 is Hash for the bytes of a key of Uint64: XXH64 with its loops
// unrolled. It is inlined.
func (t *Table) HashUint64(w Words) uint64 { return finish(mix(prime5+8, w.a)) & t.hashMask }

// HashUint128 is HashUint64 for a key of Uint128.
func (t *Table) HashUint128(w Words) uint64 {
	return finish(mix(mix(prime5+16, w.a), w.b)) & t.hashMask
}

const (
	prime1 uint64 = 0x9e3779b185ebca87
	prime2 uint64 = 0xc2b2ae3d27d4eb4f
	prime3 uint64 = 0x165667b19e3779f9
	prime4 uint64 = 0x85ebca77c2b2ae63
	prime5 uint64 = 0x27d4eb2f165667c5
)

// mix takes eight bytes, the first in the low bits, into a hash.
func mix(h, eight uint64) uint64 {
	var b [8]byte
	binary.NativeEndian.PutUint64(b[:], eight)
	h ^= bits.RotateLeft64(binary.LittleEndian.Uint64(b[:])*prime2, 31) * prime1
	return bits.RotateLeft64(h, 27)*prime1 + prime4
}

func finish(h uint64) uint64 {
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}

// HoldsWords reports whether a slot holds a key.
func (s *Slot) HoldsWords(hash uint64, w Words) bool {
	return s.meta.Load()&^ruleMask == hash|uint64(w.len+1) && s.key[0] == w.a && s.key[1] == w.b
}

// ProbeWords is Probe for such a key.
func (e *Epoch) ProbeWords(hash uint64, w Words) *Slot {
	s, _ := e.findWords(hash, w)
	return s
}
