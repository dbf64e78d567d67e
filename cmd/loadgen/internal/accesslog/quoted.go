package accesslog

import (
	"errors"
	"strconv"
	"strings"
)

var errQuote = errors.New("no closing quote")

// quoted reads a field in double quotes, after spaces, and resolves its escapes.
func quoted(s string) (field, rest string, err error) {
	s = strings.TrimLeft(s, " ")
	if s == "" || s[0] != '"' {
		return "", "", errors.New("no opening quote")
	}
	end := closingQuote(s[1:])
	if end < 0 {
		return "", "", errQuote
	}
	return unescape(s[1 : 1+end]), s[end+2:], nil
}

// closingQuote returns where the first quote is that no backslash escapes. A
// backslash escapes the byte after it, itself included: in `\\"` the quote
// closes, so looking at the one byte before a quote is not enough.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unescape resolves what Apache and nginx write: \" \\ \n \r \t \v \b and \xhh.
// Any other backslash stands for itself.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, width := escape(s[i:])
		b.WriteByte(c)
		i += width - 1
	}
	return b.String()
}

var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', 'b': '\b'}

// escape returns the byte that s starts with, and how many bytes of s write it.
func escape(s string) (c byte, width int) {
	if s[0] != '\\' || len(s) < 2 {
		return s[0], 1
	}
	if c, ok := simpleEscapes[s[1]]; ok {
		return c, 2
	}
	if s[1] == 'x' && len(s) >= 4 {
		if n, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
			return byte(n), 4
		}
	}
	return s[0], 1
}
