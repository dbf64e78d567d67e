package engine

import (
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/limit64/limit64/shard"
)

// AllowUint64 is Allow for an integer: the same key as its 8 bytes, most
// significant first. Only a sliding window log, and Events when it is told, make a
// string of it.
func (e *Engine) AllowUint64(key uint64) bool {
	var d Decision
	e.takeUint64(&d, key, 1, e.Now())
	return d.OK
}

// TakeUint64 is Take for an integer.
func (e *Engine) TakeUint64(key uint64, n int64) Decision { return e.TakeUint64At(key, n, e.Now()) }

// TakeUint64At is TakeAt for an integer.
func (e *Engine) TakeUint64At(key uint64, n int64, now time.Duration) (d Decision) {
	e.takeUint64(&d, key, n, now)
	return d
}

// AllowAddr is Allow for an address: the same key as the 16 bytes of its IPv6 form,
// of which Config may keep a prefix only. 1.2.3.4 and ::ffff:1.2.3.4 are one key,
// zones make no difference, and the zero Addr is ::.
func (e *Engine) AllowAddr(key netip.Addr) bool {
	var d Decision
	e.takeAddr(&d, key, 1, e.Now())
	return d.OK
}

// TakeAddr is Take for an address.
func (e *Engine) TakeAddr(key netip.Addr, n int64) Decision { return e.TakeAddrAt(key, n, e.Now()) }

// TakeAddrAt is TakeAt for an address.
func (e *Engine) TakeAddrAt(key netip.Addr, n int64, now time.Duration) (d Decision) {
	e.takeAddr(&d, key, n, now)
	return d
}

// AppendAddr appends the key that an address is, for the methods that take keys in
// bytes:
//
//	var buf [16]byte
//	d := e.PeekBytes(e.AppendAddr(buf[:0], addr), 1)
//
// For an integer, binary.BigEndian.AppendUint64 does the same.
func (e *Engine) AppendAddr(b []byte, key netip.Addr) []byte {
	return e.prefix.words(key).Append(b)
}

// uint64Key and addrKey make the string for what the fast paths leave over: new keys,
// sealed words, logs.
func uint64Key(key uint64) string { return string(binary.BigEndian.AppendUint64(nil, key)) }

func (e *Engine) addrKey(key netip.Addr) string { return string(e.AppendAddr(nil, key)) }

// prefixes are the bits of addresses that make keys, as masks. An IPv4 address has
// its bits at the end, behind 96 that IPv6 gives it.
type prefixes struct{ v4, v6 [2]uint64 }

func newPrefixes(c Config) prefixes {
	v4, v6 := 128, 128
	if c.IPv4Prefix > 0 {
		v4 = 96 + c.IPv4Prefix
	}
	if c.IPv6Prefix > 0 {
		v6 = c.IPv6Prefix
	}
	return prefixes{maskOf(v4), maskOf(v6)}
}

// maskOf returns the mask of the first bits of 128.
func maskOf(bits int) [2]uint64 {
	return [2]uint64{^(^uint64(0) >> min(bits, 64)), ^(^uint64(0) >> max(bits-64, 0))}
}

func (p *prefixes) words(key netip.Addr) shard.Words {
	hi, lo := shard.AddrBits(key)
	mask := &p.v6
	if hi == 0 && lo>>32 == 0xffff {
		mask = &p.v4
	}
	return shard.Uint128(hi&mask[0], lo&mask[1])
}
