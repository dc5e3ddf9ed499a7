package socket

import (
	"encoding/json"
	"errors"
)

// Refusal returns what a line of type "refused" says, the first and only one that a host writes
// to a process that may not connect; nil for any other line.
func Refusal(line []byte) error {
	var told struct {
		Type  string `json:"type"`
		Error string `json:"error"`
	}
	if json.Unmarshal(line, &told) != nil || told.Type != "refused" {
		return nil
	}
	return errors.New(told.Error)
}
