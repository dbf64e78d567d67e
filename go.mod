module github.com/limit64/limit64

go 1.26
