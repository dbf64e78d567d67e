package linear

import (
	"fmt"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/limit64/limit64/bucket"
	"github.com/limit64/limit64/fuzz/model"
)

// call is one request to the engine; its output is a bucket.Decision, the bool of
// Forget, or nil.
type call struct {
	kind kind
	key  string
	n    int64
	now  time.Duration
}

type kind string

const (
	take     kind = "take"
	peek     kind = "peek"
	giveBack kind = "return"
	forget   kind = "forget"
)

func (c call) String() string { return fmt.Sprintf("%s %q %d at %d", c.kind, c.key, c.n, c.now) }

// state is what happened to a key, as the list of calls that changed it. Equal
// lists are equal states; the reverse is not needed for short histories.
type state string

// step is one answer of the sequential model.
type step struct {
	decision bucket.Decision
	next     state
}

// specification is the sequential model of one key under a limit. Answers are
// remembered: porcupine asks for the same ones again and again.
type specification struct {
	limit  bucket.Limit
	mu     sync.Mutex // porcupine checks the keys of a history side by side
	known  map[string]step
	models map[state][]call
}

// newModel returns what porcupine needs to check a history.
func newModel(l bucket.Limit) porcupine.Model {
	s := &specification{limit: l, known: map[string]step{}, models: map[state][]call{}}
	return porcupine.Model{
		Init:      func() any { return state("") },
		Partition: byKey,
		Step: func(st, in, out any) (bool, any) {
			return s.step(st.(state), in.(call), out)
		},
		DescribeOperation: func(in, out any) string { return fmt.Sprintf("%v: %+v", in, out) },
	}
}

func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	keys := map[string][]porcupine.Operation{}
	for _, op := range history {
		k := op.Input.(call).key
		keys[k] = append(keys[k], op)
	}
	var parts [][]porcupine.Operation
	for _, part := range keys {
		parts = append(parts, part)
	}
	return parts
}

func (s *specification) step(from state, c call, out any) (bool, any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.kind == forget {
		// A key that is not idle is there. An idle one may have been swept.
		idle := s.answer(from, call{kind: peek, n: 1, now: c.now}).decision.ResetAfter == 0
		return out.(bool) || idle, state("")
	}
	a := s.answer(from, c)
	return c.kind == giveBack || out.(bucket.Decision) == a.decision, a.next
}

func (s *specification) answer(from state, c call) step {
	id := fmt.Sprintf("%s%s %d %d;", from, c.kind, c.n, c.now)
	if a, ok := s.known[id]; ok {
		return a
	}
	m := model.New(s.limit)
	for _, earlier := range s.models[from] {
		apply(m, earlier)
	}
	a := step{apply(m, c), from}
	if c.kind == giveBack || c.kind == take && a.decision.OK {
		a.next = state(id)
		s.models[a.next] = append(s.models[from][:len(s.models[from]):len(s.models[from])], c)
	}
	s.known[id] = a
	return a
}

func apply(m model.Model, c call) (d bucket.Decision) {
	switch c.kind {
	case take:
		return m.Take(c.now, c.n)
	case peek:
		return m.Peek(c.now, c.n)
	}
	m.Return(c.now, c.n)
	return d
}
