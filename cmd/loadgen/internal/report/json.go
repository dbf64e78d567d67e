package report

import (
	"encoding/json"
	"io"
)

// JSON writes any result for machines.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
