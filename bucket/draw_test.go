package bucket

import (
	"math/rand/v2"
	"time"
)

// DrawLimit draws a valid limit of an algorithm, with numbers of every size.
func DrawLimit(rng *rand.Rand, a Algorithm) Limit {
	for {
		l := Limit{Algorithm: a, Tokens: 1 + rng.Int64N(1<<rng.IntN(61)), Period: time.Duration(1 + rng.Int64N(1<<rng.IntN(62)))}
		if l.hasBurst() {
			l.Burst = 1 + rng.Int64N(1<<rng.IntN(61))
		}
		if l.Validate() == nil {
			return l
		}
	}
}
