package bucket

// Exact reports whether a rule rounds nothing, for those that may.
func Exact(r Rule) (exact, mayRound bool) {
	switch r := r.(type) {
	case *spent:
		return r.earn.den == 1, true
	case *counter:
		return r.shift == 0, true
	}
	return true, false
}
