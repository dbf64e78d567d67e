// Package shard keeps one 64-bit word for each key in a lock-striped,
// xxhash-sharded table without pointers, and forgets keys without ever letting
// two requests spend from two copies of one word. It knows keys and words, and
// nothing of limits or clocks: what a value means it asks of [Rules].
//
// # Terminology
//
//   - word: a value of 63 bits and, on top, the seal.
//   - slot: 32 bytes {word, meta, 16 bytes of key}, two to a cache line.
//   - epoch: the slots of one shard between two rebuilds, with the instant they
//     count from (base) and the instant of their birth (born).
//   - shard: the epochs that follow each other under one lock.
//   - directory: 2^depth pointers to epochs, indexed by the top bits of the hash.
//   - rebuild: to make the next epoch of a shard. Forgetting, splitting, merging,
//     moving the base and changing a key's rule are all rebuilds.
//   - rule: what a key's values mean, by a number that its slot keeps.
//   - spilled key: one that found no slot within the probe bound.
//
// # Memory
//
//	Table.dir ─▶ directory{depth, epochs}
//	                 │ the top bits of the hash
//	                 ▼
//	             Epoch, 32 KiB   56-byte header │ slot │ slot │ … 1022 slots
//	                                              ▲
//	                                              │ home: middle bits of the hash,
//	                                                then at most 64 slots onwards
//
// The slots lie in the epoch itself, so that a look-up chases one pointer and the
// processor fetches header and slot side by side. Keys of up to 16 bytes lie in
// the slot; longer ones lie in the shard's arena, and the slot says where.
//
// # Invariants
//
//   - I1: a published slot (meta != 0) keeps its key and its rule for ever; slots
//     are never reused, and an epoch only gains slots.
//   - I2: a sealed word never changes again. Only the holder of the shard's lock
//     seals.
//   - I3: when an epoch is no longer in the directory, each of its published
//     words is sealed. So a compare-and-swap that succeeds did so on the only
//     copy of the key's word.
//   - I4: of each key there is at most one unsealed word in the table. It is in
//     the current epoch of the shard that the key's hash selects.
//   - I5: a word is dropped only by compare-and-swap from an idle value to its
//     sealed form, at an instant that is at most the next epoch's born. A key
//     made later starts from a fresh value, which is full at born and not
//     before: a stale request finds no more than the dropped word had.
//   - I6: a key is spilled only when the 64 slots from its home are all taken, so
//     a look-up that meets an empty slot proves the key absent from its epoch.
//
// # Ordering
//
// Insert writes key and word, then stores meta; a reader that loads meta may
// trust key and word. A rebuild seals and copies every word, then stores the new
// epochs in the directory; a reader that meets a sealed word takes the shard's
// lock, which the rebuilder holds until the directory is right again. Locks are
// taken in the order sweep, shard, directory; only the sweeper waits for a second
// shard. An insert at the bound that looks for room elsewhere holds its shard and
// only tries the others' locks.
//
// # Progress
//
// Find is lock-free and bounded: at most 64 slots. Acquire, Forget, Reassign,
// Replace and the sweeps block on a shard's lock, which is held for at most one rebuild, some ten
// microseconds.
//
// Extendible hashing is due to Fagin, Nievergelt, Pippenger and Strong (1979).
package shard
