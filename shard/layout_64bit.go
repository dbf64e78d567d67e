//go:build amd64 || arm64 || ppc64 || ppc64le || mips64 || mips64le || riscv64 || s390x || loong64

package shard

import "unsafe"

// The allocator puts 8 bytes before an object with pointers: header and slots
// then fill the 32,768-byte class, and every slot lies on a multiple of 32.
var (
	_ [32760]struct{} = [unsafe.Sizeof(Epoch{})]struct{}{}
	_ [56]struct{}    = [unsafe.Offsetof(Epoch{}.slots)]struct{}{}
)
