package main

import (
	"bytes"
	"go/format"
)

// keyKind is a kind of key that the engine's fast paths are written for.
type keyKind struct {
	Func, What, Params string
	Words, Hash        string // how to get at them; without Words the key is text, without Hash it is a parameter
	Holds, Probe       string // whether the home slot holds it, and the look further on
	Text               string // the key as a string, for what is rare
	Count              string // what counts the decision
}

// keyKinds are the variants by key. A key in []byte is text.
var keyKinds = []keyKind{
	{
		Func: "takeString", What: "a key", Params: "key string",
		Hash: "Hash(key)", Holds: "Holds(hash, key)", Probe: "Probe(hash, key)", Text: "key", Count: "w.counts.count",
	},
	{
		Func: "takeHashed", What: "a key whose hash is known", Params: "counted *tally, hash uint64, key string",
		Holds: "Holds(hash, key)", Probe: "Probe(hash, key)", Text: "key", Count: "counted.count",
	},
	{
		Func: "takeUint64", What: "an integer", Params: "key uint64", Words: "shard.Uint64(key)",
		Hash: "HashUint64(words)", Holds: "HoldsWords(hash, words)", Probe: "ProbeWords(hash, words)", Text: "uint64Key(key)", Count: "w.counts.count",
	},
	{
		Func: "takeAddr", What: "an address", Params: "key netip.Addr", Words: "e.prefix.words(key)",
		Hash: "HashUint128(words)", Holds: "HoldsWords(hash, words)", Probe: "ProbeWords(hash, words)", Text: "e.addrKey(key)", Count: "w.counts.count",
	},
}

// generatePaths returns the engine's fast paths.
func generatePaths() ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "paths.go.tmpl", keyKinds); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}
