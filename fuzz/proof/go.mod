module github.com/limit64/limit64/fuzz/proof

go 1.26.0

replace github.com/limit64/limit64 => ../..

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/limit64/limit64 v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
	go.uber.org/goleak v1.3.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/puzpuzpuz/xsync/v3 v3.5.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
