package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"math"
	"math/bits"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/limit64/limit64/bucket"
)

//go:embed templates
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.tmpl"))

// spec is what to write.
type spec struct{ Limit, Name, Package, Only string }

// view is what the templates see of a spec and its limit.
type view struct {
	spec
	bucket.Params
	Kind        string // the algorithm in the text form of limits
	Lower, New  string // what helpers, and the constructor, begin with
	Keyed, Cell bool
	Period      int64
	Again       int64    // nanoseconds after which a new key that found no room is to ask again
	Wide        bool     // needs 128-bit products
	Admitted    string   // the function that describes an admission
	Earn, Wait  fraction // Num/Den and Den/Num
}

// fraction is num/den in fixed point, rounded down.
type fraction struct{ Whole, Frac uint64 }

func newFraction(num, den uint64) fraction {
	frac, _ := bits.Div64(num%den, 0, den)
	return fraction{num / den, frac}
}

// generate returns the formatted source of a spec, or an error that names what is
// wrong with it.
func generate(s spec) ([]byte, error) {
	v, err := newView(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "file.go.tmpl", v); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

func newView(s spec) (*view, error) {
	for _, n := range []struct{ flag, name string }{{"name", s.Name}, {"package", s.Package}} {
		if !token.IsIdentifier(n.name) || n.name == "_" {
			return nil, fmt.Errorf("-%s %q is not a Go identifier", n.flag, n.name)
		}
	}
	if s.Only != "" && s.Only != "keyed" && s.Only != "cell" {
		return nil, fmt.Errorf("-only %q: want keyed or cell", s.Only)
	}
	l, err := bucket.Parse(s.Limit)
	if err != nil {
		return nil, err
	}
	if l.Algorithm == bucket.SlidingLogAlgorithm {
		return nil, fmt.Errorf("limit %v: a sliding window log does not fit a word: use package engine", l)
	}
	p, err := bucket.Describe(l)
	if err != nil {
		return nil, err
	}
	s.Limit = l.String()
	v := &view{
		spec: s, Params: p, Kind: l.Algorithm.String(), Keyed: s.Only != "cell", Cell: s.Only != "keyed",
		Period: int64(l.Period), Again: int64(l.Period), Admitted: "State",
	}
	v.Lower, v.New = names(s.Name)
	switch v.Kind {
	case "token", "leaky":
		v.Admitted = "Admitted"
		v.Again, v.Wide = max(1, int64(l.Period)/l.Tokens), p.Den != 1
		v.Earn, v.Wait = newFraction(p.Num, p.Den), newFraction(p.Den, p.Num)
	case "counter":
		hi, _ := bits.Mul64(uint64(l.Tokens)+1<<p.Shift-1, uint64(l.Period))
		v.Wide = hi != 0
	}
	if v.Cell && !v.endless() {
		return nil, fmt.Errorf("limit %v: a cell could not count for 292 years (the span of a value is %d ns): add -only keyed, or use bucket.Cell", l, p.Span)
	}
	return v, nil
}

// names returns what the helpers of a type begin with, and its constructor.
func names(name string) (lower, constructor string) {
	first, size := utf8.DecodeRuneInString(name)
	lower = string(unicode.ToLower(first)) + name[size:]
	if token.IsExported(name) {
		return lower, "New" + name
	}
	return lower, "new" + string(unicode.ToUpper(first)) + name[size:]
}

// endless reports whether 64 bits hold the value of a cell at every instant.
func (v *view) endless() bool {
	if v.Unit == 0 {
		return bits.Len64(math.MaxInt64/uint64(v.Period)) <= 64-v.CurBits-v.PrevBits
	}
	// A comparison adds a cost to what was earned and spent: at most twice the
	// capacity and a unit that was rounded up.
	most := 2*uint64(v.Capacity)*v.Unit + 2
	hi, lo := bits.Mul64(math.MaxInt64, v.Num)
	if hi >= v.Den {
		return false
	}
	earned, _ := bits.Div64(hi, lo, v.Den)
	return earned <= math.MaxUint64-most
}
