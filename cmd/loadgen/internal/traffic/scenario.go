package traffic

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// ParseScenario reads a plan in YAML. A field that no plan has, and a value that
// does not fit, is an error that names its line.
func ParseScenario(text []byte) (p Plan, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&p); errors.Is(err, io.EOF) {
		return p, errors.New("no phases: the file is empty")
	} else if err != nil {
		return p, fmt.Errorf("not a scenario: %w", err)
	}
	return p, nil
}
