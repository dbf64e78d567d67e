package bucket

// Params are the numbers that a rule computes with. They are meant for what gen
// writes: the engine's fast paths, and limits compiled into code as constants. Such
// code compares them with those of the package that it is compiled with: values are
// only understood by rules of equal parameters.
type Params struct {
	// Capacity is the most that can be taken at once, in tokens.
	Capacity int64
	// Unit is how many units a token has, and Num units are earned in Den
	// nanoseconds; all 0 for windows.
	Unit, Num, Den uint64
	// CurBits and PrevBits are the bits of a window's count and of the count
	// before it, which is kept in steps of 2^Shift; all 0 for buckets, the last
	// two for fixed windows.
	CurBits, PrevBits, Shift int
	// Span is the largest dt, in nanoseconds: see Rule.Span.
	Span uint64
}

// Describe returns the parameters of a limit's rule, or the error of NewRule.
func Describe(l Limit) (Params, error) {
	rule, err := NewRule(l)
	if err != nil {
		return Params{}, err
	}
	return ParamsOf(rule), nil
}

// ParamsOf returns the parameters of a rule.
func ParamsOf(rule Rule) Params {
	p := Params{Capacity: rule.Limit().Capacity(), Span: rule.Span()}
	switch r := rule.(type) {
	case *spent:
		p.Unit, p.Num, p.Den = r.unit.d, r.earn.num, r.earn.den
	case *window:
		p.CurBits = r.usedBits
	case *counter:
		p.CurBits, p.PrevBits, p.Shift = r.curBits, r.prevBits, r.shift
	}
	return p
}

// Built returns the rule of a limit in text form for code that gen wrote with the
// parameters p. It is an error when the rule of this package has others: the code
// is to be generated again.
func Built(text string, p Params) (Rule, error) {
	l, err := Parse(text)
	if err != nil {
		return nil, err
	}
	now, err := Describe(l)
	if err != nil {
		return nil, err
	}
	if now != p {
		return nil, l.errorf("generated with parameters %+v, which are now %+v: run go generate again", p, now)
	}
	return NewRule(l)
}
