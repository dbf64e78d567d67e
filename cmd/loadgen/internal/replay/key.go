package replay

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limit64/limit64/cmd/loadgen/internal/accesslog"
)

// keyFuncs are the ways to tell clients apart, by the name that -key takes.
var keyFuncs = map[string]func(accesslog.Entry) string{
	"ip":      func(e accesslog.Entry) string { return composeKey(e.Addr) },
	"path":    func(e accesslog.Entry) string { return composeKey(e.Path) },
	"ip+path": func(e accesslog.Entry) string { return composeKey(e.Addr, e.Path) },
}

// composeKey joins parts to one key, unambiguously: the space that joins them is
// escaped inside a part. Joining with "_" alone would give ("a_b", "c") and
// ("a", "b_c") one bucket. All that is not printable is escaped as well, so that
// the key can be shown as it is: a request may hold a terminal's control codes.
func composeKey(parts ...string) string {
	if len(parts) == 1 && plain(parts[0]) {
		return parts[0]
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		writeEscaped(&b, p)
	}
	return b.String()
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || s[i] == '\\' {
			return false
		}
	}
	return true
}

func writeEscaped(b *strings.Builder, s string) {
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == ' ' || !strconv.IsPrint(r) || r == utf8.RuneError && size == 1:
			for i := range size {
				fmt.Fprintf(b, `\x%02x`, s[i])
			}
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
}
