package text

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0":          Count(0),
		"-999":       Count(-999),
		"-1,000":     Count(-1000),
		"1,234,567":  Count(1234567),
		"1 (33.3 %)": Share(1, 3),
		"7":          Share(7, 0),
		"999 B":      Size(999),
		"1.5 kB":     Size(1500),
		"54.0 MB":    Size(54_000_000),
		"2.70 GB":    Size(2_700_000_000),
		"1.23s":      Short(1_234_567_890).String(),
		"-1.23ms":    Short(-1_234_567).String(),
		"41ns":       Short(41).String(),
		"16m40s":     Short(1000 * time.Second).String(),
		"a?b é":      Printable("a\x1bb é"),
	} {
		assert.Equal(t, want, got)
	}
}
