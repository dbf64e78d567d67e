package replay

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
)

func TestComposedKeysAreUnambiguous(t *testing.T) {
	parts := []string{"", "-", "a", "b_c", "a_b", "c", " ", "a ", " b", `\`, `a\`, `\x20`, "\x20a", "\xff", `\xff`, "ÿ", "\n", "\x1b[31m"}
	seen := map[string][2]string{}
	for _, a := range parts {
		for _, b := range parts {
			k := composeKey(a, b)
			other, taken := seen[k]
			assert.False(t, taken, "%q is both %q and %q", k, other, [2]string{a, b})
			seen[k] = [2]string{a, b}
			assert.NotContains(t, k, "\x1b")
			assert.NotContains(t, k, "\n")
		}
	}
}

func TestKeysReadWell(t *testing.T) {
	e := accesslog.Entry{Addr: "2001:db8::1", Path: "/a b/é"}
	assert.Equal(t, "2001:db8::1", keyFuncs["ip"](e))
	assert.Equal(t, `/a\x20b/é`, keyFuncs["path"](e))
	assert.Equal(t, `2001:db8::1 /a\x20b/é`, keyFuncs["ip+path"](e))
}
