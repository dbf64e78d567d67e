package engine

import "time"

// emitter is an engine's side of Events; nil without them.
type emitter struct {
	to   *Events
	name string
}

func newEmitter(c Config) *emitter {
	if c.Events == nil {
		return nil
	}
	return &emitter{c.Events, c.Name}
}

// decided is told every decision. It is inlined: all that it costs without
// events, or when a request is admitted, is a comparison.
func (m *emitter) decided(key string, n int64, now time.Duration, d *Decision) {
	if m != nil && d.Reason != Admitted {
		m.refused(key, n, now, d.Reason, d.RetryAfter)
	}
}

func (m *emitter) refused(key string, n int64, now time.Duration, reason Reason, retry time.Duration) {
	kind := DenialEvent
	if reason == Saturated || reason == Untracked {
		kind = SaturationEvent
	}
	m.to.emit(kind, reason, m.name, key, n, now, retry, nil)
}

// shadowed tells of a denial that was let through.
func (m *emitter) shadowed(key string, n int64, now time.Duration, reason Reason, retry time.Duration) {
	if m != nil {
		m.to.emit(ShadowEvent, reason, m.name, key, n, now, retry, nil)
	}
}

// shared tells of a new key that got a shared bucket.
func (m *emitter) shared(key string, now time.Duration) {
	if m != nil {
		m.to.emit(SaturationEvent, Admitted, m.name, key, 0, now, 0, nil)
	}
}

// limited tells of a new limit of a key or plan.
func (m *emitter) limited(kind EventKind, whose string, now time.Duration, l Limit) {
	if m != nil {
		m.to.emit(kind, Admitted, m.name, whose, 0, now, 0, &l)
	}
}
