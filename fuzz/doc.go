// Package fuzz holds what shows limit64 right beyond the tests beside its code: the
// exact models, fuzz targets, metamorphic tests, soak and attack. README.md says
// what each layer shows.
package fuzz
