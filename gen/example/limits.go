// Package limits is an example of limits that are fixed at build time: gen wrote
// login_limit.go and search_limit.go.
package limits

//go:generate go run github.com/limit64/limit64/gen -limit token:100/s,burst=20 -name Login -package limits -o login_limit.go
//go:generate go run github.com/limit64/limit64/gen -limit counter:1000/h -name Search -package limits -o search_limit.go
