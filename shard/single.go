package shard

// Rule is what a table asks of the only rule that its keys have: see Rules.
type Rule interface {
	Span() uint64
	Advance(dt uint64) uint64
	Idle(v, dt uint64) bool
	Fresh(dt uint64) uint64
	Rebase(v, delta uint64) uint64
}

// Single returns Rules of one rule, number 0, for a table without plans.
func Single(rule Rule) Rules { return single{rule} }

type single struct{ Rule }

func (s single) Assign(string, int) uint16                { return 0 }
func (single) Shared() uint16                             { return 0 }
func (s single) Idle(_ uint16, v, dt uint64) bool         { return s.Rule.Idle(v, dt) }
func (s single) Fresh(_ uint16, dt uint64) uint64         { return s.Rule.Fresh(dt) }
func (s single) Rebase(_ uint16, v, delta uint64) uint64  { return s.Rule.Rebase(v, delta) }
func (s single) Convert(_, _ uint16, v, dt uint64) uint64 { return v }
