package shard

// point is a window of the protocol at which a test may let others run.
type point uint8

const (
	beforeLock    point = iota // a request has missed or met a seal, and holds no lock
	beforePublish              // all words are sealed, the directory is still the old one
	beforeMeta                 // a slot has its key and its word, and nobody can find it yet
)

func (t *Table) at(p point) {
	if t.hook != nil {
		t.hook(p)
	}
}
